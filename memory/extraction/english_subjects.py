"""Whom an English clause is about."""

import re
from collections.abc import Iterator

from hippograph.memory.extraction.words import either, listed

_KIN = either("relations", "pets")
_ADJECTIVE = (
    r"(?:older|younger|elder|eldest|oldest|youngest|little|big|twin|best|late|new|old|current|former|other|"
    r"half|first|second|close|good|dear|own)"
)
_NAME = r"[A-Z][\w-]*[a-z0-9][\w-]*(?:\s+(?:(?:van|von|de|da|al|bin|del|la)\s+)?[A-Z][\w-]+){0,2}"
_PROPERTY = r"(?:[\w&/.+-]+\s+){0,4}?[\w&/.+-]+"
_OF = (
    r"'s(?=\s+(?:(?!(?:and|but|who|that|which|because|so|when|if|where|an?|the|not|always|in|on|at)\b)[\w&/.+-]+\s+){1,4}?"
    r"(?:is|are|was|were|will\s+be|has\s+been)\b)"
)
"""The 's of "our project's next milestone is …", which is no "is"."""
_COPULA = (
    rf"(?=\s*(?:(?!{_OF})'s|is|are|was|were|isn't|aren't|will be|has been|have been|has changed|changed|moved|"
    r"got moved|has moved|became|comes to|costs?|runs?|uses?(?!\s+(?:is|are)\b)|expires?|listens?|"
    r"leaves?|departs?|renamed|postponed|rescheduled|delayed|got (?:pushed|postponed|delayed|changed)|"
    r"(?:has|have)(?=\s+(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)\b)|"
    r"starts?|begins?|ends?|shifted|slipped|increased|decreased|went up|went down|dropped|rose|=|:)(?:\s|$))"
)
_SELF = re.compile(r"(?:(?:[Mm]y (?:\w+ ){1,2}and )?(?:I|i)|we|We|WE)(?=[\s']|$)")
_RELATION = re.compile(
    rf"(?:my|our)\s+(?P<adjective>(?:{_ADJECTIVE}\s+)*)(?P<relation>{_KIN})\b(?:(?:'s)?\s+(?P<named>called|"
    rf"named|name is)\s+|\s*,?\s+)?"
    rf"(?P<name>(?-i:{_NAME}))?,?(?P<property>'s\s+(?!{_KIN}\b){_PROPERTY}{_COPULA})?",
    re.IGNORECASE,
)
_OWN = re.compile(rf"(?:my|our)\s+(?P<property>(?:{_PROPERTY}{_OF}\s+)?{_PROPERTY}){_COPULA}", re.IGNORECASE)
_THEIRS = re.compile(rf"(?P<name>(?-i:{_NAME}))'s\s+(?P<property>{_PROPERTY}){_COPULA}", re.IGNORECASE)
_THE = re.compile(
    rf"the\s+(?:new\s+|current\s+)?(?P<property>{_PROPERTY})(?:\s+(?:of|for|on)\s+(?:the\s+|our\s+|"
    rf"my\s+)?(?P<name>{_PROPERTY}))?{_COPULA}",
    re.IGNORECASE,
)
_PRICED = re.compile(rf"(?:an?|one)\s+(?P<property>{_PROPERTY})(?=\s*costs?\s+[$€£¥]?\d)", re.IGNORECASE)
_NAMED = re.compile(rf"(?P<name>{_NAME}|[A-Z])(?=\s)")
_PRONOUN = re.compile(r"(?:he|she)(?=[\s'])", re.IGNORECASE)


def subjects(
    text: str, me: str, shown: str, last: tuple[str, str] | None, elided: bool
) -> Iterator[tuple[str, tuple[str, str] | None, str, str, int]]:
    """Yield (subject, relation and name, property, how it is shown, where it ends)."""
    if found := _SELF.match(text):
        yield me, None, "", shown, found.end()
        return
    if found := _RELATION.match(text):
        yield from _relation(found, text, me, shown)
    if found := _OWN.match(text):
        prop = found["property"]
        yield me, None, prop, f"{shown}'s {prop}", found.end()
        return
    if (found := _THEIRS.match(text)) and found["name"].split()[0].lower() not in listed("notnames"):
        yield found["name"], None, found["property"], found[0], found.end()
    if found := _PRICED.match(text):
        yield me, None, found["property"], found[0][0].upper() + found[0][1:], found.end()
    if found := _THE.match(text):
        of = found["name"]
        yield of or me, None, found["property"], found[0][0].upper() + found[0][1:], found.end()
    if (found := _NAMED.match(text)) and found["name"].split()[0].lower() not in listed("notnames"):
        yield found["name"], None, "", found["name"], found.end()
    if last and last[0] != me and (found := _PRONOUN.match(text)):
        yield last[0], None, "", last[1], found.end()
    elif last and elided and re.match(r"[a-z']", text):
        yield last[0], None, "", last[1], 0


def _relation(
    found: re.Match[str], text: str, me: str, shown: str
) -> Iterator[tuple[str, tuple[str, str] | None, str, str, int]]:
    relation, name, prop = found["relation"].lower(), found["name"], found["property"]
    kept = " ".join(
        word
        for word in found["adjective"].lower().split()
        if word not in ("current", "own", "dear", "good", "late", "new", "old")
    )
    kin = f"{kept} {relation}".strip()
    whose = f"{me}'s {kin}"
    if name and name.split()[0].lower() in listed("notnames"):
        name = None
    if found["name"] and not name:
        return
    seen = f"{shown}'s {kin}" + (f" {name}" if name else "")
    if prop:
        prop = prop[2:].strip()
        yield name or whose, (relation, name) if name else None, prop, f"{seen}'s {prop}", found.end()
    else:
        yield name or whose, (relation, name) if name else None, "", seen, found.end()
