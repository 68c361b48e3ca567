"""Order what was found and keep what is worth a place in the prompt."""

import re
from collections.abc import Sequence
from dataclasses import replace

from hippograph.memory.language import language
from hippograph.memory.tokens import words
from hippograph.nodes import cues
from hippograph.nodes.run import Resources, Run, Update
from hippograph.nodes.turns import question
from hippograph.state import Recollection
from hippograph.state.conversation import State

FLOOR = {"en": 0.1, "zh": 0.28}
"""Lowest score worth injecting, by the question's language: Chinese texts are all more alike to embedders."""
SURE = {"en": 0.45, "zh": 0.42}
"""Score from which the best memory is clearly about the question."""
REPEATED = 0.2
"""Share of new words from which a memory says something of its own."""
SECOND_HAND = 0.15
"""Share of its score that an assistant's own turn loses."""
SHARE = 0.3
"""Lowest score worth injecting, as a share of the best one's."""

_NO_ANSWER = re.compile(
    r"\b(?:i|we) (?:do not|don['’]t) (?:know|have (?:any|that|this)|recall|remember)\b|haven['’]t told me|"
    r"我不知道|没有告诉我|没告诉我|不清楚|无法(?:回答|提供)",
    re.IGNORECASE,
)


def rerank(state: State, run: Run, resources: Resources) -> Update:
    """Fuse the legs, let the reranker look again, keep the best `top_k`, and of these only what may help."""
    asked = question(state["messages"])
    found = [Recollection.from_record(each) for each in state.get("candidates", [])]
    telling = [each for each in found if not says_nothing(each, asked)]
    if not telling:
        return Update(memories=[])
    query, wanted = state["trigger"]["queries"][-1], run.context.rerank
    ranked = resources.memory().rank(query, telling, len(telling), rerank=wanted)
    kept = different(worth(first_hand(ranked.found, asked), asked), asked, run.context.top_k)
    return Update(memories=[each.to_record() for each in kept], degraded=ranked.degraded)


def says_nothing(memory: Recollection, asked: str) -> bool:
    """Tell whether a memory cannot answer: the question asked before, courtesy, or an answer that nothing is known."""
    if memory.kind != "turn":
        return False
    if len(memory.text) < 100 and (cues.THANKS.match(memory.text) or cues.GREETING.match(memory.text)):
        return True
    if memory.role == "assistant":
        return _NO_ANSWER.search(memory.text) is not None and len(memory.text) < 200
    return set(words(memory.text)) <= set(words(asked))


def first_hand(ranked: Sequence[Recollection], asked: str) -> list[Recollection]:
    """Return the memories with what an assistant said a little lower, unless that is what is asked for.

    An answer repeats what the user said, and a small model's answer often wrongly.
    """
    if cues.ABOUT_YOU.search(asked):
        return list(ranked)
    lowered = [
        replace(each, score=each.score * (1 - SECOND_HAND), why={**each.why, "second hand": -each.score * SECOND_HAND})
        if each.role == "assistant" and not each.speaker
        else each
        for each in ranked
    ]
    return sorted(lowered, key=lambda each: each.score, reverse=True)


def worth(ranked: Sequence[Recollection], asked: str) -> list[Recollection]:
    """Return the memories, best first, without those too weak to help."""
    if not ranked:
        return []
    floor = max(FLOOR[language(asked)], SHARE * ranked[0].score)
    return [each for each in ranked if each.score >= floor]


def different(ranked: Sequence[Recollection], asked: str, most: int) -> list[Recollection]:
    """Return the best memories, without those that say hardly more than the better ones and the question do."""
    known = set(words(asked))
    kept: list[Recollection] = []
    for each in ranked:
        said = set(words(each.text))
        if not kept or len(said - known) > REPEATED * len(said):
            kept.append(each)
            known |= said
        if len(kept) == most:
            break
    return kept


def sure(best: float, asked: str) -> bool:
    """Tell whether a best score means that memory is clearly about the question."""
    return best >= SURE[language(asked)]
