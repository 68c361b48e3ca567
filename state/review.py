"""What a person is asked about a memory, and what they may say."""

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, model_validator
from typing_extensions import TypedDict

Action = Literal["approve", "edit", "reject"]
Scope = Literal["once", "always"]


class Doubtful(TypedDict):
    """A memory that is to be injected and that a person should look at first, as JSON."""

    id: str
    text: str
    kind: str
    said_at: str
    score: float
    """How well it fits the question, in [0, 1]."""
    reasons: list[str]
    """Why, in words."""
    question: str
    """What it is to help to answer."""
    number: int
    """Which of those to be looked at in this turn it is, from 1."""
    of: int


class Review(BaseModel):
    """What becomes of the memory."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    action: Action
    """approve: it is used. edit: it is changed to `text`, for good, and used. reject: it is left out."""

    text: str = ""
    """What it is to say instead; only for edit."""

    scope: Scope = "once"
    """once: for this answer. always: a rejected one is not recalled again, an approved one no longer called unsure."""

    rest: bool = False
    """Whether the same is said to all that are still to be looked at in this turn; not for edit."""

    @model_validator(mode="after")
    def _has_its_text(self) -> Self:
        if (self.action == "edit") != bool(self.text.strip()):
            raise ValueError("`text` goes with edit, and edit needs it.")
        if self.action == "edit" and self.rest:
            raise ValueError("`rest` goes with approve or reject: one text is not for several memories.")
        return self
