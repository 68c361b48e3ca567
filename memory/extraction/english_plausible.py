"""Whether what an English clause seems to tell can be so: a place to live in, a name, a number of years.

A value of the wrong sort would take the place of a true one, so in doubt nothing is read.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from hippograph.memory.extraction.attributes import FAVOURITE, canonical
from hippograph.memory.extraction.english_open import TIME
from hippograph.memory.extraction.found import Found
from hippograph.memory.extraction.words import either, is_participle, listed

_PLACE = re.compile(
    r"(?:the\s+|central\s+|northern\s+|southern\s+|eastern\s+|western\s+|downtown\s+|north\s+|south\s+|east\s+|"
    r"west\s+)*"
    r"[A-Z\u00c0-\u00de][\w'.-]*(?:(?:\s+|,\s*)(?:of|the|on|upon|de|la|le|del|di|am|an|der|near|in|with|"
    r"[A-Z\u00c0-\u00de\d][\w'.-]*|"
    r"my|our|his|her|parents?|family|city|county|area|region|district|island|suburbs|centre|center))*|"
    r"(?:the|a|an)\s+(?:\w+\s+)?(?:countryside|suburbs?|city(?:\s+cent(?:re|er))?|town|village|country|mountains|"
    r"coast|island|farm|houseboat|outskirts|capital)(?:\s+(?:near|in|of|outside|close to|by|on|north|south|east|"
    r"west)\s+.+)?|"
    r"downtown|abroad|(?:near|outside)\s+[A-Z].*"
)
_NO_PLACE = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|"
    r"november|december|teams?\b|marketing|sales|finance|engineering|hr\b|python|excel|slack|vim|emacs|windows|linux|"
    r"macos|notion|docker|zoom|plan [ab]\b|level\b|chapter|page|stage|phase|room\b|version|\d",
    re.IGNORECASE,
)
_FICTION = re.compile(
    r"\b(?:in|from|of) (?:the|this|that|my|a|an|his|her) (?:\w+ )?(?:book|film|movie|play|show|series|game|"
    r"story|novel|"
    r"song|dream|fantasy|simulation|joke|script|scene|episode|sims)\b",
    re.IGNORECASE,
)
_FOR_NOW = re.compile(
    r"\bfor (?:the|this|a|an|\d+|two|three|four|five|six|a few|a couple of|one|"
    r"several)\s+(?:\w+\s+)?(?:summers?|winters?|"
    r"springs?|autumns?|falls?|weeks?|weekends?|days?|nights?|months?|holidays?|semesters?|term|conference|"
    r"season|years?|"
    r"afternoon|morning|evening|hours?|project|wedding|party)\b|\btemporarily\b|\b(?:on|at) (?:the )?weekends\b|"
    r"\bduring\b",
    re.IGNORECASE,
)
_LIVING = re.compile(r"\b(?:have|has|been|'ve|'s|live|lives|living|works?|working)\b", re.IGNORECASE)
_BRIEF = re.compile(
    r"summer|winter|spring|autumn|fall|week|day|night|holiday|conference|season|noon|morning|"
    r"evening|hour|"
    r"wedding|party|temporarily|during",
    re.IGNORECASE,
)
_ORGANISATION = (
    r"(?:company|startup|start-up|firm|bank|hospital|clinic|school|university|college|kindergarten|library|museum|"
    r"restaurant|caf[eé]|bar|pub|bakery|hotel|shop|store|supermarket|factory|plant|agency|studio|publisher|newspaper|"
    r"magazine|charity|ngo|nonprofit|non-profit|ministry|department|council|government|embassy|institute|lab|"
    r"laboratory|"
    r"farm|garage|pharmacy|practice|consultancy|business|corporation|organi[sz]ation|foundation|airline|airport|"
    r"airlines|"
    r"police|army|navy|post office|salon|theatre|theater|zoo|nursery|warehouse|office of|brewery|dealership|retailer|"
    r"bookshop|bookstore|game studio|start up|un|un agency|city|state|county|church|fire department|"
    r"fire brigade|coop|"
    r"co-op|cooperative|insurer|hedge fund|law firm|group|centre|center)"
)
_EMPLOYER = re.compile(
    rf"(?:an?|the|our|my|his|her)\s+(?:[\w&'-]+\s+){{0,4}}?{_ORGANISATION}(?:\s+(?:in|near|of|for|called|named|"
    rf"that|on|by)\b.*)?|"
    rf"(?:the\s+|an?\s+)?(?:[A-Z\d\u00c0-\u00de][\w&'.+-]*|e[A-Z]\w+|i[A-Z]\w+)(?:\s+(?:of|the|and|&|for|de|"
    rf"[A-Z\d\u00c0-\u00de][\w&'.+-]*|"
    rf"{_ORGANISATION}|head|regional|main|central|office|team|headquarters|hq|branch))*(?:\s+(?:in|near)\s+[A-Z].*)?"
)
_NAME = re.compile(
    r"(?:(?:Dr|Mr|Mrs|Ms|Prof|Professor|Doctor|Sir|Aunt|Uncle|Coach|Miss)\.?\s+)?[A-Z\u00c0-\u00de][\w'.-]*"
    r"(?:\s+(?:(?:van|von|de|da|al|bin|del|la|der|den|di)\s+)*[A-Z\u00c0-\u00de][\w'.-]*){0,3}"
)
_AND = re.compile(r"\s*(?:,|\band\b|&)\s*")
_AGE = (
    r"(?:\s*(?:$|[,.!;)]|[- ]?years?[- ]old|y/?o\b|yrs?\b|years of age)|\s+(?:now|today|yesterday|this|last|"
    r"next|ago|already|"
    r"soon|tomorrow|recently|finally|and|but|so|on (?:\w+day|the \d)|in (?:\d|an?\b|two|three|jan|feb|mar|apr|"
    r"may|jun|jul|aug|"
    r"sep|oct|nov|dec|(?:spring|summer|autumn|winter)))\b)"
)
_FIGURE = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|"
    r"million|"
    r"half|\w+teen|\w+ty)\b",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"\d|\b(?:street|road|avenue|lane|drive|square|court|way|close|st|rd|ave|blvd|boulevard|"
    r"terrace|place)\b",
    re.IGNORECASE,
)
_DIET = re.compile(
    r"vega|vegetarian|kosher|halal|keto|free|based|carb|fat|protein|mediterranean|paleo|tarian|"
    r"raw|teetotal|"
    r"intolerant|c(?:o)?eliac|diet|fasting|low|dash",
    re.IGNORECASE,
)
_WORKS_AS = re.compile(
    r"\bas (?:an?|the)\b|promoted|appointed|bec[ao]me|head of|director|lead|chief|manager|captain", re.IGNORECASE
)
_JUDGED = re.compile(
    r"\b(?:good|bad|terrible|great|awful|decent|lousy|slow|fast|keen|natural|born|quick|"
    r"nervous|careful|"
    r"horrible|better|worse|lazy|hopeless|excellent|fantastic|poor|wannabe|amateur|big|heavy|messy|"
    r"picky|loud|terrific|mediocre|slave)\b",
    re.IGNORECASE,
)
_OUT_OF_WORK = re.compile(
    r"retired|unemployed|self-employed|freelanc\w+|on .*leave|between jobs|stay-at-home.*", re.IGNORECASE
)
_PREPOSITION = re.compile(
    r"(?:on|in|at|under|near|behind|by|from|with|without|for|of|off|over|about|up|down|to|into|inside|outside|"
    r"next to|"
    r"between|against|around|below|above|past|across|beside|all|out|being|getting|going|coming|having|as|than|"
    r"like)\b",
    re.IGNORECASE,
)
_STATE = re.compile(r"[a-z-]+(?:ed|able|ible|ous|ful|less|ish|ive|ing)")
_GOING = re.compile(
    r"(?:los|winn|miss|fall|fad|break|clos|leav|retir|play|tour|chang|work|com|go|gett|dy|cry|grow|runn|open|"
    r"mov|end|start)ing",
    re.IGNORECASE,
)
_MAY_LEAD = (
    "date",
    "time",
    "deadline",
    "birthday",
    "occupation",
    "residence",
    "address",
    "school",
    "working",
    "living",
    "diet",
    "price",
    "starts",
    "number",
    "plan",
    "event",
    "password",
    "wifi",
    "colour of",
)
_ACTIVITIES = frozenset(
    "activity hobby sport pastime thing exercise workout chore way subject part stroke event type style".split()
)
_PERSONAL = frozenset(("residence", "address", "employer", "occupation", "name", "age", "origin", "school"))


def plausible(found: Found, clause: str) -> Found | None:
    """Return what a clause seems to tell, under a fitter key where that is plain; None where it cannot be so."""
    key, value = found.attribute, found.value
    if key in _PERSONAL and _FICTION.search(clause):
        return None
    if key == "phone" and len(re.findall(r"\d", value)) < 5:
        return replace(found, attribute="phone model") if re.search(r"[A-Z]", value) else None
    if key == "number" and len(re.findall(r"\d", value)) >= 7:
        return replace(found, attribute="phone")
    if test := _tests().get(key):
        return found if test(value, clause) else None
    if key in _relations():
        return found if is_name(value) else None
    if _is_open(found, clause) and not _says_what(key, value):
        return None
    return found


def _figure(value: str, _: str) -> bool:
    return _FIGURE.search(value) is not None


def _when(value: str, _: str) -> bool:
    return bool(TIME.search(value) or re.search(r"\d|\bMay\b", value))


def _tests() -> Mapping[str, Callable[[str, str], bool]]:
    """Return what a value must be, by the key; each is given the value and its clause."""
    return {
        "residence": _is_home,
        "address": lambda value, _: _ADDRESS.search(value) is not None and not _PREPOSITION.match(value),
        "employer": _is_employer,
        "occupation": _is_occupation,
        "name": lambda value, _: is_name(value),
        "age": lambda value, clause: bool(re.search(rf"\b{re.escape(value)}{_AGE}", clause, re.IGNORECASE)),
        "birthday": _when,
        "deadline": lambda value, _: bool(_when(value, _) or re.search(r"\b(?:week|month|year|day)\b|end of", value)),
        "email": lambda value, _: "@" in value,
        "diet": lambda value, _: _DIET.search(value) is not None,
        "salary": _figure,
        "rent": _figure,
        "budget": _figure,
        "version": _figure,
        "height": _figure,
        "weight": _figure,
        "car": lambda value, _: re.match(r"(?:an?|the)\s|.*[A-Z]", value) is not None,
        "origin": lambda value, _: (
            re.match(r"(?:the\s+)?(?:\w+ern\s+)?[A-Z]|an? .*(?:town|village|city|island|farm)", value) is not None
        ),
    }


def is_name(value: str) -> bool:
    """Whether a value is the name of somebody, or names with "and" between them."""
    return all(
        _NAME.fullmatch(each) and each.split()[0].lower() not in listed("notnames") | listed("transient")
        for each in _AND.split(value.strip())
    )


def _is_home(value: str, clause: str) -> bool:
    if (stay := _FOR_NOW.search(clause)) and (_BRIEF.search(stay[0]) or not _LIVING.search(clause)):
        return re.search(r"(?:'ve|have|has|been)\b", clause) is not None
    return _PLACE.fullmatch(re.split(r",\s+(?=[a-z])", value)[0]) is not None and not _NO_PLACE.match(
        re.sub(r"^the\s+", "", value)
    )


def _is_employer(value: str, clause: str) -> bool:
    if value == "job":
        return True
    if re.search(r"\bwork\w* with\b|\bjoined\b.*\b(?:for|at|in the|on)\b", clause, re.IGNORECASE):
        return False
    return _EMPLOYER.fullmatch(value) is not None and not re.match(r"\w+day\b", value)


def _is_occupation(value: str, clause: str) -> bool:
    if _JUDGED.search(value):
        return False
    known = re.search(
        rf"\b{either('occupations')}s?\b|\w(?:er|or|ist|ian|ant|man|woman|wright|smith)\b", value, re.IGNORECASE
    )
    return bool(known or _OUT_OF_WORK.fullmatch(value) or _WORKS_AS.search(clause)) and not _PREPOSITION.match(
        re.sub(r"^on .*leave$", "", value)
    )


def _relations() -> frozenset[str]:
    """Return the keys of people, whose value is a name."""
    return frozenset(canonical(each) for each in listed("relations"))


def _is_open(found: Found, clause: str) -> bool:
    """Whether a fact is a property like "my X is Y", and no matter of taste, use or plan that the rules name."""
    return (
        re.search(rf"\b(?:my|our)\b.*\b{re.escape(found.attribute.split()[-1])}\b", clause, re.IGNORECASE) is not None
    )


def _says_what(key: str, value: str) -> bool:
    """Whether a value tells what something is, and not how or where it is just now."""
    if key.startswith(_MAY_LEAD) or TIME.search(value):
        return True
    activity = key.split()[-1] in _ACTIVITIES
    first = value.split()[0]
    if activity and first.endswith("ing"):
        return True
    if key.startswith(FAVOURITE) and first.endswith("ing"):
        return len(value.split()) == 1 and not _GOING.fullmatch(value)
    return not _PREPOSITION.match(value) and not (_STATE.fullmatch(value) or is_participle(value))
