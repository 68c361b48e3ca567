"""Which form of the prompt a turn gets: a small model cannot tell by itself whether its memory holds the answer.

Measured on a 0.5B model, zh and en: one prompt for all cases either makes things up or refuses what it knows.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from hippograph.memory.tokens import is_common, words
from hippograph.nodes import cues, prompts
from hippograph.state.turn import Trigger

Form = Literal["plain", "aside", "said", "notes", "doubt", "nothing"]
"""How memory comes in.

plain: not at all. aside: beside a request, or a question that the conversation answers. said: beside what the user
tells. notes: as what answers the question. doubt: the same, but hardly about it. nothing: memory is silent.
"""

_ABOUT_US = ("personal", "recall cue", "known", "own", "time", "past", "always")
_WEEKDAYS = {
    "zh": ("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"),
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
}


def form(
    trigger: Trigger, notes: str, sure: bool, question: str, history: Sequence[str], elsewhere: bool = False
) -> Form:
    """Return the form for a question.

    Args:
        trigger: Whether and why memory was searched.
        notes: What it found, empty where nothing.
        sure: Whether the best of it is clearly about the question.
        question: What is asked.
        history: What the prompt will show of this conversation.
        elsewhere: Whether what was found is told of somebody else.
    """
    bare = cues.POLITE.taken_out(question)
    if not cues.QUESTION.search(question) and not cues.REQUEST.search(bare) and cues.PERSONAL.search(bare):
        return "said"
    asks = cues.QUESTION.search(question) and not cues.HOW_TO.search(question)
    if not asks or _answered_by(history, question):
        return "aside" if notes else "plain"
    if notes:
        return "notes" if sure else "doubt"
    ours = elsewhere or (trigger["fire"] and trigger["reason"].startswith(_ABOUT_US))
    return "nothing" if ours else "plain"


def system(form: Form, language: str, now: datetime, own: str, notes: str, rule: str = "") -> str:
    """Return the system prompt.

    Args:
        form: Adds the rule that goes with it.
        language: "zh" or "en".
        now: The time of asking; its day is told.
        own: Replaces the first lines; empty for the project's own.
        notes: The memory block; some forms show it here.
        rule: Replaces the one that goes with the block; empty for the project's own.
    """
    today = prompts.load("today", language).format(date=f"{now:%Y-%m-%d}", weekday=_WEEKDAYS[language][now.weekday()])
    lines = [own or prompts.load("system", language), today]
    if form == "nothing":
        lines.append(prompts.load("nothing_rule", language))
    if notes:
        lines.append(rule or prompts.load("notes_rule", language))
    if notes and form in ("aside", "said"):
        lines.append(prompts.load("aside", language).format(notes=notes))
    return "\n".join(lines)


def examples(form: Form, language: str) -> list[BaseMessage]:
    """Return the worked examples of a form, user and assistant in turn."""
    if form in ("plain", "aside"):
        return []
    said = prompts.parts(f"{form}_examples", language)
    return [AIMessage(text) if index % 2 else HumanMessage(text) for index, text in enumerate(said)]


def body(form: Form, language: str, notes: str, question: str) -> str:
    """Return the last message of the prompt."""
    if form in ("plain", "aside", "said"):
        return question
    return prompts.load(form, language).format(notes=notes, question=question)


def _answered_by(history: Sequence[str], question: str) -> bool:
    """Tell whether the conversation may hold the answer: it shares a telling word, or the question points back."""
    if not history:
        return False
    telling = {word for word in words(question) if not is_common(word)}
    return bool(cues.FOLLOW_UP.search(question)) or any(telling & set(words(text)) for text in history)
