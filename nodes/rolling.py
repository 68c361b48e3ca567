"""The rolling summary of what left short-term memory: a line a turn, merged into what is there, never started anew.

When it grows too long, what matters least goes first: courtesy and small talk before numbers and names, these before
decisions, commitments, what a person told of himself and questions that are still open; of equals, the older.
"""

import re
from collections.abc import Sequence

from langchain_core.messages import BaseMessage

from hippograph.memory.language import language
from hippograph.memory.sentences import sentences
from hippograph.models.estimating import estimate
from hippograph.nodes.extract import WHO, flat
from hippograph.nodes.importance import MATTER, PLAIN, TRIFLE, answer_weight, is_question, weight
from hippograph.nodes.turns import is_silent, spoken, words_of

TOKENS = 300
"""Most tokens of the summary, estimated."""
CHARACTERS = {"human": 160, "ai": 100}
"""Most characters that a turn's line keeps of what was asked and what was answered."""
LATEST = 2
"""Lines at the end that stay whatever they say: the thread goes on from them."""
_READ = 4000
"""Characters of a message that are looked through for what matters in it."""
_NEWLINE = 2
"""Tokens that a line costs beside its own, counted generously."""
_GONE = {"zh": "（更早的 {count} 轮已略去）", "en": "({count} earlier turns left out)"}
_COUNT = re.compile(r"^[（(](?:更早的 )?(\d+) (?:轮已略去|earlier turns left out)[）)]$")
BULLET = "• "
"""Begins a line that a model wrote in the place of several."""
_BETWEEN = " → "
_WHO = re.compile(rf"^(?:{'|'.join(re.escape(who) for each in WHO.values() for who in each.values())})(?:：|: )")


def fold(summary: str, turns: Sequence[Sequence[BaseMessage]]) -> str:
    """Return the summary with some more turns at its end, within `TOKENS`.

    A first line keeps count of the turns that were left out. A turn that says what a line says already is that line.
    """
    gone, lines = parts(summary)
    every = [*lines, *filter(None, map(_line, turns))]
    return within([*dict.fromkeys(reversed(every))][::-1], gone)


def within(lines: Sequence[str], gone: int, tokens: int = TOKENS) -> str:
    """Return a summary of the lines that are worth most, in their order; empty where none fits.

    Args:
        lines: One a turn, oldest first.
        gone: How many turns were left out before.
        tokens: Most tokens of it, estimated.
    """
    kept = list(lines)
    room = tokens - estimate(_first(10**6, kept)) - _NEWLINE
    worth = [_worth(line) for line in kept]
    spent = sum(map(_cost, kept))
    while kept and spent > room:
        place = min(range(len(kept)), key=lambda index: (index >= len(kept) - LATEST, worth[index], index))
        rest = [line] if (line := _shorter(kept[place])) else []
        spent += sum(map(_cost, rest)) - _cost(kept[place])
        kept[place : place + 1] = rest
        worth[place : place + 1] = map(_worth, rest)
        gone += not rest
    return "\n".join([_first(gone, kept), *kept] if gone and kept else kept)


def parts(summary: str) -> tuple[int, list[str]]:
    """Return how many turns a summary left out, and its lines."""
    lines = summary.splitlines()
    counted = _COUNT.match(lines[0]) if lines else None
    return (int(counted[1]), lines[1:]) if counted else (0, lines)


def line_weight(line: str) -> int:
    """Return how much a line is worth keeping: as its weightiest part; a question without an answer matters."""
    if line.startswith(BULLET):
        return MATTER
    asked, answer = halves(line)
    told = weight(asked)
    if is_question(asked) and told > PLAIN and (not answer or is_silent(answer)):
        return MATTER
    return max(told, answer_weight(answer)) if answer else told


def _worth(line: str) -> tuple[int, bool]:
    """Return what decides which line gives way first: the worth of what would go; of equals, answers before lines."""
    if _shorter(line):
        return answer_weight(halves(line)[1]), False
    return line_weight(line), True


def _shorter(line: str) -> str:
    """Return a line without its answer, where that is worth no more than what was told; an answer to a question is."""
    asked, answer = halves(line)
    alone = bool(answer) and not is_question(asked) and TRIFLE < weight(asked) >= answer_weight(answer)
    return line.partition(_BETWEEN)[0] if alone else ""


def halves(line: str) -> tuple[str, str]:
    """Return what was asked or told, and what was answered, without who said it."""
    asked, _, answer = line.partition(_BETWEEN)
    return _WHO.sub("", asked), _WHO.sub("", answer)


def _cost(line: str) -> int:
    return estimate(line) + _NEWLINE


def _line(turn: Sequence[BaseMessage]) -> str:
    """Return a turn as `user: what matters → assistant: what matters`; of several answers, the last."""
    said = spoken(turn)
    answers = [each for each in said if each.type == "ai"]
    return _BETWEEN.join(_said(each) for each in said if each.type != "ai" or each is answers[-1])


def _said(message: BaseMessage) -> str:
    text = flat(words_of(message)).replace(_BETWEEN.strip(), "->")
    which = language(text[:_READ])
    who = WHO[which]["user" if message.type == "human" else "assistant"]
    most = CHARACTERS[message.type]
    return f"{who}{'：' if which == 'zh' else ': '}{gist(text, most, answer=message.type == 'ai')}"


def gist(text: str, most: int, *, answer: bool = False) -> str:
    """Return a text, or of a longer one the sentences that matter most, in their order, within some characters."""
    if len(text) <= most:
        return text
    weigh = answer_weight if answer else weight
    pieces = sentences(text[:_READ]) or [text[:_READ]]
    order = sorted(range(len(pieces)), key=lambda index: (-weigh(pieces[index]), index))
    kept = {order[0]}
    for index in order[1:]:
        if weigh(pieces[index]) > PLAIN and sum(len(pieces[each]) + 1 for each in kept | {index}) <= most:
            kept.add(index)
    chosen = " ".join(pieces[index] for index in sorted(kept))
    return chosen if len(chosen) <= most else f"{chosen[: most - 1]}…"


def _first(gone: int, lines: Sequence[str]) -> str:
    return _GONE[language("\n".join(lines[-3:]))].format(count=gone)
