"""How memories fade: exponentially, slower the more lasting their kind is and the more they are used.

freshness = 0.5 ** (age / half-life), with the age counted from when a memory was said or last used, and the half-life
longer by REINFORCED for each doubling of its uses. A rate per hour, as often published (0.9 ** hours: 8 % after a day),
would forget last week; half-lives here are of weeks to years. It only ever reorders near-ties: see `weights`.
"""

import math
from datetime import datetime

from hippograph.state import Recollection

HALF_LIFE_DAYS = {
    "turn": 90.0,
    "media": 90.0,
    "summary": 180.0,
    "event": 365.0,
    "fact": 365.0,
    "document": 730.0,
    "item": 730.0,
    "preference": 730.0,
    "procedure": 730.0,
    "profile": 1825.0,
}
"""Age in days at which a memory of a kind is half as fresh: what was said fades before what is known of a person."""
REINFORCED = 0.5
"""By how much of itself the half-life grows each time the uses double."""


def freshness(memory: Recollection, now: datetime) -> float:
    """Return how fresh a memory is at a time, in [0, 1]; 1 for what was said or used just then, or later."""
    since = max(memory.said_at, memory.used_at or memory.said_at)
    days = max(0.0, (now - since).total_seconds() / 86_400)
    return float(0.5 ** (days / half_life(memory.kind, memory.uses)))


def half_life(kind: str, uses: int) -> float:
    """Return the days in which a memory of a kind that was used so often fades by half."""
    return HALF_LIFE_DAYS[kind] * (1 + REINFORCED * math.log2(1 + uses))
