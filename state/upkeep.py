"""What upkeep is told and what it says: the typed schemas of the second graph."""

import operator
from typing import Annotated, Literal, get_args

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from hippograph.state.context import LONGEST, ModelName, model_of, prompt_of
from hippograph.state.recollection import Kind

Step = Literal["expire", "sweep", "decay", "clean", "merge", "entities", "compact"]
STEPS: tuple[Step, ...] = get_args(Step)
"""The steps in their order: what is wrong goes before what is left is weighed, merged and distilled."""

Days = Annotated[float, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]


class Policy(BaseModel):
    """How far upkeep goes. Ages count from when a memory was learned, in days."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    ttl_days: dict[Kind, Days] = Field(default_factory=dict)
    """Kind of memory to the days after which it expires, counted from when it was said. Others last."""

    clean_after_days: Days = 7
    """Younger memories are never cleaned away."""

    clean_below: Share = 0.2
    """Derived memories of less importance, that no answer ever rested on, are cleaned away."""

    most_derived: Annotated[int, Field(ge=0)] = 0
    """Most derived memories of one user that stay current; of more, those used longest ago leave. 0: no limit."""

    merge_kinds: tuple[Kind, ...] = ("fact", "preference", "event")
    """Kinds of memories that are merged into summaries."""

    merge_after_days: Days = 30
    """Younger memories stay as they are."""

    merge_at_least: Annotated[int, Field(ge=2)] = 4
    """Fewer memories on one topic are left as they are."""

    merge_at_most: Annotated[int, Field(ge=2)] = 12
    """Most memories in one summary."""

    merge_alike: Share = 0.55
    """How alike two memories of one subject must be to be of one topic, where none is given: 1 is the same text."""


class UpkeepContext(Policy):
    """Settings of one run of upkeep."""

    user_id: str | None = None
    """Whose memories are kept up. Empty: everybody's."""

    steps: tuple[Step, ...] = STEPS
    """Only these steps, in their own order."""

    dry_run: bool = False
    """Only tell what would be done."""

    at: AwareDatetime | None = None
    """As if it were this time, with a zone. Empty: now."""

    big: Annotated[ModelName, Field(json_schema_extra=model_of("merge"))] = None
    """The model that writes summaries, as "provider:model". Empty: what the graph was built with, if any."""

    merge_prompt: Annotated[str, Field(max_length=LONGEST, json_schema_extra=prompt_of("merge"))] = ""
    """Replaces what `big` is asked of memories that are merged; {topic} stands for what they are about. Empty: the
    project's own, zh or en."""


class StepReport(TypedDict):
    """What one step did, or would do."""

    step: str
    counts: dict[str, int]
    """What was done, in words, to how often; empty where there was nothing to do."""
    ids: list[str]
    """The memories it changed or made."""
    note: str
    """What was left undone and why; empty where nothing was."""
    ms: float


class UpkeepState(TypedDict, total=False):
    """What a run works on."""

    lease: str
    """This run's right to change memories; empty where another run has it."""
    reports: Annotated[list[StepReport], operator.add]
    note: str


class UpkeepRequest(TypedDict, total=False):
    """What a run is given: nothing; its settings are its context."""

    note: str


class Outcome(TypedDict, total=False):
    """What a run returns."""

    reports: Annotated[list[StepReport], operator.add]
    note: str
    """Why nothing was done; empty where the steps ran."""
