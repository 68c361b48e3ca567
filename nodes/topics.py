"""Working memory: the few things a thread is about, brought up to date after every turn by code alone.

A turn belongs to the topic whose words it shares, or to the last one if it points back; else it opens a new one.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from langchain_core.messages import BaseMessage

from hippograph.memory.proper import is_no_name, names
from hippograph.memory.tokens import identifiers, is_cjk, words
from hippograph.nodes.extract import flat
from hippograph.nodes.importance import DECIDED, DONE, PLAIN, PROMISED, answer_weight, is_question, weight
from hippograph.nodes.queries import points_back, topic
from hippograph.nodes.rolling import gist
from hippograph.nodes.turns import is_silent, spoken, words_of
from hippograph.state.turn import Standing, Topic

MOST = 5
"""Topics a thread has at once."""
NAME, SUMMARY, SENTENCE = 40, 200, 90
"""Most characters of a topic's name, of what was said about it, and of one thing said about it."""
WORDS = 24
"""Words by which a topic is known: those of its name, and the latest."""
ENOUGH = 2.0
"""What a text must share with a topic: a name, an identifier or a whole Chinese word, or two words of another kind."""
LITTLE = 3
"""Telling words of a text that points back, from which on it is about something of its own."""
_READ = 2000
_BETWEEN = " · "
_LIGHT = frozenset(
    "like want get got go going make take think need use see say said good new thing time day people know tell "
    "give let decided look find feel come talk ask try put work help keep really very great nice today".split()
)
"""English words that are in talk about anything."""


def updated(topics: Sequence[Topic], turns: Sequence[Sequence[BaseMessage]], now: datetime) -> list[Topic]:
    """Return a thread's topics after some more turns, the latest first; at most `MOST`.

    What is one too many is what matters least and was not talked about for longest. It leaves working memory alone:
    the turns themselves are in long-term memory.
    """
    current = list(topics)
    for turn in turns:
        current = _after(current, turn, now)
    return current


def shown(topics: Sequence[Topic]) -> str:
    """Return topics on one line, for the prompt: the latest is what the last turns are about and needs no telling."""
    return "; ".join(f"{each['name']} ({each['summary']})" if each["summary"] else each["name"] for each in topics)


def _after(topics: list[Topic], turn: Sequence[BaseMessage], now: datetime) -> list[Topic]:
    asked = " ".join(flat(words_of(each)[:_READ]) for each in turn if each.type == "human")
    answer = next((flat(words_of(each)[:_READ]) for each in reversed(spoken(turn)) if each.type == "ai"), "")
    if not asked or (weight(asked) < PLAIN and not points_back(asked)):
        return topics  # Courtesy is about nothing.
    place = _place(topics, asked, answer)
    if place is None:
        name = _name(asked)
        older = [Topic(**{**each, "age": each["age"] + 1}) for each in topics]
        return _few([_told(_opened(name), asked, answer, now), *older]) if name else topics
    return [_told(topics[place], asked, answer, now), *(each for each in topics if each is not topics[place])]


def _opened(name: str) -> Topic:
    return Topic(name=name, summary="", state="noted", turns=0, used_at="", age=0, words=list(_keys(name)))


def _name(text: str) -> str:
    """Return the first telling words of a text, as many as a name may have; what is in any talk only if alone."""
    said = topic(text).split()
    telling = [word for word in said if word.lower() not in _LIGHT] or said[:2]
    name = ""
    for word in telling:
        longer = f"{name} {word}".strip()
        if len(longer) > NAME:
            return name or word[:NAME]
        name = longer
    return name


def _place(topics: Sequence[Topic], asked: str, answer: str) -> int | None:
    """Return which topic a turn is about; None for a new one."""
    told, replied = _keys(asked), _keys(answer)
    shares = [_shared(index, topics, told) for index in range(len(topics))]
    best = max(range(len(topics)), key=lambda index: (shares[index], -index), default=None)
    if best is None or shares[best] >= ENOUGH:
        return best
    own = [word for word in topic(asked).split() if word.lower() not in _LIGHT]
    goes_on = len(own) < LITTLE or _shared(0, topics, replied) > 0
    return 0 if points_back(asked) and goes_on else None


