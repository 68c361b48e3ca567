"""Conversations from files: read and checked whole before anything is stored, then stored thread by thread."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hippograph.memory.exchange.imported import Imported
from hippograph.memory.intake import ROLES
from hippograph.memory.times import utc
from hippograph.state import BadInput, Turn

if TYPE_CHECKING:
    from hippograph.memory.memory import Memory

BATCH = 100
"""Turns stored in one transaction: an import that is stopped goes on at the next."""


@dataclass(frozen=True, slots=True)
class Told:
    """A turn and the thread it belongs to."""

    thread: str
    turn: Turn


def read_jsonl(path: Path, thread: str | None = None) -> list[Told]:
    """Read a transcript: one JSON object a line, {"role", "text", "said_at"?, "thread"?, "speaker"?, "id"?}.

    "content" does for "text", and "created_at" or "timestamp" for "said_at".

    Turns without an id get one made of their place and content, so that importing the file again stores nothing twice.

    Args:
        path: The file, UTF-8; empty lines are passed over.
        thread: Thread of the turns that name none; without it, the file's name.

    Raises:
        BadInput: The file cannot be read, or lines are bad; the message names them by number, and why.
    """
    text, told, bad, origin = _read(path), list[Told](), list[str](), str(path.resolve())
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                told.append(_parse(line, number, thread or path.stem, origin))
            except BadInput as error:
                bad.append(f"line {number}: {error}")
    if bad:
        more = f"\n  … and {len(bad) - 10} more" if len(bad) > 10 else ""
        raise BadInput(f"{path} was not imported, nothing is stored:\n  " + "\n  ".join(bad[:10]) + more)
    if not told:
        raise BadInput(f"{path} holds no turns: write one JSON object a line, such as {EXAMPLE}")
    return told


TIMES = ("said_at", "created_at", "timestamp")
"""Names under which lines have the time, the first that is there."""
EXAMPLE = '{"role": "user", "text": "I moved to Oslo.", "said_at": "2026-05-01T09:30:00+02:00"}'


def read_locomo(path: Path, sample: str) -> list[Told]:
    """Read one conversation of a LoCoMo file, a thread a session, ids as in its evidence ("D1:3").

    The first speaker is taken as the user, the second as the assistant; photo captions stand in brackets. Two samples
    have turns of one id: each needs a user of its own.

    Raises:
        BadInput: The file is no LoCoMo file or has no such sample; the message lists those it has.
    """
    try:
        samples = {each["sample_id"]: each["conversation"] for each in json.loads(_read(path))}
    except (ValueError, TypeError, KeyError):
        raise BadInput(f"{path} is no LoCoMo file: a JSON list of objects with sample_id and conversation.") from None
    if sample not in samples:
        raise BadInput(f"{path} has no sample {sample!r}: use --sample with one of {', '.join(samples)}.")
    try:
        return list(_locomo_turns(sample, samples[sample]))
    except (ValueError, TypeError, KeyError) as error:
        raise BadInput(f"Sample {sample!r} of {path} is not as LoCoMo writes it ({error!r}).") from None


def import_turns(
    memory: "Memory",
    space: str,
    told: list[Told],
    progress: Callable[[int, int], None] = lambda done, total: None,
    *,
    restore_forgotten: bool = False,
) -> Imported:
    """Store turns that were read; may be stopped and run again, and stores nothing twice.

    Args:
        memory: Where to.
        space: Whose memories they are.
        told: What `read_jsonl` or `read_locomo` returned.
        progress: Called with how many are done, and of how many.
        restore_forgotten: Store also what was forgotten in this space; else it is left out and counted.
    """
    left_out = set[str]()
    for thread, group in groupby(told, key=lambda each: each.thread):
        left_out |= memory.returning(space, [each.turn for each in group], thread, let=restore_forgotten)
    told = [each for each in told if each.turn["id"] not in left_out]
    known, done = len(memory.known(space, [each.turn["id"] for each in told])), 0
    for thread, group in groupby(told, key=lambda each: each.thread):
        turns = [each.turn for each in group]
        for start in range(0, len(turns), BATCH):
            memory.add_turns(space, thread, turns[start : start + BATCH])
            done += len(turns[start : start + BATCH])
            progress(done, len(told))
    return Imported(stored=len({each.turn["id"] for each in told}) - known, known=known, forgotten=len(left_out))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8 text (byte {error.start}): save it as UTF-8.") from error


def _parse(line: str, number: int, thread: str, origin: str) -> Told:
    try:
        found: Any = json.loads(line)
    except json.JSONDecodeError as error:
        raise BadInput(f"no JSON ({error.msg}, column {error.colno})") from None
    except (ValueError, RecursionError) as error:
        raise BadInput(f"no JSON that can be read ({error})") from None
    if not isinstance(found, dict):
        raise BadInput('no JSON object: write {"role": …, "text": …}')
    if found.get("role") not in ROLES:
        raise BadInput(f"role is {found.get('role')!r}: use one of {', '.join(ROLES)}")
    text = found.get("text", found.get("content"))
    if not isinstance(text, str):
        raise BadInput("text is missing or no text")
    thread = str(found.get("thread") or thread)
    turn = Turn(role=found["role"], text=text, origin=origin)
    if said_at := next((found[name] for name in TIMES if found.get(name)), None):
        turn["said_at"] = utc(said_at)
    if found.get("speaker"):
        turn["speaker"] = str(found["speaker"])
    made = sha256(json.dumps([number, thread, line], ensure_ascii=False).encode("utf-8", "replace")).hexdigest()[:32]
    turn["id"] = str(found.get("id") or made)
    return Told(thread, turn)


def _locomo_turns(sample: str, talk: dict[str, Any]) -> Iterator[Told]:
    names = sorted((name for name in talk if re.fullmatch(r"session_\d+", name)), key=lambda name: int(name[8:]))
    for name in names:
        began = datetime.strptime(talk[f"{name}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        for place, said in enumerate(talk[name]):
            caption = f" [photo: {said['blip_caption']}]" if said.get("blip_caption") else ""
            turn = Turn(
                role="user" if said["speaker"] == talk["speaker_a"] else "assistant",
                speaker=said["speaker"],
                text=said["text"] + caption,
                said_at=began + timedelta(seconds=place),
                id=said["dia_id"],
            )
            yield Told(f"{sample}/{name}", turn)
