"""Whether what is said later takes the place of what was said before. Pure: two claims in, a verdict out.

Only what is about one subject and one attribute is compared; all else stays beside each other.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any, Literal

from hippograph.memory.extraction.attributes import DISLIKES, LIKES, OPINION, canonical, single
from hippograph.memory.life.digest import digest, matter, plain
from hippograph.memory.life.values import LONG, Likeness, Value, is_misspelt, likeness, shares, value

Relation = Literal["duplicate", "refines", "supersedes", "distinct"]
"""What a later claim is to an earlier one; `refines` says the same, and more exactly."""

_LITERAL = re.compile(
    r"\b(?:version|password|passcode|pin|code|plate|email|port|account|url|ip)\b|版本|密码|车牌|工号|编号|邮箱|账号|端口"
)
"""Attributes whose values are compared letter by letter."""
_NAMES = re.compile(r"\b(?:name|spouse|wife|husband|girlfriend|boyfriend|mother|father|boss)\b|名|" + _LITERAL.pattern)
"""Attributes in whose values one letter makes another one."""
_PROPER = re.compile(rf"\b(?=[A-ZÀ-ÖØ-Þ])\w{{{LONG},}}")
"""A long word with a capital: a name."""

_MORE = r"(?:really |absolutely |quite )?"
_LIKES = re.compile(
    rf"^(?:{_MORE}(?:likes?|loves?|adores?|enjoys?|prefers?|is (?:a fan of|fond of|keen on|into)|fan)\b"
    r"|喜欢|喜爱|爱|热爱)"
)
_DISLIKES = re.compile(
    rf"^(?:{_MORE}(?:dislikes?|hates?|loathes?|detests?|can(?:'t|not) stand|is sick of|avoids?)\b"
    r"|讨厌|不喜欢|不爱|受不了|反感)"
)
_EATS = re.compile(
    r"\b(?:vegetarian|vegan|pescatarian|flexitarian|omnivore|meat[- ]eater|carnivore|keto|paleo)\b|素|荤|生酮|什么都吃"
)
"""Ways of eating, of which one has a single one; what one must not eat besides stands beside it."""
_NOTHING = re.compile(r"^(?:none|nothing|no ?(?:one|body)|any(?:thing|one)?|不|没有?|无)?$")
_MOVED = re.compile(
    r"\b(?:moved|rescheduled|postponed|pushed|brought forward|instead|changed|delayed|cancel?led|called off)\b|"
    r"\b(?:actually|correction|no longer|not (?:on|at))\b|"
    r"改到|改成|改为|改在|推迟|延期|延后|提前|取消|不是|更正|换到|挪到|顺延"
)


@dataclass(frozen=True, kw_only=True)
class Claim:
    """What a memory claims."""

    kind: str
    text: str
    subject: str
    attribute: str
    value: str
    negated: bool
    said_at: datetime
    valid_from: datetime
    valid_until: datetime | None = None

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "Claim":
        """Take from a ledger row what is compared."""
        return cls(
            kind=row["kind"],
            text=row["text"],
            subject=row.get("subject") or "",
            attribute=row.get("attribute") or "",
            value=row.get("value") or "",
            negated=bool(row.get("negated")),
            said_at=row["said_at"],
            valid_from=row["valid_from"],
            valid_until=row.get("valid_until"),
        )

    @cached_property
    def key(self) -> str:
        """Its attribute as it is known."""
        return canonical(self.attribute)

    @cached_property
    def matter(self) -> str | None:
        """Whom and what it is about; None where that is unknown."""
        return matter(self.subject, self.attribute)

    @property
    def is_past(self) -> bool:
        """Whether it was over when it was said."""
        return self.valid_until is not None and self.valid_until <= self.said_at

    @property
    def is_over(self) -> bool:
        """Whether it says that something is not so, or no longer."""
        return self.negated or self.is_past


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a later claim is to an earlier one, and why, in words that quote neither."""

    relation: Relation
    because: str
    certain: bool = True
    """False where the words alone do not tell a changed value from one put otherwise."""


