"""What of an English predicate is the value, and whether it says enough to be kept."""

import re

from hippograph.memory.extraction.words import gerund, listed

_TAIL = re.compile(
    r"\s*,?\s*\b(?:because|since (?:i|we|it|my)|so that|but|although|though|when|whenever|while|which|who|"
    r"where|and (?:i|we|my|he|she|they|it|also|so|now|then)\b|and so on|"
    r"as well|too|either|right now|at the moment|any ?more|any longer|these days|nowadays|currently|"
    r"at present|now|already|again|btw|lol|haha\w*|actually|instead|for now|for good|thanks|thank you|"
    r"a lot|so much|very much|the most|most of all|more than anything|by the way|just so you know|fyi|in case|"
    r"please|for (?:work|school|college|an? (?:new )?job|my job|fun)|with an? (?:degree|major|master's|bachelor's|phd)|"
    r"for example|if|then|with (?:my|our|his|her) \w+|"
    r"for (?:\w+ )?(?:\w+ )?(?:years?|months?|weeks?|days?|a while|ages)|after all|as of|every|twice|once|not|"
    r"rather than|except)\b.*$",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"\s*,?\s*(?:\b(?:back|just|only|starting|since|until|till|by|from|in|on|at|around|early|late|during|this|"
    r"last|next|the)\s+){0,3}"
    r"(?:\b(?:yesterday|today|tomorrow|tonight|recently|lately|ago|week|weekend|month|year|summer|winter|"
    r"spring|autumn|fall|morning|evening|afternoon|noon|night|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|"
    r"october|november|december|(?:19|20)\d\d|"
    r"(?:\d{1,2}(?:st|nd|rd|th)?|a|an|one|two|three|four|five|six|several|a few|a couple of)(?=\s+(?:days?|"
    r"weeks?|months?|years?|of|january|february|march|april|may|june|july|august|september|october|november|"
    r"december)\b)|days?|weeks?|months?|years?)\b"
    r"(?:\s+(?:\d{1,2}(?:st|nd|rd|th)?\b,?|of\b))*)+$",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    r"(?:it|that|this|these|those|you|your\b.*|him|her|them|me|us|how|when|what|why|where|that\b.*|how\b.*|"
    r"what\b.*|when\b.*|where\b.*|it\b.*|this\b.*|"
    r"you\b.*|(?:to )?(?:see|hear|hearing|think|thinking|know|say|ask|be|being|have|having|do|doing|seeing|"
    r"help|thank|point|add)\b.*|the (?:way|idea|fact|look|sound|one|same|thought|most|best|first|point)\b.*|"
    r"here|there|ones?|(?:a )?living|"
    r"some|something|anything|everything|nothing|stuff|things?|all|both|so|a lot|lots|to|more|less|many|much|"
    r"most|fine|well|hard|home|work|the other\b.*|each other|like\b.*|(?:since|for|in|at|on|with|before|after|"
    r"during|until)\b.*|people|they\b.*|he\b.*|she\b.*|we\b.*|"
    r"i\b.*|"
    r"such\b.*|an? (?:bit|little|lot|mess|pain|joke|idiot|genius|question|problem|while|minute|second|moment|"
    r"chance|look)\b.*)",
    re.IGNORECASE,
)
_LIST = re.compile(r"\s*,\s*(?:and\s+|or\s+|but\s+)?|\s+(?:and|or|&)\s+(?:also\s+)?", re.IGNORECASE)
_PAIRS = re.compile(
    r"\b(?:rock and roll|mac(?:aroni)? and cheese|fish and chips|gin and tonic|black and white|"
    r"peanut butter and jelly|arts and crafts|bed and breakfast|"
    r"bread and butter|cookies and cream|(?:salt|sweet) and \w+|drum and bass|r & b|dungeons and dragons|"
    r"pride and prejudice|both .+ and|between .+ and|war and peace)\b",
    re.IGNORECASE,
)
_DOING = re.compile(
    r"(?:to\s+)?(?:eat(?:ing)?|drink(?:ing)?|watch(?:ing)?|listen(?:ing)? to|play(?:ing)?|read(?:ing)?|"
    r"hav(?:e|ing)|go(?:ing)? to|using|use|wear(?:ing)?|do(?:ing)?)\s+(?=\w)",
    re.IGNORECASE,
)
_SOME = re.compile(r"^(?:a (?:bit|little) (?:of )?|some |also |fluent |basic |sometimes |especially )", re.IGNORECASE)
_TITLE = re.compile(r"(?!I\b)[A-Z][\w'&.-]+(?:\s+(?:of|the|and)|\s+[A-Z0-9][\w'&.-]*)+")
"""A name of several words: "Big Thief"."""
LONGEST = 90
"""Characters of a value."""


def trimmed(text: str) -> str:
    """Return the value in what follows a verb: without reasons, times and fillers at its end."""
    text = _TAIL.sub("", text.strip())
    text = _WHEN.sub("", text)
    return text.strip(" ,.;:!?\"'~-")


def says_something(value: str) -> bool:
    """Whether a value can be understood without what stands around it."""
    return (
        bool(value) and len(value) <= LONGEST and not _EMPTY.fullmatch(value) and any(each.isalnum() for each in value)
    )


def items(value: str) -> list[str]:
    """Return the members of a list, "sushi, ramen and udon"; one that is no list is its own only member."""
    if _PAIRS.search(value):
        return [value]
    found = [_SOME.sub("", each.strip(" .")) for each in _LIST.split(value) if each.strip(" .")]
    return found if found and all(len(each.split()) <= 4 for each in found) else [value]


def liked(value: str) -> str:
    """Return the thing of an opinion: "eating sushi" is about sushi, "to hike" about hiking."""
    found = _DOING.match(value)
    bare = value[found.end() :] if found else value
    if found := re.match(r"to\s+(\w+)", bare, re.IGNORECASE):
        bare = gerund(found[1].lower()) + bare[found.end() :]
    return bare


def is_proper(value: str) -> bool:
    """Whether a value has a name or a figure in it."""
    return any(word[:1].isupper() or any(c.isdigit() for c in word) for word in value.split())


def is_transient(value: str) -> bool:
    """Whether a value is how things are just now: "great", "going well", "a bit late"."""
    if _TITLE.fullmatch(value):
        return False
    first = value.lower().split()[0] if value.split() else ""
    return (
        first in listed("transient")
        or (first.endswith(("ing", "in'", "n't")) and first not in ("king", "spring", "string", "boeing", "beijing"))
        or bool(
            re.match(
                r"(?:a (?:bit|little|lot)|so|such|too|very|really|quite|pretty|what|that|because|not|like|in|at|with|"
                r"about|to|the (?:reason|best|worst|one|same|only|most)|my|your|it|he|she|they|we|i)\b",
                value,
                re.IGNORECASE,
            )
        )
    )
