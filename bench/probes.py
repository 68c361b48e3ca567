"""Queries for made-up conversations, of kinds that cost recall different work."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, get_args

from langchain_core.messages import AIMessage, HumanMessage

from hippograph.bench.turns import CHATTER, PER_THREAD, REPLIES, START, Planted
from hippograph.nodes.queries import queries

Kind = Literal["planted fact", "rare word", "common words", "time window", "follow-up"]
KINDS: tuple[Kind, ...] = get_args(Kind)
LANGUAGES = ("en", "zh")
ROUND = len(KINDS) * len(LANGUAGES)
"""Queries after which every kind had its turn in either language."""
WINDOWS = {
    "en": [
        "What did we talk about last week?",
        "Which floor's coffee machine was broken yesterday?",
        "How many tickets did we close last month?",
        "What time was the review moved to three weeks ago?",
        "How many pages did I read between January 6 and January 20?",
        "What did I say about the build in the last three days?",
    ],
    "zh": [
        "上周我们聊了什么？",
        "昨天几楼的咖啡机坏了？",
        "上个月我们关掉了几个工单？",
        "三周前评审改到了几点？",
        "1月6日到1月20日我读了多少页报告？",
        "最近三天我说构建怎么了？",
    ],
}
FOLLOW_UPS = {"en": "And when was that?", "zh": "那是什么时候的事？"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """One query."""

    kind: Kind
    language: str
    text: str
    asked_at: datetime


def probes(facts: Sequence[Planted], turns: int, number: int) -> list[Probe]:
    """Return `number` queries, kinds and languages in turn.

    Args:
        facts: What was told in the conversations; some in each language.
        turns: How many messages the conversations have: where questions are asked from in time.
        number: How many.
    """
    told = {language: [fact for fact in facts if fact.language == language] for language in LANGUAGES}
    made = []
    for place in range(number):
        kind, language = KINDS[place % len(KINDS)], LANGUAGES[place // len(KINDS) % len(LANGUAGES)]
        turn, turns_of_it = place // ROUND, -(-number // ROUND)
        mine = told[language]
        # Each kind asks about other facts, so that none finds what another has just fetched.
        fact = mine[(turn * len(mine) // turns_of_it + KINDS.index(kind)) % len(mine)]
        # The later half of the time: far enough in for "last month", not always the newest turns.
        share = 1 - turn / (2 * turns_of_it) if kind == "time window" else 1
        asked_at = START + timedelta(hours=13 * turns / PER_THREAD * share)
        made.append(Probe(kind=kind, language=language, text=_text(kind, fact, turn), asked_at=asked_at))
    return made


def _text(kind: Kind, fact: Planted, turn: int) -> str:
    language = fact.language
    if kind == "rare word":
        return fact.answer
    if kind == "common words":
        chatter, replies = CHATTER[language], REPLIES[language]
        return f"{chatter[turn % len(chatter)].format(x='')} {replies[turn // len(chatter) % len(replies)]}"
    if kind == "time window":
        return WINDOWS[language][turn % len(WINDOWS[language])]
    return _followed(fact) if kind == "follow-up" else fact.question


def _followed(fact: Planted) -> str:
    """Return what a turn that follows a question and its answer searches for."""
    now = FOLLOW_UPS[fact.language]
    return queries(now, [HumanMessage(fact.question), AIMessage(fact.answer), HumanMessage(now)])[-1]
