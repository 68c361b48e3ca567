"""Open properties in English: "my X is Y", "the X moved to Y"."""

import re

from hippograph.memory.extraction import values
from hippograph.memory.extraction.attributes import FAVOURITE, PROFILE, canonical, thing
from hippograph.memory.extraction.english import Head
from hippograph.memory.extraction.english_changing import bare_property, without_now
from hippograph.memory.extraction.english_wording import sentence
from hippograph.memory.extraction.found import Found
from hippograph.memory.extraction.words import listed
from hippograph.state import Kind

_MOVED = re.compile(
    r"(?:(?:been\s+|got\s+)?(?:moved|changed|shifted|slipped|pushed|postponed|delayed|rescheduled|"
    r"brought forward|increased|decreased|raised|cut|reduced|dropped|rose|went up|went down|extended|updated|"
    r"renamed|bumped|set|fixed))\s+"
    r"(?:back\s+|up\s+|out\s+|down\s+|forward\s+)*(?:from\s+.{1,40}?\s+)?(?:to|until|at|for)\s+(?P<v>.+)",
    re.IGNORECASE,
)
_PHASE = re.compile(
    r"(?P<p>expires?|starts?|begins?|ends?|opens?|closes?|costs?|due|comes to|leaves?|departs?)\s+(?P<v>.+)",
    re.IGNORECASE,
)
_ON = re.compile(
    r"(?:scheduled\s+(?:for|on)|set\s+for|planned\s+for|due|on|at|from|in|next|this|tomorrow|today|tonight|by)\b",
    re.IGNORECASE,
)


TIME = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today|tonight|yesterday|noon|midnight|january|"
    r"february|march|april|june|july|august|"
    r"september|october|november|december|(?:next|this|last) (?:week|month|year|weekend|spring|summer|autumn|"
    r"fall|winter)|in (?:\d+|a|an|one|two|three|four|five|six) (?:hours?|days?|weeks?|months?|years?)|"
    r"ago|easter|christmas|\d{1,2}(?:st|nd|rd|th)\b|\d{1,2}\s?[ap]m|\d{1,2}:\d\d|\d{4}-\d\d-\d\d|"
    r"\d{1,2}/\d{1,2})|\bMay\b|\bin (?:19|20)\d\d\b",
    re.IGNORECASE,
)
_VAGUE = frozenset(
    "question problem point guess understanding bad mistake opinion idea day week weekend morning evening night life "
    "head mind heart time god way fault turn thing thought thoughts favourite answer advice concern issue apologies "
    "pleasure pick choice bet weather first second last next biggest main only best worst reason truth trouble result "
    "difference whole hope feeling impression experience back stomach throat luck memory".split()
)
_CLOCK = re.compile(
    r"(?:at\s+|by\s+|around\s+|from\s+)?(?:noon|midnight|(?:half|quarter) (?:past|to) \w+|"
    r"(?:[01]?\d|2[0-3])(?:[:.]\d\d)?"
    r"\s*(?:[ap]\.?m\.?|o'clock)?(?:\s+(?:sharp|in the (?:morning|afternoon|evening)))?)$",
    re.IGNORECASE,
)
_PORT = re.compile(r"(?:(?:listens?|runs?|is)\s+)*on\s+port\s+(?P<v>\d+)", re.IGNORECASE)
_COUNT = re.compile(
    r"(?:has|have)\s+(?P<v>(?:\d[\d,]*|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)\s+(?P<n>[\w-]+))$",
    re.IGNORECASE,
)
_CALLED = re.compile(r"(?:called|named|known as)\s+(?P<v>.+)", re.IGNORECASE)
_RUNS = re.compile(r"(?:runs?\s+(?:on|in|with)|uses?|(?:is\s+)?written\s+in)\s+(?P<v>.+)", re.IGNORECASE)
_COLOUR = re.compile(
    r"(?:(?:light|dark|bright|pale|deep|navy|metallic|matte?)\s+)*(?:red|orange|yellow|green|blue|purple|violet|pink|black|"
    r"white|gr[ae]y|brown|silver|gold(?:en)?|beige|turquoise|blond|navy|maroon)",
    re.IGNORECASE,
)
_HOMES = frozenset("home house flat apartment place condo".split())
_CERTAIN = frozenset(
    (
        "address",
        "deadline",
        "password",
        "budget",
        "wifi password",
        "email",
        "phone",
        "rent",
        "version",
        "port",
        "licence plate",
    )
)


