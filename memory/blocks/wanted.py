"""What a block is wanted for, as digests: all that makes one block differ from another. Pure."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from typing import Any, Literal

from hippograph.memory.blocks.alike import normalised, present, signature
from hippograph.memory.times import now
from hippograph.state import Recollection

How = Literal["exact", "near"]
EXACT: How = "exact"
"""Found for the same question."""
NEAR: How = "near"
"""Found for the same question in other words."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A block that is wanted."""

    space: str
    question: str
    evidence: Sequence[Recollection]
    """What it is to be made of, in the order in which the model is shown it, and with the words it is shown in."""
    model: str
    """Full name of the model that would write it."""
    means: str
    """Digest of what else the block depends on: prompts, schema, the code that checks it, windows of models."""
    language: str
    budget: int
    """Most tokens of the block."""
    lasting: bool = True
    """Whether the question may leave a trace; else only a digest of it is kept, and it is not found in other words."""
    ahead: bool = False
    """Whether it is written ahead: such a search does not count as one."""
    at: datetime = field(default_factory=lambda: now().astimezone())
    """When it is asked, in the asker's own zone."""

    @cached_property
    def exact(self) -> str:
        """Digest of all that the block depends on."""
        shown = [_shown(each, self.at) for each in self.evidence]
        return _digest(*self._frame, normalised(self.question), shown)

    @cached_property
    def alike(self) -> str:
        """Digest of the same, with what another question must have in common in place of the question's words."""
        shown = sorted(json.dumps(_shown(each, self.at)) for each in self.evidence)
        return _digest(*self._frame, signature(self.question), shown)

    @cached_property
    def versions(self) -> dict[str, int]:
        """Ids of the memories it rests on, with their versions."""
        return {each.id: each.version for each in self.evidence}

    @property
    def _frame(self) -> Sequence[str | int]:
        day = present(self.question, self.at)
        return self.space, self.model, self.means, self.language, self.budget, day


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What writing a block took."""

    input: int
    """Tokens of the prompts."""
    output: int
    """Tokens of the replies."""
    ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A block that was found."""

    block: Mapping[str, Any]
    """As it was kept."""
    how: How
    written: Written
    """What finding it saves."""
    ahead: bool
    """Whether it was written ahead."""


def _shown(memory: Recollection, at: datetime) -> Sequence[str | int | bool | None]:
    """Return all of a memory that a block may depend on."""
    starts, ends = memory.valid_from, memory.valid_until
    return [
        memory.id,
        memory.version,
        memory.text,
        memory.kind,
        memory.speaker or memory.role,
        memory.status,
        memory.negated,
        memory.attribute,
        memory.topic,
        memory.superseded_by,
        memory.said_at.isoformat(),
        None if starts is None else starts.isoformat(),
        None if ends is None else ends.isoformat(),
        starts is None or starts <= at,
        ends is not None and ends <= at,
    ]


def _digest(*parts: object) -> str:
    return sha256(json.dumps(parts, ensure_ascii=False).encode("utf-8", "replace")).hexdigest()
