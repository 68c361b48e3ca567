"""Why memory was searched for a message, or was not, in plain words."""

from typing import TYPE_CHECKING

from hippograph.cli.lines import fitted

if TYPE_CHECKING:
    from hippograph.state.turn import Trigger

CELLS = 60
"""Terminal cells of the words that a reason rests on."""
FIRED = {
    "always": "every message is to be looked up",
    "recall cue": "it asks for something said before",
    "personal": "it is about you or what is yours",
    "known": "something that memory holds is named",
    "own": "it is about what is yours",
    "time": "it names a time",
    "name": "it names somebody or something",
    "emotion": "it tells how you feel",
    "advice": "it wants advice, which may depend on what you like",
    "reference": "it points at something said before",
    "past": "it is about the past",
    "definite": "it speaks of something as known",
    "unsure": "nothing says that memory is of no use",
}
"""What each sign of the trigger means."""
QUIET = {
    "never": "no message is to be looked up",
    "no words": "it has no words",
    "greeting": "it is a greeting",
    "thanks": "it says thank you",
    "remark": "it is a mere remark",
    "arithmetic": "it is a sum",
    "general": "it is a general question",
}
"""What speaks against it; any other reason is a kind of task."""


def trigger_line(trigger: "Trigger") -> str:
    """Return whether memory was searched, and why: `Memory searched: it names a time ("May")`."""
    sign, _, words = trigger["reason"].partition(": ")
    if trigger["fire"]:
        quoted = f' ("{fitted(words, CELLS)}")' if words and sign not in ("always", "never") else ""
        return f"Memory searched: {FIRED.get(sign, sign)}{quoted}."
    return f"Memory not searched: {QUIET.get(sign, f'it is a general request ({sign})')}."