def _shared(index: int, topics: Sequence[Topic], keys: Mapping[str, float]) -> float:
    """Return how much a text has in common with a topic; a word of several topics tells half as much."""
    elsewhere = {word for place, each in enumerate(topics) if place != index for word in each["words"]}
    common = [word for word in topics[index]["words"] if word in keys]
    return sum(keys[word] / (2 if word in elsewhere else 1) for word in common)


def _keys(text: str) -> dict[str, float]:
    """Return the words of a text by which its topic is known, and how much each tells."""
    own = {word for each in (*names(text), *identifiers(text)) if not is_no_name(each) for word in words(each)}
    keys = dict[str, float]()
    for piece in topic(text, most=WORDS).split():
        if is_cjk(piece):
            pairs = [piece[place : place + 2] for place in range(len(piece) - 1)]
            keys |= dict.fromkeys(pairs, ENOUGH if len(piece) == 2 else 1.0)
        elif piece.lower() not in _LIGHT:
            keys |= {word: ENOUGH if word in own else 1.0 for word in words(piece)}
    return keys


def _told(known: Topic, asked: str, answer: str, now: datetime) -> Topic:
    """Return a topic after a turn about it."""
    name = list(_keys(known["name"]))
    standing = _standing(known["state"], asked, answer)
    said = [each for each in known["summary"].split(_BETWEEN) if each]
    if known["state"] == "open" != standing:
        said = [each for each in said if not is_question(each)]  # It has its answer.
    later = [word for word in (*_keys(asked), *known["words"]) if word not in name]
    return Topic(
        name=known["name"],
        summary=_merged(said, asked, answer),
        state=standing,
        turns=known["turns"] + 1,
        used_at=now.isoformat(),
        age=0,
        words=[*name, *dict.fromkeys(later)][:WORDS],
    )


def _merged(said: Sequence[str], asked: str, answer: str) -> str:
    """Return what was said about a topic with what a turn adds; what weighs least goes first, of equals the older."""
    new = _adds(asked, answer).replace(_BETWEEN.strip(), ",")
    kept = [*(each for each in said if each != new), new]
    while len(kept) > 1 and len(_BETWEEN.join(kept)) > SUMMARY:
        kept.pop(min(range(len(kept) - 1), key=lambda index: (weight(kept[index]), index)))
    return _BETWEEN.join(kept)


def _adds(asked: str, answer: str) -> str:
    """Return what a turn says: what was told, or what was asked with its answer, if there is one."""
    if is_question(asked) and answer and not is_silent(answer) and answer_weight(answer) >= PLAIN:
        return f"{gist(asked, SENTENCE // 2)} {gist(answer, SENTENCE // 2, answer=True)}"
    return gist(asked, SENTENCE)


def _standing(old: Standing, asked: str, answer: str) -> Standing:
    """Return how things stand with a topic after a turn about it."""
    if is_question(asked):
        if not answer or is_silent(answer):
            return "open"
        return "noted" if old == "open" else old
    if DONE.search(asked):
        return "done"
    if DECIDED.search(asked):
        return "decided"
    return "planned" if PROMISED.search(asked) else old


def _few(topics: list[Topic]) -> list[Topic]:
    """Return the topics without the one too many; never the latest."""
    if len(topics) <= MOST:
        return topics
    least = min(range(1, len(topics)), key=lambda index: _worth(topics[index]) - topics[index]["age"])
    return [each for index, each in enumerate(topics) if index != least]


def _worth(known: Topic) -> float:
    """Return how much age a topic's weight makes up for."""
    return (1.5 if known["state"] in ("open", "decided", "planned") else 0.0) + min(known["turns"], 4) / 2