def property_of(head: Head) -> Found | None:
    """Read "my X is Y", and "the X moved to Y"."""
    prop, rest = bare_property(head.property.strip()), without_now(head.rest.lstrip(":= "))
    key = canonical(prop)
    words = prop.lower().split()
    if words[-1] in _VAGUE or (words[-1] in listed("transient")) or words[0] in ("only", "biggest", "main", "whole"):
        return None
    if words[-1] in _HOMES and (at := re.match(r"(?:at|on|in|near)\s+(?P<v>.+)", rest)):
        key = "address" if re.search(r"\d", at["v"]) else "residence"
        return _valued(head, key, at["v"], known=True, strict=False)
    known = key in _CERTAIN or TIME.search(rest) is not None
    strict = head.shown.startswith("The ") and not head.shown.startswith("The user")
    told = _counted(prop, rest) or _changed(head, prop, rest, key) or _predicated(head, prop, rest, key)
    if told is None:
        return None
    key, value, certain = told
    return _valued(head, key, value, known=known or certain, strict=strict)


def _counted(prop: str, rest: str) -> tuple[str, str, bool] | None:
    """Read "on port 80", "has 12 people", "is called Bob": the key, the value, and whether it needs no name in it."""
    if at := _PORT.match(rest):
        return f"port of {thing(prop)}", at["v"], True
    if at := _COUNT.match(rest):
        return f"number of {at['n'].lower()} of {thing(prop)}", at["v"], True
    if (called := _CALLED.match(rest)) and values.is_proper(called["v"]):
        return f"name of {thing(prop)}", called["v"], True
    return None


def _changed(head: Head, prop: str, rest: str, key: str) -> tuple[str, str, bool] | None:
    """Read "moved to Friday", "renamed to Eagle"; as `_counted`."""
    changed = _MOVED.match(rest)
    if not changed or "future" in head.marks:
        return None
    if changed[0].lower().startswith("renamed"):
        return f"name of {thing(prop)}", changed["v"], True
    if TIME.search(changed["v"]) and key not in ("deadline", "birthday", "date"):
        key = _timed(prop, changed["v"])
    return key, changed["v"], False


def _predicated(head: Head, prop: str, rest: str, key: str) -> tuple[str, str, bool] | None:
    """Read "costs 3 euros", "runs on Linux", "is at 9"; as `_counted`."""
    strict = head.shown.startswith("The ") and not head.shown.startswith("The user")
    if (phase := _PHASE.match(rest)) and "be" not in head.marks:
        costs = phase["p"].lower() in ("cost", "costs", "comes to")
        return (
            f"price of {thing(prop)}" if costs else f"{prop.lower()} {phase['p'].lower().removesuffix('s')}",
            phase["v"],
            False,
        )
    if (running := _RUNS.match(rest)) and values.is_proper(running["v"]) and not strict:
        tool = values.trimmed(running["v"])
        return "uses " + thing(re.sub(r"\s*v?\d[\d.]*\b.*$", "", tool) or tool), running["v"], True
    if "be" not in head.marks and head.rest[:1] not in (":", "="):
        return None
    if _ON.match(rest) and TIME.search(rest) and key not in ("deadline", "birthday"):
        return _timed(prop, rest), rest, False
    if rest.lower().startswith("at ") and _CLOCK.match(rest) and key not in ("deadline", "age"):
        return _timed(prop, rest), rest, True
    if _COLOUR.fullmatch(values.trimmed(rest)) and not re.search(r"favou?rite|colou?r|name|password", key):
        return f"colour of {thing(prop)}", rest, False
    return (key, rest, False) if not _CALLED.match(rest) else None


def _timed(prop: str, said: str) -> str:
    """Return the key of when something is: its hour and its day are two things."""
    return f"{'time' if _CLOCK.match(said) else 'date'} of {thing(prop)}"


def _valued(head: Head, key: str, value: str, *, known: bool, strict: bool) -> Found | None:
    timed = (
        key.startswith(("date of", "time of"))
        or TIME.search(value) is not None
        or key in ("deadline", "birthday", "date")
    )
    value = (
        re.sub(
            r"^(?:scheduled\s+(?:for|on)|set\s+for|planned\s+for|due|on|at|in(?=\s+(?:19|20)?\d\d|\s+[A-Z]))\s+",
            "",
            value.strip(),
            flags=re.IGNORECASE,
        )
        if timed
        else value.strip()
    )
    value = value.strip(" .,!\"'") if timed else values.trimmed(value)
    if not values.says_something(value) or ("past" in head.marks and not _MOVED.match(head.rest)):
        return None
    if not timed and values.is_transient(value) and not (key.startswith(FAVOURITE) and "ing" in value):
        return None
    if strict and not (known or values.is_proper(value)):
        return None
    kind: Kind = "preference" if key.startswith(FAVOURITE) else "profile" if key in PROFILE else "fact"
    return Found(
        subject=head.subject,
        attribute=key,
        value=value,
        text=sentence(head, head.rest),
        negated="not" in head.marks,
        kind=kind,
        importance=0.9 if key == "name" else 0.8 if key in ("address", "birthday", "deadline") else 0.6,
        future=timed and key != "birthday",
    )
