"""The embedded 0.5B model through the whole graph: facts nobody can guess, with and without memory."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hippograph.graph import Agent, open_agent
from hippograph.state import Settings

FACTS = {
    "en": [
        "My favourite programming language is OCaml, because its types catch my mistakes.",
        "I am allergic to lychee; last time I ended up in hospital.",
        "The launch of project Heron is on 17 August, the goal is the billing module.",
        "I bought green curtains for the kitchen.",
        "My colleague Tomas is leaving for Lisbon in July.",
    ],
    "zh": [
        "我最喜欢的编程语言是 OCaml，因为它的类型能抓住我的错误。",
        "我对荔枝过敏，上次吃了进了医院。",
        "苍鹭项目的上线日期是 8 月 17 日，目标是计费模块。",
        "我给厨房买了绿色的新窗帘。",
        "同事老唐七月要调到昆明去。",
    ],
}
KNOWN = [
    ("en", "What is my favourite programming language?", "OCaml"),
    ("en", "What am I allergic to?", "lychee"),
    ("en", "When do we launch Heron?", "17"),
    ("en", "Where is Tomas going?", "Lisbon"),
    ("zh", "我最喜欢的编程语言是什么？", "OCaml"),
    ("zh", "我对什么过敏？", "荔枝"),
    ("zh", "苍鹭项目什么时候上线？", "17"),
    ("zh", "老唐要去哪里？", "昆明"),
]
UNKNOWN = [
    ("en", "What is my blood type?"),
    ("en", "What is the name of my dog?"),
    ("en", "What is my sister called?"),
    ("zh", "我的血型是什么？"),
    ("zh", "我的狗叫什么名字？"),
    ("zh", "我姐姐叫什么名字？"),
]
DONT_KNOW = {"en": "don't know", "zh": "不知道"}


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory, model_dir: Path) -> Iterator[Agent]:
    """An agent with the embedded model, whose users "en" and "zh" have told it five facts each."""
    home = tmp_path_factory.mktemp("embedded")
    settings = Settings.from_env().override(home=home, model_dir=model_dir, small="local:qwen2.5-coder-0.5b")
    with open_agent(settings) as opened:
        for user, facts in FACTS.items():
            for number, fact in enumerate(facts):
                opened.memory.add_turns(user, f"told {number}", [{"role": "user", "text": fact}])
        opened.memory.flush(60)
        yield opened


def answer(agent: Agent, user: str, question: str) -> str:
    return agent.ask(question, user=user, thread=question, remember=False).answer


def test_facts_from_other_threads_are_answered_in_the_users_language(agent: Agent) -> None:
    answers = {question: (answer(agent, user, question), expected) for user, question, expected in KNOWN}
    wrong = {question: said for question, (said, expected) in answers.items() if expected.lower() not in said.lower()}
    assert len(wrong) <= 1, wrong


def test_what_was_never_said_is_not_made_up(agent: Agent) -> None:
    answers = {question: (answer(agent, user, question), DONT_KNOW[user]) for user, question in UNKNOWN}
    wrong = {question: said for question, (said, expected) in answers.items() if expected not in said}
    assert len(wrong) <= 1, wrong


@pytest.mark.parametrize(("user", "question", "expected"), KNOWN[1:3] + KNOWN[5:7])
def test_without_memory_nobody_can_guess_them(agent: Agent, user: str, question: str, expected: str) -> None:
    alone = agent.ask(question, user=user, thread=f"alone {question}", recall="never", remember=False)
    assert expected.lower() not in alone.answer.lower()


@pytest.mark.parametrize(
    ("question", "expected"), [("What is the capital of France?", "Paris"), ("法国的首都是哪里？", "巴黎")]
)
def test_ordinary_questions_are_answered_as_ever(agent: Agent, question: str, expected: str) -> None:
    assert expected in answer(agent, "en", question)


@pytest.mark.parametrize(
    ("told", "question", "expected"),
    [("My cat is called Tofu.", "What is my cat called?", "Tofu"), ("我的猫叫豆腐。", "我的猫叫什么？", "豆腐")],
)
def test_what_was_just_said_is_known(agent: Agent, told: str, question: str, expected: str) -> None:
    agent.ask(told, user="new", thread=told)
    assert expected in agent.ask(question, user="new", thread=told).answer
