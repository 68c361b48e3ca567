"""Whether a sentence swaps who did what to whom, as far as word order tells.

Decided: two names, or a name and "I", on both sides of the same verb; whose thing something is ("Ann's cat"); whose
number a number is, where the source names its owner in the same clause. Not decided: verbs that say the converse
(buying and selling), pronouns, who is meant by "my friend"; such sentences are taken for swapped or left to the other
checks.
"""

import re
from collections.abc import Sequence
from itertools import permutations

from hippograph.memory.life.numerals import figures
from hippograph.memory.proper import is_no_name
from hippograph.nodes.checks.clauses import ME, Clause, plain
from hippograph.nodes.checks.lexicon import alike, base, no_names, starters
from hippograph.nodes.checks.names import NAMED

_NAME = re.compile(r"\b[A-ZÀ-Þ][a-zà-ÿ]+\b")
_ME = re.compile(r"\b(?:[Tt]he\s+)?[Uu]ser\b(?!['’]s)|\b(?:I|me)\b|用户(?!的)|我(?![们的])")
_PASSIVE = re.compile(r"\b(?:was|were|been|is|are|got|be)\s+\w+(?:ed|en|n|t|ght|ve)\b.*\bby\b|被|由", re.IGNORECASE)
_OWNER = re.compile(r"\b([A-ZÀ-Þ][a-zà-ÿ]+|[Uu]ser)['’]s\s+((?:[a-z]+\s+)?[a-z]+)\b|\b([Mm]y)\s+([a-z]+)\b")
_OWNER_ZH = re.compile(r"(用户|我|[\u4e00-\u9fff]{2,3}?)的([\u4e00-\u9fff]{1,2})")
_KIN = re.compile(
    r"\b(?:wife|husband|mother|mum|mom|father|dad|son|daughter|brother|sister|aunt|uncle|cousin|grandmother|grandma|grandfather|"
    r"grandpa|partner|parents?|child|children|kids?|nephew|niece|fianc[eé]e?|flatmate|roommate|teacher|boss|friend|colleague|neighbour|neighbor|landlord|girlfriend|boyfriend)\b|妈妈|母亲|爸爸|父亲|老婆|妻子|太太|老公|丈夫|爱人|媳妇|父母|孩子|表[哥姐弟妹]|堂[哥姐弟妹]|叔叔|姑姑|舅舅|侄[子女]|室友|未婚[夫妻]|儿子|女儿|"
    r"哥哥|姐姐|弟弟|妹妹|奶奶|爷爷|外婆|外公|朋友|同事|老板|邻居|房东|女友|男友"
)
_JOINED = re.compile(r"\s*(?:,|and|or|&|[和与跟同、])\s*")
_WITH = re.compile(
    rf"(?:['’]s)?\s*(?:old(?:er)?|young(?:er)?|big|little|best)?\s*|{_JOINED.pattern}(?:my|his|her|their|the)?\s*|的",
    re.IGNORECASE,
)
"""What stands between those who do something together, or between an owner and a relative."""
_PLACE = re.compile(r"\b(?:in|at|near|from|into|via)\s+(?:the\s+)?$", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
"""Words with a capital at the beginning of a clause are taken for names only where they stand in both texts."""


def swapped(said: Sequence[Clause], sources: Sequence[Clause]) -> bool:
    """Tell whether two that act on one another have changed places, or what belongs to one is given to the other."""
    checks = (_order, _owners, _numbers, _subjects)
    return any(check(said, sources) for check in checks)


def _order(said: Sequence[Clause], sources: Sequence[Clause]) -> bool:
    for clause in said:
        for (one, word), (other, its) in permutations(_people(clause.text), 2):
            start, end = clause.text.find(word), clause.text.find(its)
            if start >= end or _JOINED.fullmatch(clause.text[start + len(word) : end]):
                continue
            found = [kept for each in sources if (kept := _keeps(clause, each, one, other)) is not None]
            if found and not any(found):
                return True
    return False


def _keeps(clause: Clause, source: Clause, one: str, other: str) -> bool | None:
    """Tell whether who comes first in a clause does in its source, or last where one is passive; None: not both."""
    places = {name: source.text.find(word) for name, word in _people(source.text)}
    if one not in places or other not in places:
        return None
    turned = bool(_PASSIVE.search(clause.text)) != bool(_PASSIVE.search(source.text))
    return (places[one] < places[other]) != turned


def _people(text: str) -> list[tuple[str, str]]:
    """Return who is named in a clause, as (name, word that stands there)."""
    words = [each.group() for each in _NAME.finditer(text)]
    found = [(base(each), each) for each in words if not is_no_name(each) and each.casefold() not in starters()]
    chinese = [each.group()[:2] for each in NAMED.finditer(text)]
    found += [(pair, pair) for pair in chinese if pair not in no_names()]
    if me := _ME.search(text):
        found.append((ME, me.group()))
    return [*dict(found).items()]


def _owners(said: Sequence[Clause], sources: Sequence[Clause]) -> bool:
    given: dict[str, set[str]] = {}
    for clause in sources:
        for owner, thing in _owned(clause.text):
            given.setdefault(thing, set()).add(owner)
    return any(thing in given and owner not in given[thing] for clause in said for owner, thing in _owned(clause.text))


def _owned(text: str) -> list[tuple[str, str]]:
    found = []
    for name, thing, mine, own in _OWNER.findall(plain(text)):
        owner = ME if mine or name.casefold() == ME else base(name)
        found.append((owner, base((thing or own).split()[-1])))
    for owner, thing in _OWNER_ZH.findall(text):
        found.append((ME if owner in ("用户", "我") else owner[-2:], thing))
    return found


def _numbers(said: Sequence[Clause], sources: Sequence[Clause]) -> bool:
    """Tell whether a number that a source gives to one name is given to another one of the sources."""
    everyone = {name for clause in sources for name in _named(clause)}
    for clause in said:
        people = _named(clause) & everyone
        for number in _NUMBER.findall(figures(plain(clause.text).casefold())):
            holders = [
                _named(each) for each in sources if number in _NUMBER.findall(figures(plain(each.text).casefold()))
            ]
            if people and holders and all(each and not each & people for each in holders):
                return True
    return False


def _named(clause: Clause) -> set[str]:
    return {name for name, _, _ in _holders(clause)}


def _subjects(said: Sequence[Clause], sources: Sequence[Clause]) -> bool:
    """Tell whether what a source says of one is said of another one of the sources."""
    everyone = {who for clause in sources for who in _about(clause)}
    for clause in said:
        people = _about(clause)
        what = clause.words - people - {ME}
        if not what or not people or not people <= everyone:
            continue
        shares = [(len(_alike(what, each.words)) / len(what), _about(each)) for each in sources]
        best = max(share for share, _ in shares)
        holders = [who for share, who in shares if share == best]
        own = clause.words - ({ME} if _KIN.search(clause.text.casefold()) else set()) | people
        if best and all(each and not each & own for each in holders):
            return True
    return False


def _about(clause: Clause) -> frozenset[str]:
    """Return who a clause is about: who stands first in it of names, relatives and ME, and those joined with them.

    What comes after, such as a town or a firm with a capital, is not who it is about; in the passive, all are.
    """
    found = _holders(clause)
    about, end = set[str](), -1
    for name, start, stop in found:
        if end >= 0 and not _PASSIVE.search(clause.text) and not _WITH.fullmatch(clause.text[end:start]):
            break
        about.add(name)
        end = stop
    return frozenset(about)


def _holders(clause: Clause) -> list[tuple[str, int, int]]:
    """Return the names, relatives and ME of a clause with where they begin and end, as they come."""
    kin = [(base(each.group().casefold()), each.start(), each.end()) for each in _KIN.finditer(clause.text)]
    begins = {start for _, start, _ in kin}
    found = [
        (name, at, at + len(word)) for name, word in _people(clause.text) if (at := _begins(word, clause.text)) >= 0
    ]
    kept = [
        (clause.speaker if name == ME else name, start, end)
        for name, start, end in found
        if name != ME or not begins & {end, end + len("的")} or clause.text[start:end].isascii()
    ]
    return sorted([*kin, *kept], key=lambda each: each[1])


def _begins(word: str, text: str) -> int:
    """Return where a word stands in a text; -1 where it says a place, or only as a part of a longer word."""
    found = re.search(rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])", text)
    return -1 if not found or _PLACE.search(text[: found.start()]) else found.start()


def _alike(words: frozenset[str], others: frozenset[str]) -> set[str]:
    return {word for word in words if word in others or alike(word) & others}
