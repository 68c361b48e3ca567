"""What a Chinese clause tells, by the rules and by what they do not cover."""

import re
from collections.abc import Iterator

from hippograph.memory.extraction.attributes import OPINION, PROFILE, canonical, thing
from hippograph.memory.extraction.chinese import Head, heads, lead, sentence
from hippograph.memory.extraction.chinese_happenings import event, plan
from hippograph.memory.extraction.chinese_open import EMPTY, property_of, valued
from hippograph.memory.extraction.found import Found, Rule, rules
from hippograph.memory.extraction.kinship import kin

_CALL = re.compile(
    r"(?:以后|今后|大家|你|你们|朋友们?|同事们?|请|可以|就|都|还是|直接|一般|平时){0,5}(?:叫|称呼|喊)我(?:作|"
    r"为|做)?(?P<v>(?!来|去|的|起床|一声|了|吃)[\u4e00-\u9fffA-Za-z·]{1,10}?)(?:吧|就好|就行|就可以了?|好了|"
    r"即可)?$"
)
_INVERSE = re.compile(
    r"(?P<v>[\u4e00-\u9fffA-Za-z0-9· ]{1,20}?)(?:才|一直|就|仍然|还)?"
    r"是我(?P<p>最(?:喜欢|爱|喜爱)的?[\u4e00-\u9fff]{0,8})$"
)
_FAVOURITE = re.compile(
    r"(?P<p>最(?:喜欢|爱|喜爱|中意)(?:吃|喝|看|听|玩|用)?的(?P<t>[\u4e00-\u9fff]{0,8}?))(?:还?是|就是|一直是|叫)(?P<v>.+)"
)
_LIST = re.compile(r"\s*[、/]\s*|(?<=[\u4e00-\u9fffA-Za-z0-9])\s*(?:和|以及|还有|跟|及|与)\s*(?=[\u4e00-\u9fffA-Za-z])")
_PLAYING = "弹拉吹打游画写做修织编骑滑跳唱开"
_DOING = re.compile(
    r"(?:在.{1,6}?)?(?:吃|喝|看|听|玩|读|打|用|穿|去|养|种|坐|做(?=菜|饭|甜)|住)(?=[\u4e00-\u9fffA-Za-z0-9])"
)
_EVERY = re.compile(r"每(?:天|周|月|年|晚|早|个|逢)")
_DOES = re.compile(r"(?:跑|游|练|读|看|喝|吃|学|写|打|做|去|走|骑|健身|冥想|遛|锻炼|散步|背|弹|坚持).{1,20}$")
_USUALLY = r"(?:现在|平时|一直|经常|每天|也|都|还|又)*"
_CLOCK = re.compile(
    r"(?:早上|上午|晚上|中午|凌晨)?[\d一二三四五六七八九十]{1,2}点(?:半|[\d一二三四五十]{1,3}分?)?(?=左右|就|才|$)"
)


def read(
    text: str, me: str, last: tuple[str, str] | None, *, elided: bool = False
) -> tuple[list[Found], tuple[str, str] | None]:
    """Return what a clause tells, and whom the next may mean; as `english_facts.read`."""
    text = text.strip()
    shown = "用户" if me == "user" else me
    bare = text[lead(text) :]
    if found := _CALL.match(bare):
        return [_profile(me, "name", found["v"], f"{shown}叫{found['v']}。", 0.9)], last
    if (found := _INVERSE.match(bare)) and not EMPTY.fullmatch(found["v"]):
        told = Found(
            subject=me,
            attribute=canonical(found["p"]),
            value=found["v"].strip(),
            text=f"{shown}{found['p']}是{found['v']}。",
            kind="preference",
        )
        return [told], last
    for head in heads(text, me, last, elided=elided):
        if told_ := [*_kin(head, me, shown), *_told(head)]:
            return told_, _meant(head, told_) or (last if head.property or head.elided else (head.subject, head.shown))
    first = next(
        (each for each in heads(text, me, None, elided=False) if not (each.property or each.strict or each.elided)),
        None,
    )
    return [], (first.subject, first.shown) if first else last


def _meant(head: Head, told: list[Found]) -> tuple[str, str] | None:
    """Return the one pet or child that a clause tells of, whom the next may name: 养了一只橘猫, 叫年糕."""
    found = (
        re.fullmatch(r"一[只条匹头个](?P<k>.+)", told[-1].value) if told[-1].attribute.startswith("number of") else None
    )
    return (f"{head.subject}'s {found['k']}", f"{head.shown}的{found['k']}") if found else None


def _profile(subject: str, key: str, value: str, text: str, importance: float) -> Found:
    return Found(subject=subject, attribute=key, value=value, text=text, kind="profile", importance=importance)


def _kin(head: Head, me: str, shown: str) -> Iterator[Found]:
    if head.named and not head.property:
        relation, name = head.named
        yield _profile(me, kin(relation, name), name, f"{shown}的{relation}叫{name}。", 0.7)


def _told(head: Head) -> list[Found]:
    if not head.rest:
        return []
    if head.property:
        return [each for each in [property_of(head, head.property, head.rest)] if each]
    if found := _FAVOURITE.match(head.before[-0:] + head.rest) or _FAVOURITE.match(_tail(head.before) + head.rest):
        told = valued(head, canonical(found["p"]), found["v"], strict=False)
        return [told] if told else []
    if habit := _clock(head) or _routine(head):
        return [habit]
    if not head.future or re.match(r"(?:要|想|会).*过敏", head.rest):
        for rule in rules("zh"):
            if (matched := rule.pattern.match(head.rest)) and (told_ := _ruled(head, rule, matched)):
                return told_
    return [each for each in [plan(head) or event(head)] if each]


