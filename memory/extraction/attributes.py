"""Names of properties: one key for each, whatever words name it, in Chinese or English.

A key is English and lower case. What may be true of several values at once has the value's name in its key ("pet rex",
"opinion of sushi"), so that two of them never contradict.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib import resources

LIKES, DISLIKES = "likes", "dislikes"
"""The values of an opinion, in either language: a change of mind is a change of value."""
PROFILE = frozenset(
    "name,surname,residence,address,origin,employer,occupation,study,school,birthday,age,spouse,diet,height,weight,"
    "marital status,blood type".split(",")
)
"""Keys of what describes a person."""
FAVOURITE, OPINION = "favourite ", "opinion of "
_MANY = frozenset(
    "pet,sibling,brother,sister,child,son,daughter,friend,colleague,neighbour,cousin,aunt,uncle,nephew,niece,grandchild,"
    "allergy,language,skill,hobby,uses,owns,plays,event,plan,goal,note,procedure,condition,learning,project,role,eats,"
    "drinks,nationality,contact,task,diet,medication,works with".split(",")
)
_PREFIX = re.compile(
    r"^(?:(?:the )?user(?:'s)? |my |our |the |current(?:ly)? |present |new |latest |now |her |his |their |is |"
    r"has |用户的?|"
    r"我们?的?|现在的?|目前的?|当前的?|新的?|这个|那个)+",
    re.IGNORECASE,
)
_SPELLING = (("favorite", "favourite"), ("color", "colour"), ("neighbor", "neighbour"), ("center", "centre"))
_FAVOURITE_ZH = re.compile(r"^最(?:喜欢|爱|喜爱|中意)(?:吃|喝|看|听|玩|读|用)?的?")
_ARTICLE = re.compile(r"^(?:the|a|an|some|any|my|our)\s+", re.IGNORECASE)
LONGEST = 60
"""Characters of a thing's name in a key."""
_EDGES = " \t\n.,;:!?，。；：！？、\"'“”‘’"


@cache
def _known() -> dict[str, str]:
    """Return each known wording with its key."""
    groups = json.loads((resources.files(__package__) / "attributes.json").read_text("utf-8"))["keys"]
    return {word: key for key, words in groups.items() for word in (key, *words)}


def wordings() -> Mapping[str, str]:
    """Return the words that are known for properties, each with the property's key."""
    return _known()


@cache
def _things() -> dict[str, str]:
    """Return Chinese words for what one has a favourite of, with their English ones."""
    found: dict[str, str] = json.loads((resources.files(__package__) / "attributes.json").read_text("utf-8"))["things"]
    return found


@cache
def canonical(attribute: str) -> str:
    """Return the key of a property that is named in any words: "城市", "home city" and "lives in" are "residence".

    What is not known stays as it is, in small letters, without articles and possessives.
    """
    text = " ".join(attribute.replace("_", " ").strip(_EDGES).lower().replace("’", "'").split())
    for old, new in _SPELLING:
        text = text.replace(old, new)
    known = _known()
    if text in known:
        return known[text]
    bare = _PREFIX.sub("", text).strip() or text
    if bare in known:
        return known[bare]
    if found := _FAVOURITE_ZH.match(bare):
        thing = bare[found.end() :]
        return FAVOURITE + (_things().get(thing) or thing) if thing else bare
    return bare


def known(attribute: str) -> bool:
    """Whether a key, or what comes before the value's name in it, is one of those that have synonyms."""
    key = canonical(attribute)
    heads = set(_known().values())
    return key in heads or key.startswith((FAVOURITE, OPINION)) or any(key.startswith(f"{each} ") for each in _MANY)


def single(attribute: str) -> bool:
    """Whether someone has only one such property at a time, so that a new value takes the old one's place.

    False for the bare names of what one may have several of ("pet", "language"); with the value's name in it, a key
    stands for one of them.
    """
    return canonical(attribute) not in _MANY


def keyed(attribute: str, value: str) -> str:
    """Return the key of a property, with the value's name in it where there may be several at once."""
    key = canonical(attribute)
    return key if single(key) else f"{key} {thing(value)}".strip()


def thing(text: str) -> str:
    """Return what a key calls a thing: small letters, no article, no punctuation around it, at most 60 characters.

    What is cut ends in a digest of the whole, so that two things which begin alike have two keys.
    """
    whole = _ARTICLE.sub("", " ".join(re.sub(r"[\"“”]", "", text).strip(_EDGES).lower().split()))
    if len(whole) <= LONGEST:
        return whole.strip()
    return f"{whole[: LONGEST - 9].strip()} {sha256(whole.encode()).hexdigest()[:8]}"