def compare(old: Claim, new: Claim) -> Verdict:
    """Return what a claim is to one that was said before it."""
    if old.matter is None or new.matter is None or old.matter != new.matter:
        return _beside(old, new)
    if "event" in (old.kind, new.kind):
        return _events(old, new)
    like = _alike(old, new)
    agree = like in ("same", "finer", "coarser")
    if new.is_over:
        return _ending(old, new, agree)
    if old.is_over:
        return _after_an_end(old, new, agree)
    if old.valid_from > max(old.said_at, new.said_at, new.valid_from):
        return (
            Verdict("duplicate", _SAME[like]) if like == "same" else Verdict("distinct", "the earlier is yet to come")
        )
    if like != "same" and not (single(new.key) or all(_EATS.search(each.value.casefold()) for each in (old, new))):
        return Verdict("distinct", "there may be several")
    if agree:
        return Verdict("refines", "said more exactly") if like == "finer" else Verdict("duplicate", _SAME[like])
    return Verdict("supersedes", "the value changed", certain=not shares(*_values(old, new)))


_SAME: Mapping[Likeness, str] = {"same": "says the same", "coarser": "says the same, less exactly"}


def _beside(old: Claim, new: Claim) -> Verdict:
    """Compare claims that are not about one matter, or not known to be: the same words are the same claim."""
    known = old.matter is not None and new.matter is not None
    if "event" in (old.kind, new.kind) and old.valid_from.date() != new.valid_from.date():
        return Verdict("distinct", "another day")
    if not known and digest(old.text) == digest(new.text) and _fits(old, new):
        return Verdict("duplicate", "the same words")
    return Verdict("distinct", "about something else")


def _fits(old: Claim, new: Claim) -> bool:
    pairs = ((old.subject, new.subject), (old.key, new.key))
    return all(not one or not other or plain(one) == plain(other) for one, other in pairs)


def _ending(old: Claim, new: Claim, agree: bool) -> Verdict:
    """Compare with one that says that something is not so, or no longer."""
    if old.is_over:
        same = agree and (old.negated == new.negated or old.valid_until == new.valid_until)
        return Verdict("duplicate", "says the same") if same else Verdict("distinct", "both say that something is over")
    if agree or (new.negated and (_is_nothing(new.value) or new.key.startswith("routine "))):
        return Verdict("supersedes", "no longer so")
    return Verdict("distinct", "says of another value that it is over")


def _after_an_end(old: Claim, new: Claim, agree: bool) -> Verdict:
    """Compare a claim with an earlier one that says that something is not so, or no longer."""
    if not old.negated:
        return Verdict("distinct", "the earlier is of the past")
    if agree or _is_nothing(old.value) or new.key.startswith(OPINION):
        return Verdict("supersedes", "so after all")
    return Verdict("distinct", "says of another value that it is over")


def _events(old: Claim, new: Claim) -> Verdict:
    """Compare what happens once: it is never out of date, but may be told again, or be put on another day."""
    like = _alike(old, new)
    same_day = old.valid_from.date() == new.valid_from.date()
    if like in ("same", "coarser") and same_day and old.negated == new.negated:
        return Verdict("duplicate", _SAME[like])
    if like == "finer" and same_day and not new.negated:
        return Verdict("refines", "said more exactly")
    if (new.negated and like != "other") or (
        _MOVED.search(new.text.casefold()) and (like != "other" or _touches(old, new))
    ):
        return Verdict("supersedes", "the event was moved or called off")
    return Verdict("distinct", "another event")


def _touches(old: Claim, new: Claim) -> bool:
    return shares(*_values(old, new)) or shares(_value(old.text, False), _value(new.text, False))


def _alike(old: Claim, new: Claim) -> Likeness:
    if new.key.startswith(OPINION) and (feelings := (_feeling(old.value), _feeling(new.value))) and all(feelings):
        return "same" if feelings[0] == feelings[1] else "other"
    one, other = _values(old, new)
    like = likeness(one, other)
    if like != "other" or _NAMES.search(new.key):
        return like
    name = bool(_PROPER.search(_told(old)) or _PROPER.search(_told(new)))
    return "same" if is_misspelt(one, other, name=name) else like


def _told(claim: Claim) -> str:
    return claim.value or claim.text


def _feeling(said: str) -> str:
    low = said.strip().casefold()
    return DISLIKES if _DISLIKES.match(low) else LIKES if _LIKES.match(low) else ""


def _values(old: Claim, new: Claim) -> tuple[Value, Value]:
    """Return the values of both, or, where one has none, their texts."""
    literal = bool(_LITERAL.search(new.key))
    if old.value and new.value:
        return _value(old.value, literal), _value(new.value, literal)
    return _value(old.text, literal), _value(new.text, literal)


@lru_cache(maxsize=4096)
def _value(text: str, literal: bool) -> Value:
    return value(text, literal=literal)


def _is_nothing(said: str) -> bool:
    return bool(_NOTHING.match(said.strip().casefold()))
