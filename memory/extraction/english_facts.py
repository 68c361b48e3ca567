"""What an English clause tells, by the rules and by what they do not cover."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from hippograph.memory.extraction import values
from hippograph.memory.extraction.attributes import OPINION, PROFILE, thing
from hippograph.memory.extraction.english import Head, heads
from hippograph.memory.extraction.english_changing import plainly, without_now
from hippograph.memory.extraction.english_happenings import event, plan
from hippograph.memory.extraction.english_naming import introduced, named_outright, relative
from hippograph.memory.extraction.english_open import property_of
from hippograph.memory.extraction.english_wording import sentence
from hippograph.memory.extraction.found import Found, Rule, rules
from hippograph.memory.extraction.kinship import kin
from hippograph.memory.extraction.words import is_past, third_person

_STATE = frozenset("residence address employer occupation diet study school".split()) | {"marital status"}
_BORN = frozenset(("birthday", "origin", "condition {v}", "employer"))
_TIMES = frozenset(("birthday", "wake-up time", "bedtime"))
_DOSE = re.compile(r"^.*?\b\d+\s*mg(?:\s+of)?\s+|\s+\d+\s*mg\b.*$", re.IGNORECASE)
_PURPOSE = re.compile(r"\s+(?:for|to|as|on|in)\s.*$", re.IGNORECASE)
_FEW = frozenset("one two three four five six seven eight nine".split())
_SOME = re.compile(r"(?:an?|the)\s+\w")


def read(
    text: str, me: str, last: tuple[str, str] | None, *, elided: bool = False
) -> tuple[list[Found], tuple[str, str] | None]:
    """Return what a clause tells, and whom the next may mean by "she".

    Args:
        text: The clause, as `plain` has it.
        me: Subject of the one who speaks.
        last: Of the clause before: its subject, and how it is shown.
        elided: Whether the subject may be left out.
    """
    text = plainly(text.strip())
    if special := named_outright(text, me):
        return [special], last
    for head in heads(text, me, last, elided=elided):
        found = [*relative(head, me), *_told(head)]
        if found:
            confidence = 0.7 if head.hedged else 0.9
            return [replace(each, confidence=confidence) for each in found], (
                head.subject,
                head.shown,
            ) if not head.property else last
    return [], next(
        ((head.subject, head.shown) for head in heads(text, me, None, elided=False) if not head.property), last
    )


def _told(head: Head) -> list[Found]:
    if not head.rest or re.match(r"(?:and|or|,)\b", head.rest):
        return []
    if head.property:
        return [each for each in [property_of(head)] if each]
    said = without_now(head.rest)
    for rule in _fitting(*("be" in head.marks, "can" in head.marks, bool(head.marks & {"not", "used"}))):
        if (matched := rule.pattern.match(said)) and (found := _ruled(head, rule, matched)):
            return found
    return [each for each in [introduced(head) or plan(head) or event(head)] if each]


@cache
def _fitting(be: bool, can: bool, denied: bool) -> Sequence[Rule]:
    """Return the rules that a head's auxiliaries allow."""
    allowed = {"any": True, "be": be, "can": can, "verb": not be and not can, "denied": denied}
    return [rule for rule in rules("en") if allowed[rule.needs]]


def _ruled(head: Head, rule: Rule, matched: re.Match[str]) -> list[Found] | None:
    groups = matched.groupdict()
    if "future" in head.marks:
        return None
    over = _over(head, rule, matched)
    if over is None:
        return None
    raw = groups.get("v") or groups.get("w") or rule.value
    value = raw.strip(" .,!") if rule.attribute in _TIMES else values.trimmed(raw) or raw.strip()
    parts = values.items(value) if rule.many else [value]
    found = [each for part in parts if (each := _one(head, rule, matched, part, over, len(parts) > 1))]
    for name in ("w", "w2", "w3", "w4"):
        if found and groups.get(name) and groups.get("v"):
            found += _besides(head, rule, values.trimmed(groups[name] or ""))
    return found


