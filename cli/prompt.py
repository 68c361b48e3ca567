"""Where the chat's lines come from: an editable prompt on a terminal, plain lines otherwise."""

import hashlib
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from prompt_toolkit.history import FileHistory


class Prompt(Protocol):
    """Reads one line; EOFError at the end, KeyboardInterrupt on Ctrl-C."""

    def __call__(self) -> str:
        """Read one line."""


def open_prompt(home: Path, user: str, commands: Iterable[str]) -> Prompt:
    """Return the prompt that fits stdin."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        return _editable(home, user, commands)
    return _plain


def _plain() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\n")


def _editable(home: Path, user: str, commands: Iterable[str]) -> Prompt:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter

    history = open_history(history_path(home, user))
    completer = WordCompleter(sorted(commands), sentence=True)
    session: PromptSession[str] = PromptSession(history=history, completer=completer, complete_while_typing=False)
    return lambda: session.prompt("> ")


def history_path(home: Path, user: str) -> Path:
    """Return the file that keeps what a user typed."""
    return home / "history" / hashlib.sha256(user.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def open_history(path: Path) -> "FileHistory":
    """Return the history of a file; commands are not written into it."""
    from prompt_toolkit.history import FileHistory

    class Messages(FileHistory):
        def store_string(self, string: str) -> None:
            if not string.startswith("/"):
                super().store_string(string)

    path.parent.mkdir(parents=True, exist_ok=True)
    return Messages(str(path))


def forget_typed(path: Path, texts: Iterable[str]) -> None:
    """Take forgotten messages out of what the prompt offers again."""
    if not path.exists():
        return
    forgotten = {text.strip() for text in texts}
    kept = [line for line in reversed(list(open_history(path).load_history_strings())) if line.strip() not in forgotten]
    path.unlink()
    history = open_history(path)
    for line in kept:
        history.store_string(line)
