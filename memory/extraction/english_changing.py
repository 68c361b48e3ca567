"""What English clauses wrap around a statement: a doctor who says it, who changed it, a word that it is so now.

Each is taken off or put plainly, so that one grammar reads them all.
"""

import re

_EXPERT = (
    r"(?:the|my|our|an?|his|her)\s+(?:new\s+)?(?:doctor|doc|gp|allergist|dentist|specialist|dermatologist|"
    r"cardiologist|neurologist|optician|vet|nurse|(?:blood |allergy |skin )?tests?(?: results?)?|biopsy|scan)"
)
_TOLD = re.compile(
    rf"(?:{_EXPERT}\s+(?:just\s+|now\s+|finally\s+|also\s+)?(?:says?|said|tells? me|told me|"
    r"confirm(?:s|ed)|found(?: out)?|show(?:s|ed)?|reveal(?:s|ed)|came back(?: and|:)?)(?:\s+that)?|"
    r"(?:and\s+|so\s+|but\s+)?(?:it\s+|as\s+it\s+)?"
    r"turn(?:s|ed)\s+out(?:\s+that)?|it's official)[\s,:]+(?=(?:i|i'm|i've|my|we|we're)\b)",
    re.IGNORECASE,
)
"""What an expert finds out about the speaker is the speaker's own to tell."""
_VERBS = (
    r"(?:moved|changed|shifted|pushed|postponed|delayed|rescheduled|brought|raised|increased|upped|cut|reduced|lowered|"
    r"dropped|extended|updated|renamed|bumped|switched|put|reset|rebranded|decreased|set)"
)
_CHANGED = re.compile(
    rf"(?:i|we|they|(?:the|my|our)\s+\w+)(?:'ve|'s|\s+have|\s+has|\s+had)?\s+(?:(?:just|also|now|finally|recently|since|"
    rf"officially|decided\s+to)\s+)*(?P<verb>{_VERBS})\s+(?P<p>(?P<whose>my|our|the)\s+(?:[\w-]+\s+){{0,3}}?[\w-]+)\s+"
    r"(?:(?:back|up|forward|out|down|over)\s+)*(?:from\s+(?P<old>.{1,40}?)\s+)?(?:to|until|till|as)\s+(?P<v>.+)",
    re.IGNORECASE,
)
_TIMELY = re.compile(r"\d|day\b|week|month|tomorrow|noon|midnight|morning|afternoon|evening|year", re.IGNORECASE)
_NEW_NAME = re.compile(
    r"(?:i|we|they)(?:'ve|\s+have)?\s+(?:just\s+)?(?:renamed|rebranded)\s+(?P<p>(?:my|our|the)\s+(?:[\w-]+\s+){0,3}?"
    r"[\w-]+)(?<! to)\s+(?P<v>(?-i:[A-Z])\S*)$",
    re.IGNORECASE,
)
_NOW = re.compile(
    r"(?:\s*,?\s*\b(?:now|these days|nowadays|any ?more|any longer|at the moment|right now|at present|currently|"
    r"as of (?:today|now|this \w+)|from now on|for now|again|after all|instead|already|though|lately|since then|today|"
    r"for good|thank(?:s| you)|actually|too|as well|by the way|btw|at all)\b)+[\s.!,]*$",
    re.IGNORECASE,
)
_NOW_TOO = re.compile(
    r"\s+(?:these days|nowadays|now|currently|at the moment|right now|lately|at present|"
    r"(?:that\s+)?(?:we|i)(?:'re|'m)?\s+(?:are\s+|am\s+)?(?:now\s+|currently\s+)?(?:use|using|run|running|have|on|drive|"
    r"play|like|want))$",
    re.IGNORECASE,
)


def plainly(text: str) -> str:
    """Return a clause without who found it out, and with what was changed as its subject.

    "Turns out I'm not allergic" gives "I'm not allergic", "they moved the deadline to Monday" "the deadline moved to
    Monday".
    """
    text = _TOLD.sub("", text, count=1) if _TOLD.match(text) else text
    if found := _NEW_NAME.match(text):
        return f"{found['p']} renamed to {found['v']}"
    if (found := _CHANGED.match(text)) and (
        found["verb"].lower() not in ("moved", "put", "brought", "pushed", "set", "dropped", "cut")
        or _TIMELY.search(found["v"])
    ):
        old = f"from {found['old']} " if found["old"] else ""
        verb = "renamed" if found["verb"].lower() in ("renamed", "rebranded") else "changed"
        return f"{found['p']} {verb} {old}to {found['v']}"
    return text


def is_found_out(text: str) -> bool:
    """Whether a sentence is what an expert, or the course of things, tells the speaker about himself."""
    return _TOLD.match(text) is not None


def without_now(rest: str) -> str:
    """Return a predicate without the words at its end that only say that it is so now, or no more."""
    return _NOW.sub("", rest)


def bare_property(prop: str) -> str:
    """Return what a property is called, without "these days" and "we use"."""
    return _NOW_TOO.sub("", prop)
