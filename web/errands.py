"""What chat programs ask on their own behalf: titles, tags and follow-ups, which no user said."""

import re

ERRANDS = re.compile(
    r"\A\s*### Task:\n.{0,400}chat history"  # Open WebUI: titles, tags, follow-ups, search queries
    r"|concise, 5-word-or-less title for the conversation"  # LibreChat
    r"|\ABased on the chat history, give this conversation a name"  # Chatbox
    r"|你是一名擅长会话的助理，你需要将用户的会话总结为",  # LobeChat, Cherry Studio
    re.IGNORECASE | re.DOTALL,
)
_LOOKED_AT = 2000
"""Characters of a text that are looked at."""


def is_errand(system: str, question: str) -> bool:
    """Tell whether a request is a program's own errand: it is answered, without memory, and not remembered."""
    return any(ERRANDS.search(text[:_LOOKED_AT]) for text in (system, question))
