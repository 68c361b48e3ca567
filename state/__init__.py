"""The typed schemas: conversation state, per-run context, what recall returns, settings and errors."""

from hippograph.state.context import Context
from hippograph.state.errors import (
    BadInput,
    EmbedderChanged,
    HippographError,
    HomeInUse,
    HomeUnusable,
    MissingKey,
    ModelError,
    ModelNotFound,
    ModelNotPulled,
    ModelUnavailable,
    NothingNoted,
    PromptTooLong,
)
from hippograph.state.forgetting import Choice, Receipt
from hippograph.state.history import Step, StepRecord
from hippograph.state.recollection import Kind, MemoryRecord, Recollection, Source, SourceRecord, Status, Turn
from hippograph.state.review import Doubtful, Review
from hippograph.state.settings import Settings
from hippograph.state.threads import space_hash, thread_key

__all__ = [
    "BadInput",
    "Choice",
    "Context",
    "Doubtful",
    "EmbedderChanged",
    "HippographError",
    "HomeInUse",
    "HomeUnusable",
    "Kind",
    "MemoryRecord",
    "MissingKey",
    "ModelError",
    "ModelNotFound",
    "ModelNotPulled",
    "ModelUnavailable",
    "NothingNoted",
    "PromptTooLong",
    "Receipt",
    "Recollection",
    "Review",
    "Settings",
    "Source",
    "SourceRecord",
    "Status",
    "Step",
    "StepRecord",
    "Turn",
    "space_hash",
    "thread_key",
]
