"""Open properties in English: "my X is Y", "the X moved to Y"."""

import re

from hippograph.memory.extraction import values
from hippograph.memory.extraction.attributes import FAVOURITE, PROFILE, canonical, thing
from hippograph.memory.extraction.english import Head
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
    r"(?P<p>expires?|starts?|begins?|ends?|opens?|closes?|costs?|due|comes to)\s+(?P<v>.+)", re.IGNORECASE
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
_RUNS = re.compile(r"(?:runs?\s+(?:on|in|with)|uses?|(?:is\s+)?written\s+in)\s+(?P<v>.+)", re.IGNORECASE)
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
    prop, rest = head.property.strip(), head.rest.lstrip(":= ")
    key = canonical(prop)
    words = prop.lower().split()
    if words[-1] in _VAGUE or (words[-1] in listed("transient")) or words[0] in ("only", "biggest", "main", "whole"):
        return None
    if words[-1] in _HOMES and (at := re.match(r"(?:at|on|in|near)\s+(?P<v>.+)", rest)):
        key = "address" if re.search(r"\d", at["v"]) else "residence"
        return _valued(head, key, at["v"], known=True, strict=False)
    known = key in _CERTAIN or TIME.search(rest) is not None
    strict = head.shown.startswith("The ") and not head.shown.startswith("The user")
    if (changed := _MOVED.match(rest)) and "future" not in head.marks:
        value = changed["v"]
    elif (phase := _PHASE.match(rest)) and "be" not in head.marks:
        value, key = phase["v"], f"{prop.lower()} {phase['p'].lower().removesuffix('s')}"
        key = f"price of {thing(prop)}" if phase["p"].lower() in ("cost", "costs", "comes to") else key
    elif (running := _RUNS.match(rest)) and values.is_proper(running["v"]) and not strict:
        value, known = running["v"], True
        key = "uses " + thing(re.sub(r"\s*v?\d[\d.]*\b.*$", "", values.trimmed(value)) or value)
    elif "be" in head.marks or head.rest[:1] in (":", "="):
        value = rest
        if _ON.match(rest) and TIME.search(rest) and key not in ("deadline", "birthday"):
            key = f"date of {thing(prop)}"
    else:
        return None
    return _valued(head, key, value, known=known, strict=strict)


def _valued(head: Head, key: str, value: str, *, known: bool, strict: bool) -> Found | None:
    timed = key.startswith("date of") or TIME.search(value) is not None or key in ("deadline", "birthday", "date")
    value = re.sub(
        r"^(?:scheduled\s+(?:for|on)|set\s+for|planned\s+for|due|on)\s+", "", value.strip(), flags=re.IGNORECASE
    )
    value = value.strip(" .,!\"'") if timed else values.trimmed(value)
    if not values.says_something(value) or "past" in head.marks:
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