def _over(head: Head, rule: Rule, matched: re.Match[str]) -> bool | None:
    """Return whether it is denied or over; None where it says nothing of now."""
    denied = "not" in head.marks
    if rule.ends:
        return None if denied else True
    if "used" in head.marks:
        return True
    past = "past" in head.marks or (is_past(matched[0].split()[0].lower()) and not head.marks & {"perfect", "be"})
    if (
        past
        and not denied
        and rule.attribute in _STATE
        and not re.match(
            r"(?:moved|relocated|emigrated|immigrated|settled|joined|started|got|graduated|promoted|became|begun)",
            matched[0],
            re.IGNORECASE,
        )
    ):
        return None if "be" in head.marks and matched[0].startswith("hired") else True
    if "be" in head.marks and past and rule.attribute not in _BORN and not matched[0].startswith("promoted"):
        return None
    return denied


def _one(head: Head, rule: Rule, matched: re.Match[str], value: str, over: bool, listed_: bool) -> Found | None:
    about = values.liked(value) if rule.attribute.startswith(OPINION) else value
    if not values.says_something(about) or (rule.proper and not values.is_proper(value) and not _SOME.match(value)):
        return None
    if rule.attribute == "age" and head.first and value.lower() in _FEW:
        return None  # "we're five" counts heads
    if rule.attribute == "residence" and (
        (value[0].islower() and values.is_transient(value))
        or (re.match(r"an?\s", value) and not values.is_proper(value))
    ):
        return None
    rest = head.rest
    if listed_:
        rest = rest[: matched.start("v")] + value
    key, negated, told = _key(rule, matched, about), over, rule.value or value
    if rule.attribute == "uses {v}":
        told = _PURPOSE.sub("", value)
    if rule.opposite and "used" not in head.marks:
        negated, told = False, rule.opposite if over else rule.value
    if rule.attribute == "name" and "'s " in head.subject:
        relation = head.subject.rpartition("'s ")[2]
        owner, _, _ = head.subject.rpartition("'s ")
        return Found(
            subject=owner,
            attribute=kin(relation, value),
            value=value,
            text=sentence(head, rest),
            kind="profile",
            importance=0.7,
        )
    return Found(
        subject=head.subject,
        attribute=key,
        value=told,
        text=sentence(head, rest),
        negated=negated,
        kind="profile" if rule.kind == "fact" and key in PROFILE else rule.kind,
        importance=rule.importance,
        future=rule.attribute.startswith("plan"),
    )


def _key(rule: Rule, matched: re.Match[str], value: str) -> str:
    groups = matched.groupdict()
    k = (groups.get("k") or "").lower()
    if rule.attribute == "kin {k}":
        return kin(k, value)
    if rule.attribute == "number of {k}":
        return (
            f"number of {k.removesuffix('s')}s"
            if k not in ("people", "staff") and k not in ("children", "kids")
            else "number of children"
        )
    if rule.attribute == "uses {v}":
        return _uses(value)
    if rule.attribute == "medication {v}":
        return "medication " + (thing(_DOSE.sub("", value)) or thing(value))
    if rule.attribute == "routine {r}":
        return "routine " + thing(matched[0][: matched.start("v")])
    return rule.attribute.format(v=thing(value), k=third_person(k) if k else k)


def _besides(head: Head, rule: Rule, value: str) -> list[Found]:
    """Return what a second group tells: the employer beside an occupation, the tool that was left."""
    if not values.says_something(value):
        return []
    if rule.attribute == "uses {v}":
        return [
            Found(
                subject=head.subject, attribute=_uses(value), value=value, text=sentence(head, head.rest), negated=True
            )
        ]
    if rule.also:
        return [
            Found(
                subject=head.subject,
                attribute=rule.also,
                value=value,
                text=sentence(head, head.rest),
                kind="profile",
                importance=rule.importance,
            )
        ]
    return []


def _uses(value: str) -> str:
    tool = _PURPOSE.sub("", value)
    return "uses " + thing(re.sub(r"\s*v?\d[\d.]*\b.*$", "", tool) or tool)
