"""The demo's earlier conversations and its questions, in Chinese and English; nobody can guess the answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from hippograph.state import Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """What was said some days ago: the user begins, the assistant answers, in turn."""

    thread: str
    days_ago: int
    messages: Sequence[str]

    def turns(self, language: str, now: datetime) -> list[Turn]:
        """Return the messages as turns with dates and ids of their own."""
        first = (now - timedelta(days=self.days_ago)).replace(hour=9, minute=30, second=0, microsecond=0)
        return [
            Turn(
                role="assistant" if number % 2 else "user",
                text=text,
                said_at=first + timedelta(minutes=number),
                id=f"demo-{language}-{self.thread}-{number}",
            )
            for number, text in enumerate(self.messages)
        ]


CONVERSATIONS = {
    "zh": (
        Conversation(
            thread="编程语言",
            days_ago=26,
            messages=(
                "我最喜欢的编程语言是 OCaml，因为它的类型推断能在重构时替我把关。",
                "明白了：您最喜欢 OCaml，看重的是它的类型推断。",
            ),
        ),
        Conversation(
            thread="项目计划",
            days_ago=19,
            messages=(
                "我们项目的下一个里程碑定在6月30日，目标是完成用户认证模块。",
                "好的，6月30日之前完成用户认证模块。需要我帮忙拆分任务吗？",
                "先不用。对了，8月17日我要去参加妹妹的婚礼，那周不排任务。",
                "记下了，8月17日那一周不排任务。",
            ),
        ),
        Conversation(
            thread="数据库",
            days_ago=12,
            messages=(
                "订单表的查询越来越慢，一次要八秒，该怎么优化？",
                "建议给 customer_id 和 paid_at 两列建联合索引，再用 EXPLAIN 查看执行计划，确认查询走了索引。",
            ),
        ),
        Conversation(
            thread="代码托管",
            days_ago=5,
            messages=(
                "我们团队更愿意用 GitLab，因为公司自己部署了 GitLab，代码不会离开内网。",
                "了解，团队用公司自己部署的 GitLab。",
                "另外团队聚餐别点荔枝，我对荔枝过敏。",
                "好的，聚餐时会避开荔枝。",
            ),
        ),
    ),
    "en": (
        Conversation(
            thread="languages",
            days_ago=26,
            messages=(
                "My favourite programming language is OCaml, because its type inference catches my mistakes.",
                "Understood: OCaml is your favourite, for its type inference.",
            ),
        ),
        Conversation(
            thread="planning",
            days_ago=19,
            messages=(
                "Our project's next milestone is on 30 June, and its goal is to finish the user-authentication module.",
                "Good: the user-authentication module by 30 June. Shall I help to split it into tasks?",
                "Not yet. By the way, my sister's wedding is on 17 August, so nothing is planned for that week.",
                "Noted: nothing in the week of 17 August.",
            ),
        ),
        Conversation(
            thread="database",
            days_ago=12,
            messages=(
                "Queries on the orders table get slower and slower, eight seconds each. How do I speed them up?",
                "Add a joint index on the columns customer_id and paid_at, then run EXPLAIN to see that it is used.",
            ),
        ),
        Conversation(
            thread="hosting",
            days_ago=5,
            messages=(
                "Our team prefers GitLab, because the company hosts it itself and the code never leaves our network.",
                "I see: GitLab, hosted by your company.",
                "And no lychees at the team dinner please, I am allergic to lychee.",
                "Of course, no lychees.",
            ),
        ),
    ),
}

QUESTIONS = {
    "zh": (
        "我最喜欢的编程语言是什么？为什么？",
        "我们项目的下一个里程碑是哪一天？目标是什么？",
        "上次订单表查询很慢，你建议我给哪些列建索引，再用什么检查？",
        "我们团队更愿意用哪个代码托管平台？为什么？",
    ),
    "en": (
        "What is my favourite programming language, and why?",
        "When is our project's next milestone, and what is its goal?",
        "When queries on the orders table were slow, which columns did you advise me to index, and how to check it?",
        "Which code hosting platform does our team prefer, and why?",
    ),
}

GOLD = {
    "zh": ("OCaml", "6月30日", "paid_at", "GitLab"),
    "en": ("OCaml", "30 June", "paid_at", "GitLab"),
}
"""What each answer must hold; without memory nobody knows it."""
