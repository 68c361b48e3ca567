"""What to search for: the turn's text, with what it points at in the thread, or in its parts where it asks for several.

No model: a follow-up ("and when was that?", "那它呢？") gets the topic words of the turns it rests on; a question that
asks for several things at once gives each by itself too. The last query is the fullest: memories are ranked by it.
"""

import re
from collections.abc import Iterator, Sequence

from langchain_core.messages import BaseMessage

from hippograph.memory.proper import name, names
from hippograph.memory.tokens import CJK, is_common
from hippograph.nodes import cues
from hippograph.nodes.turns import is_silent, split, spoken, words_of
from hippograph.state.turn import Topic

MOST = 3
"""Most queries of a turn; each costs a search."""
BACK = 4
"""Turns looked back at, at most."""
TOPIC_WORDS = 12
"""Most topic words taken from one turn; a Chinese stretch counts as one."""
SHORT_ANSWER = 80
"""Most characters of an answer that is taken whole; of a longer one only the names count."""
_LONG = 2000
_PIECE = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+(?:[-_./:@#+'’][^\W_{CJK}]+)*")
_ASIDE = re.compile(
    r"什么时候|为什么|怎么样?|什么|多少|多久|哪[里儿个些位年天家]?|[谁吗呢吧啊呀嘛的了着过是]|[我你您他她它]们?|"
    r"一下|请问|告诉|知道|"
    r"还记得|记得|[这那][个些里儿边样]?|以及|还有|然后|不|没有?|有没有|几"
)
"""Chinese words that ask, point or join; what they leave between them is the topic."""
_ASKING = frozenset(
    "tell know remember remind please thanks thank yes ok okay please there then also really much many about exactly "
    "more again it's that's what's there's don't i'm any some no long often".split()
)
_ABOUT = re.compile(
    r"^\W*(?:and|so|but|ok)?\W*(?:what|how)\s+about\b|^\W*and\s+(?-i:[A-Z])\w+\W*$|^那?(?!它|他|她|这|那).{1,8}呢\W*$",
    re.IGNORECASE,
)
"""The same question, about something else."""
_SENTENCE = re.compile(r"[^?？]+[?？]+")
_SECOND = re.compile(
    r",?\s+(?:and|or)\s+(?=(?:what|where|when|who|how|why|which)\s+(?:did|does|do|is|was|are|were|will|has|have|"
    r"had|much|many)\b)|"
    r"[，,;；]\s*(?:还有|以及|又|另外)?",
    re.IGNORECASE,
)
_QUESTION_WORD = re.compile(
    r"\b(?:what|where|when|who|how|why|which)\b|什么|哪|谁|多少|多久|几|怎么|为何|吗(?=\W*$)", re.IGNORECASE
)
_JOINING = re.compile(r"^\W*(?:(?:and|but|so|also|then)\s+|还有|另外|然后|那么?)", re.IGNORECASE)
_PAIR = re.compile(
    r"(?:\bboth\s+)?\b(?P<first>(?!I\b)[A-Z][\w'’-]+)(?:,\s+(?P<third>[A-Z][\w'’-]+),?)?\s+(?:and|or)\s+"
    r"(?P<second>(?!I\b)[A-Z][\w'’-]+)(?:\s+(?:both|each|respectively))?"
)
_PAIR_ZH = re.compile(
    r"(?P<first>[^，。？?、\s\d和与跟]{1,8})(?:、(?P<third>[^，。？?、\s\d和与跟]{1,8}))?[和与跟](?P<second>[^，。？?、\s\d和与跟]{1,8}?)"
    r"(?:分别|各自)"
)


def queries(text: str, messages: Sequence[BaseMessage], topics: Sequence[Topic] = ()) -> list[str]:
    """Return what to search for, at most MOST, the fullest last.

    Args:
        text: What is asked now.
        messages: The thread, what is asked now included.
        topics: What it is about, the latest first; asked where the turns that are pointed at have left it.
    """
    parts = _parts(text[:_LONG])
    if points_back(parts[0] if parts else text) and (pointed := _pointed_at(text, split(messages)[:-1], topics)):
        return [text, f"{pointed}\n{text}"]
    return [*parts[: MOST - 1], text]


def points_back(text: str) -> bool:
    """Tell whether a text points at something that is not in it."""
    bare = cues.POLITE.taken_out(text[:_LONG]).strip()
    return bool(cues.FOLLOW_UP.search(bare) or cues.ELLIPSIS.search(bare) or _bare_verb(bare))


def _bare_verb(text: str) -> bool:
    """Tell whether a Chinese question names nothing: "住了多久？", "贵吗？"."""
    if (
        len(text) > 10
        or not re.search(f"[{CJK}]", text)
        or not _QUESTION_WORD.search(text)
        or cues.PERSONAL.search(text)
    ):
        return False
    return all(len(each) == 1 for each in _telling(text))


def topic(text: str, most: int = TOPIC_WORDS) -> str:
    """Return the telling words of a text as they stand there, without those that ask or point."""
    return " ".join(list(dict.fromkeys(_telling(text[:_LONG])))[:most])


def _telling(text: str) -> Iterator[str]:
    for found in _PIECE.finditer(text):
        piece = found.group()
        if re.match(f"[{CJK}]", piece):
            yield from (each for each in _ASIDE.split(piece) if each and not is_common(each))
        elif not is_common(piece.lower()) and piece.lower() not in _ASKING:
            yield piece


def _pointed_at(text: str, earlier: Sequence[Sequence[BaseMessage]], topics: Sequence[Topic]) -> str:
    """Return the topic words of the turns a text rests on: back to the last question that stands by itself.

    Where that one is no longer in the thread, the thread's latest topic stands for it.
    """
    found, began = list[str](), False
    another = _ABOUT.search(text) is not None and name(text) is not None
    for turn in reversed(earlier[-BACK:]):
        asked = "\n".join(words_of(each) for each in turn if each.type == "human")
        if cues.GREETING.match(asked) or cues.THANKS.match(asked):
            continue
        answers = () if another else [words_of(each) for each in spoken(turn) if each.type == "ai"]
        subject = name(asked) if another else None
        words = [word for word in topic(asked).split() if subject is None or word.removesuffix("'s") != subject]
        found[:0] = [*words, *(word for each in answers for word in _told(each))]
        if not points_back(asked):
            began = True
            break
    if not began and topics:
        found[:0] = [word for word in topics[0]["name"].split() if not another or word != name(topics[0]["name"])]
    return " ".join(_distinct(found))


def _distinct(found: Sequence[str]) -> list[str]:
    """Return words, each once, without single Chinese characters that another one holds."""
    once = list(dict.fromkeys(found))
    return [
        word
        for word in once
        if len(word) > 1 or word.isascii() or not any(word in each for each in once if each != word)
    ]


def _told(answer: str) -> list[str]:
    """Return what an answer adds to the topic: all of a short one, the names of a long one."""
    if is_silent(answer):
        return []
    return topic(answer).split() if len(answer) <= SHORT_ANSWER else names(answer)[:TOPIC_WORDS]


def _parts(text: str) -> list[str]:
    """Return the questions a text consists of, where it clearly asks for several; empty where it asks for one."""
    asked = [_JOINING.sub("", each.strip()) for each in _SENTENCE.findall(text) if _QUESTION_WORD.search(each)]
    if len(asked) >= 2:
        return [asked[0], *(each if _complete(each) else f"{topic(asked[0])}\n{each}" for each in asked[1:])]
    clauses = _clauses(text)
    return [clauses[0], *(f"{topic(clauses[0])}\n{each}" for each in clauses[1:])] if clauses else _each_of(text)


def _clauses(text: str) -> list[str]:
    """Cut "what did I buy and where did I put it" in two; both must ask."""
    clauses = [each.strip() for each in _SECOND.split(text) if each and each.strip()]
    asks = len(clauses) in (2, 3) and all(_QUESTION_WORD.search(each) and topic(each) for each in clauses)
    return clauses if asks else []


def _complete(asked: str) -> bool:
    """Tell whether a question stands by itself: it names something and points at nothing."""
    points = points_back(asked) or re.match("其(?![他实中次])", asked)
    return not points and any(len(each) > 1 for each in _telling(asked))


def _each_of(text: str) -> list[str]:
    """Ask about each of two or three that are named together: "Ann and Bob", "A和B分别"."""
    found = _PAIR_ZH.search(text) or _PAIR.search(text)
    if not found or not _QUESTION_WORD.search(text):
        return []
    if not re.match(f"[{CJK}]", found.group()) and not all(map(_is_own, (found["first"], found["second"]))):
        return []
    named = [each for each in (found["first"], found["third"], found["second"]) if each]
    return [f"{text[: found.start()]}{each}{text[found.end() :]}" for each in named][:MOST]


def _is_own(word: str) -> bool:
    """Tell whether a word in the middle of a sentence is somebody's own name."""
    return name(f"about {word}") is not None
