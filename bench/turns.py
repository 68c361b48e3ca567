"""Made-up conversations, the same for the same seed: Chinese and English, with facts nobody can guess."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from hippograph.state import Turn

START = datetime(2025, 1, 6, 9, tzinfo=UTC)
PER_THREAD = 10
"""Messages in one thread."""

NAMES = {
    "en": (
        "Ada Bruno Clara Dmitri Elsa Farid Greta Hugo Ines Jonas "
        "Kemal Lotte Mirko Nadia Oskar Petra Quinn Rosa Sven Tilda"
    ).split(),
    "zh": (
        "陈立 王芳 李娜 赵磊 孙悦 周凯 吴敏 郑浩 冯雪 何勇 许静 沈阳 韩冰 杨帆 朱丹 秦川 尤佳 罗兰 谢军 邓超"
    ).split(),
}
VALUES = {
    "en": {
        "lives in {v}": "Porto Tromsø Ghent Izmir Kraków Split Turku Varna Bergamo Lviv".split(),
        "keeps {v} as a pet": "a gecko,an axolotl,a ferret,a tortoise,a corn snake,three hens".split(","),
        "is allergic to {v}": "lychee sesame kiwi mustard celery lupin shellfish buckwheat".split(),
        "plays the {v}": "oboe theremin lute bassoon dulcimer cello ocarina harp".split(),
        "has locker number {v}": [str(number) for number in range(103, 997, 47)],
    },
    "zh": {
        "住在{v}": "泉州 大理 敦煌 威海 丹东 绍兴 柳州 伊犁 漠河 琼海".split(),
        "养了{v}": "一只守宫 一条玉米蛇 两只鹦鹉 一只龙猫 三只母鸡 一只刺猬 一缸斗鱼 一只雪貂".split(),
        "对{v}过敏": "荔枝 芝麻 芒果 荞麦 芥末 芹菜 虾 花生".split(),
        "会弹奏{v}": "古琴 箜篌 冬不拉 马头琴 阮 巴松 竖琴 三弦".split(),
        "的储物柜是{v}号": [str(number) for number in range(118, 989, 53)],
    },
}
QUESTIONS = {
    "lives in {v}": "Where does {n} live?",
    "keeps {v} as a pet": "What pet does {n} keep?",
    "is allergic to {v}": "What is {n} allergic to?",
    "plays the {v}": "Which instrument does {n} play?",
    "has locker number {v}": "What is {n}'s locker number?",
    "住在{v}": "{n}住在哪里？",
    "养了{v}": "{n}养了什么宠物？",
    "对{v}过敏": "{n}对什么过敏？",
    "会弹奏{v}": "{n}会弹奏什么乐器？",
    "的储物柜是{v}号": "{n}的储物柜是几号？",
}
FRAMES = {
    "en": ["By the way, {n} {f}.", "I met {n} again; it turns out {n} {f}.", "Note for later: {n} {f}."],
    "zh": ["顺便说一下，{n}{f}。", "我又见到{n}了，原来{n}{f}。", "记一下：{n}{f}。"],
}
CHATTER = {
    "en": [
        "The build is green again after {x} retries.",
        "Let's move the review to {x} o'clock.",
        "I read {x} pages of the report on the train.",
        "The coffee machine on floor {x} is broken again.",
        "Could you shorten the draft to {x} words?",
        "We closed {x} tickets this week.",
    ],
    "zh": [
        "构建重试了{x}次以后终于通过了。",
        "评审改到{x}点吧。",
        "我在火车上读了{x}页报告。",
        "{x}楼的咖啡机又坏了。",
        "能不能把草稿缩到{x}字？",
        "这周我们关掉了{x}个工单。",
    ],
}
REPLIES = {
    "en": ["Noted.", "Good to know, I will keep that in mind.", "All right; anything else about it?"],
    "zh": ["记下了。", "好的，我会记住这一点。", "明白了，还有别的要补充吗？"],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """A fact that was told once, and how to ask for it."""

    language: str
    question: str
    answer: str
    turn_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversations:
    """What was said: thread to messages, and the facts among them."""

    threads: dict[str, list[Turn]]
    facts: list[Planted]


def conversations(turns: int, seed: int = 7) -> Conversations:
    """Make up `turns` messages, user and assistant in turn, in threads of PER_THREAD."""
    chance = random.Random(seed)
    untold = {language: _facts(language, chance) for language in ("en", "zh")}
    made = Conversations(threads={}, facts=[])
    for number in range(turns):
        thread = f"thread-{number // PER_THREAD:04d}"
        language = "zh" if (number // PER_THREAD) % 2 else "en"
        said_at = START + timedelta(hours=13 * (number // PER_THREAD), minutes=number % PER_THREAD)
        turn = Turn(role="user", text="", said_at=said_at, id=f"turn-{number:06d}")
        if number % 2:
            turn["role"], turn["text"] = "assistant", chance.choice(REPLIES[language])
        elif untold[language] and chance.random() < 0.35:
            turn["text"], question, answer = untold[language].pop()
            made.facts.append(Planted(language=language, question=question, answer=answer, turn_id=turn["id"]))
        else:
            turn["text"] = chance.choice(CHATTER[language]).format(x=chance.randrange(2, 90))
        made.threads.setdefault(thread, []).append(turn)
    return made


def sample(facts: Sequence[Planted], number: int) -> list[Planted]:
    """Return `number` facts spread evenly over all of them, as many Chinese as English where there are."""
    by_language = [[fact for fact in facts if fact.language == language] for language in ("en", "zh")]
    picked = [_spread(part, number // 2 + (number % 2 if part is by_language[0] else 0)) for part in by_language]
    return [fact for part in picked for fact in part]


def _spread(facts: Sequence[Planted], number: int) -> list[Planted]:
    number = min(number, len(facts))
    return [facts[index * len(facts) // number] for index in range(number)]


def _facts(language: str, chance: random.Random) -> list[tuple[str, str, str]]:
    """Return (telling, question, answer), one for each pair of a name and a property, in random order."""
    facts = []
    for name in NAMES[language]:
        for pattern, values in VALUES[language].items():
            value = chance.choice(values)
            telling = chance.choice(FRAMES[language]).format(n=name, f=pattern.format(v=value))
            facts.append((telling, QUESTIONS[pattern].format(n=name), value))
    chance.shuffle(facts)
    return facts
