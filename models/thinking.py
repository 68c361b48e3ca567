"""Tells a reasoning model's thinking from its answer, in whole texts and in streams."""

import re
from collections.abc import Iterable, Iterator

_OPEN = re.compile(r"<think(?:ing)?>", re.IGNORECASE)
_CLOSE = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_TAGS = ("<think>", "<thinking>")


class Thinking:
    """Takes one answer in pieces and lets through what is not thinking.

    Thinking is what stands between <think> and </think> (or <thinking>). An unclosed tag counts too where an answer
    or a line begins: the model ran out of tokens. In the middle of a line it does not, nor does a tag in backticks:
    that is an answer about the tag.
    """

    def __init__(self, *, begun: bool = False) -> None:
        """Set up for one answer.

        Args:
            begun: the prompt may have opened the tag, so that the answer begins with thinking and only closes it.
        """
        self.thoughts = ""
        """The thinking so far."""
        self._begun = begun
        self._opening = ""  # The tag we are inside of.
        self._unclosed_counts = True
        self._held = ""
        self._said = ""

    def feed(self, piece: str) -> str:
        """Take the next piece; return what of the answer is certain by now."""
        self._held += piece
        shown = ""
        while True:
            if self._begun or self._opening:
                if not self._leave():
                    return shown
            elif tag := self._next_tag():
                shown += self._say(tag.start())
                self._enter(tag.group())
            else:
                return shown + self._say(len(self._held) - _partial_tag(self._held))

    def finish(self) -> str:
        """Say that the answer has ended; return what was held back and is no thinking after all."""
        if self._begun:
            self._begun = False
            return self.feed("") + self.finish()
        if self._opening and self._unclosed_counts:
            self.thoughts += self._held
            return ""
        self._held = self._opening + self._held
        return self._say(len(self._held))

    def _next_tag(self) -> re.Match[str] | None:
        return next(
            (tag for tag in _OPEN.finditer(self._held) if not _quoted(self._said + self._held[: tag.start()])), None
        )

    def _enter(self, tag: str) -> None:
        line = self._said.rpartition("\n")[2]
        self._unclosed_counts = not line.strip()
        self._opening, self._held = tag, self._held[len(tag) :]

    def _leave(self) -> bool:
        close = _CLOSE.search(self._held)
        if close is None:
            return False
        self.thoughts += self._held[: close.start()]
        self._held = self._held[close.end() :]
        self._begun, self._opening = False, ""
        return True

    def _say(self, length: int) -> str:
        """Let through so much of what is held; an answer begins with its first visible character."""
        text, self._held = self._held[:length], self._held[length:]
        if not self._said:
            text = text.lstrip()
        self._said += text
        return text


def split(text: str) -> tuple[str, str]:
    """Return (answer, thinking) of a whole text; a closing tag without an opening one ends thinking, too."""
    close, open_ = _CLOSE.search(text), _OPEN.search(text)
    begun = (
        close is not None and (open_ is None or close.start() < open_.start()) and not _quoted(text[: close.start()])
    )
    thinking = Thinking(begun=begun)
    answer = thinking.feed(text) + thinking.finish()
    return answer.strip() if thinking.thoughts else answer, thinking.thoughts.strip()


def stream(pieces: Iterable[str]) -> Iterator[str]:
    """Let the answer of a stream through as it comes, without the thinking."""
    thinking = Thinking()
    for piece in pieces:
        if shown := thinking.feed(piece):
            yield shown
    if shown := thinking.finish():
        yield shown


def conclusion(thoughts: str) -> str:
    """The last paragraph of some thinking: the best there is when the model never got to its answer."""
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", thoughts) if part.strip()]
    return _OPEN.sub("", paragraphs[-1]).strip() if paragraphs else ""


def _quoted(before: str) -> bool:
    """Whether what follows is code: inside a fence or right after a backtick."""
    return before.count("```") % 2 == 1 or before.endswith("`")


def _partial_tag(text: str) -> int:
    """Length of the end of a text that may become an opening tag."""
    start = text.rfind("<", -len(_TAGS[-1]))
    if start < 0:
        return 0
    tail = text[start:].lower()
    return len(tail) if any(tag.startswith(tail) for tag in _TAGS) else 0