def _clock(head: Head) -> Found | None:
    """Read 早上六点起床."""
    when, what = _CLOCK.search(head.before), re.match(r"(起床|睡觉?|上床)(?:了|的)?$", head.rest)
    if not when or not what or head.denied:
        return None
    key = "wake-up time" if what[1] == "起床" else "bedtime"
    return Found(subject=head.subject, attribute=key, value=when[0], text=sentence(head, head.rest), kind="preference")


def _routine(head: Head) -> Found | None:
    """Read 每天跑步五公里."""
    if head.denied or not _EVERY.search(head.before) or not _DOES.match(head.rest):
        return None
    key = f"routine {thing(head.rest)}"
    return Found(
        subject=head.subject, attribute=key, value=head.rest, text=sentence(head, head.rest), kind="preference"
    )


def _tail(before: str) -> str:
    return "最" if before.endswith("最") else ""


def _ruled(head: Head, rule: Rule, matched: re.Match[str]) -> list[Found]:
    groups = matched.groupdict()
    if (rule.needs == "denied" and not head.denied) or (rule.ends and head.denied):
        return []
    if rule.attribute == "kin {k}":
        return _kept(head, rule, groups)
    raw = next((groups[name] for name in ("v", "w", "w2", "w3") if groups.get(name)), "")
    value = raw.strip(" ,的")
    parts = _items(value) if rule.many else [value]
    over = rule.ends or head.denied or head.once
    found = [each for part in parts if (each := _one(head, rule, matched, value, part, over))]
    if found and groups.get("v") and groups.get("w") and (rule.also or rule.attribute == "uses {v}"):
        other = (groups["w"] or "").strip()
        key = rule.also or _uses(other)
        found.append(
            Found(
                subject=head.subject,
                attribute=key,
                value=other,
                text=sentence(head, head.rest),
                negated=not rule.also,
                importance=rule.importance,
            )
        )
    return found


def _one(head: Head, rule: Rule, matched: re.Match[str], whole: str, part: str, over: bool) -> Found | None:
    about = _liked(part) if rule.attribute.startswith(OPINION) else re.sub(r"^一?[名个位](?=..)", "", part)
    if not about or len(about) > 30 or EMPTY.fullmatch(about):
        return None
    rest = head.rest
    if part != whole and rule.attribute == "skill {v}" and whole[0] in _PLAYING and part[0] not in _PLAYING:
        about = part = whole[0] + part
    if part != whole:
        verb = _DOING.match(whole)
        lead_ = verb[0] if verb and not _DOING.match(part) and rule.attribute.startswith(OPINION) else ""
        begin = rest.find(whole)
        rest = rest[:begin] + lead_ + part + (rest[begin + len(whole) :] if begin >= 0 else "")
    negated, told = over, rule.value or about
    if rule.opposite and not head.once:
        negated, told = False, rule.opposite if head.denied else rule.value
    key = _uses(about) if rule.attribute == "uses {v}" else rule.attribute.format(v=thing(about))
    if key == "name" and "'s " in head.subject:
        owner, _, relation = head.subject.rpartition("'s ")
        return _profile(owner, kin(relation, about), about, sentence(head, rest), 0.7)
    if (head.elided and key in ("age", "weight", "height") and not re.search("岁|体重|身高|[瘦胖减]到", rest)) or (
        key.startswith("eats ") and not over and not re.fullmatch(_USUALLY, head.before)
    ):
        return None
    if key == "name" and (head.denied or (rest.startswith("是") and (head.elided or not head.first))):
        return None
    kind = "profile" if rule.kind == "fact" and key in PROFILE else rule.kind
    return Found(
        subject=head.subject,
        attribute=key,
        value=told,
        text=sentence(head, rest),
        negated=negated,
        kind=kind,
        importance=rule.importance,
    )


def _liked(value: str) -> str:
    """Return the thing of an opinion: 喝拿铁 is about 拿铁."""
    found = _DOING.match(value)
    return value[found.end() :] if found else value


def _kept(head: Head, rule: Rule, groups: dict[str, str | None]) -> list[Found]:
    """Read "have a cat called …", and how many of them."""
    relation, names = (groups.get("d") or "") + (groups["k"] or ""), groups.get("v")
    if not names:
        pets, count = groups.get("m"), groups.get("n")
        key = f"pet {relation}" if not count else f"number of {relation if pets else canonical(groups['k'] or '')}"
        value = f"{count}{pets or '个'}{relation}" if count else relation
        return [
            Found(
                subject=head.subject,
                attribute=key,
                value=value,
                text=sentence(head, head.rest),
                negated=head.denied,
                importance=0.6,
            )
        ]
    return [
        _profile(
            head.subject,
            kin(groups["k"] or "", each),
            each,
            f"{head.shown}的{relation}叫{each}。" if len(_items(names)) > 1 else sentence(head, head.rest),
            0.7,
        )
        for each in _items(names)
    ]


def _uses(value: str) -> str:
    return "uses " + thing(re.sub(r"\s*v?\d[\d.]*.*$", "", value) or value)


def _items(value: str) -> list[str]:
    found = [each.strip() for each in _LIST.split(value) if each.strip()]
    return found if found and all(len(each) <= 14 for each in found) else [value]
