"""The rolling summary in a big model's words: written in the background, used where it still fits what is there.

No turn waits for it. Code's lines stay until the model's words for them are checked, and for good where it fails.
"""

import logging
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from hippograph.memory.language import language
from hippograph.memory.proper import is_no_name, names
from hippograph.models.estimating import estimate
from hippograph.nodes import prompts
from hippograph.nodes.distil import check
from hippograph.nodes.importance import is_question
from hippograph.nodes.noting import Terms
from hippograph.nodes.rolling import BULLET, TOKENS, halves, parts, within
from hippograph.state import HippographError, Recollection
from hippograph.state.turn import Call

if TYPE_CHECKING:
    from hippograph.models import ChatModel

EVERY = 10
"""Lines of code's, each a turn, after which a summary is shortened; sooner where most of its tokens are used."""
MOSTLY = 0.75
_NUMBER = re.compile(r"\d+")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortened:
    """What stands for some lines of a summary."""

    lines: tuple[str, ...]
    stands_for: tuple[str, ...]
    """Lines of code's that it takes the place of; all their numbers and names are in it."""
    spent: tuple[Call, ...] = ()


Calling = Callable[[Callable[[], Shortened | None]], Shortened | None]
"""Makes a call, in its own way, and returns what it gives; raises ModelError where it does not make it."""


def _at_once(call: Callable[[], Shortened | None]) -> Shortened | None:
    return call()


def _digest(line: str) -> str:
    return sha256(line.encode("utf-8", "replace")).hexdigest()[:16]


@dataclass(slots=True)
class Condenser:
    """Has one summary a thread shortened at a time. Thread-safe; nothing is kept beyond the process."""

    _done: dict[str, Shortened] = field(default_factory=dict)
    _busy: dict[str, threading.Thread] = field(default_factory=dict)
    _tried: dict[str, frozenset[str]] = field(default_factory=dict)
    """Digests of the lines of each thread for which a model wrote nothing that could take their place."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def offer(
        self,
        key: str,
        summary: str,
        big: "Callable[[], ChatModel | None]",
        call: Calling = _at_once,
        prompt: str = "",
    ) -> None:
        """Begin to shorten a thread's summary, where that is worth it and not under way; return at once.

        Lines for which a model gave nothing are tried again once `EVERY` new ones stand beside them.

        Args:
            key: Of the thread.
            summary: As code wrote it.
            big: Opens the model.
            call: Makes the call: it may refuse, or give up after a time.
            prompt: What is asked, in place of the project's own.
        """
        lines = [line for line in parts(summary)[1] if not line.startswith(BULLET)]
        if len(lines) < EVERY and (len(lines) < 2 or estimate(summary) < MOSTLY * TOKENS):
            return
        with self._lock:
            tried = self._tried.get(key, frozenset())
            if key in self._busy or key in self._done or (tried and len({*map(_digest, lines)} - tried) < EVERY):
                return
            given = (key, lines, big, call, prompt)
            worker = threading.Thread(target=self._shorten, args=given, name="condenser", daemon=True)
            self._busy[key] = worker
        worker.start()

    def taken(self, key: str, summary: str) -> tuple[str, list[Call]]:
        """Return a thread's summary with what was written for it meanwhile, and what that cost.

        It is used once, and only while every line that it stands for is there: what was forgotten does not come back.
        """
        with self._lock:
            found = self._done.pop(key, None)
        if found is None:
            return summary, []
        gone, lines = parts(summary)
        if not found.lines or not {*found.stands_for} <= {*lines}:
            return summary, list(found.spent)
        place = lines.index(found.stands_for[0])
        left = [line for line in lines if line not in found.stands_for]
        shorter = within([*left[:place], *found.lines, *left[place:]], gone)
        return (shorter if shorter and estimate(shorter) < estimate(summary) else summary), list(found.spent)

    def wait(self, seconds: float) -> None:
        """Wait until nothing is under way."""
        with self._lock:
            workers = list(self._busy.values())
        for worker in workers:
            worker.join(seconds)

    def _shorten(
        self, key: str, lines: Sequence[str], big: "Callable[[], ChatModel | None]", call: Calling, prompt: str
    ) -> None:
        found: Shortened | None = None
        terms = Terms()

        def ask() -> Shortened | None:
            model = big()
            return shortened(model, lines, terms, prompt) if model else None

        try:
            found = call(ask)
        except HippographError as error:
            log.info("the rolling summary stays as code wrote it: %s", error)
            found = Shortened(lines=(), stands_for=(), spent=tuple(terms.spent))
        finally:
            with self._lock:
                del self._busy[key]
                self._tried.pop(key, None)
                if not (found and found.lines):
                    self._tried[key] = frozenset(map(_digest, lines))
                if found:
                    self._done[key] = found


def shortened(big: "ChatModel", lines: Sequence[str], terms: Terms, prompt: str = "") -> Shortened:
    """Return a model's sentences for lines of a summary, each borne out by those it cites.

    A line leaves only if a sentence that cites it, or several, have all of its numbers and names.

    Raises:
        ModelError: The call failed, or its reply cannot be read.
    """
    which = language("\n".join(lines))
    now = datetime.now(UTC)
    shown = [
        Recollection(id=f"line {n}", text=line, kind="summary", role="", said_at=now, score=0.0, thread="", position=n)
        for n, line in enumerate(lines)
    ]
    bullets = check(big, shown, prompt or prompts.load("rolling", which), big.counter.text, which, terms).bullets
    kept, covered = list[str](), dict[str, str]()
    for bullet in bullets:
        told = "\n".join(source.text for source in bullet.sources)
        if _NUMBER.search(bullet.text) and not _numbers(bullet.text) <= _numbers(told):
            continue  # The day of today, which is no day of theirs.
        kept.append(BULLET + bullet.text)
        covered |= {source.text: f"{covered.get(source.text, '')}\n{bullet.text}" for source in bullet.sources}
    leaving = [line for line in lines if line in covered and _telling(_core(line)) <= _telling(covered[line])]
    return Shortened(lines=tuple(kept) if leaving else (), stands_for=tuple(leaving), spent=tuple(terms.spent))


def _core(line: str) -> str:
    """Return what of a line must not be lost: what a person said, and the answer where he asked."""
    asked, answer = halves(line)
    return f"{asked}\n{answer}" if is_question(asked) else asked


def _numbers(text: str) -> set[str]:
    return {*_NUMBER.findall(text)}


def _telling(text: str) -> set[str]:
    """Return the numbers and names of a text, in small letters."""
    return _numbers(text) | {each.lower() for each in names(text) if not is_no_name(each)}
