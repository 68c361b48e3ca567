"""Every error this project raises; each message says what happened and what to do next.

HippographError
├── BadInput            what was given cannot be used (also a ValueError)
├── HomeInUse           another process owns the home
├── HomeUnusable        the home cannot be read or written
├── EmbedderChanged     the home was indexed with another embedding model
└── ModelError
    ├── ModelUnavailable    no model answers at the configured address
    ├── ModelNotFound       the name is not one the provider knows
    ├── MissingKey          the provider wants a key that is not set
    ├── ModelNotPulled      an embedded model is not on this machine yet
    ├── PromptTooLong       the prompt does not fit the model's window
    └── NothingNoted        the model found nothing worth noting in what it was shown

They derive from RuntimeError because the LangGraph server hides the text of most other exceptions from its clients.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hippograph.state.turn import Call


class HippographError(RuntimeError):
    """Base of every error this package raises."""


class BadInput(HippographError, ValueError):
    """What was given cannot be used."""


class HomeInUse(HippographError):
    """Another process owns the home."""


class HomeUnusable(HippographError):
    """The home cannot be read or written."""


class EmbedderChanged(HippographError):
    """The home was indexed with another embedding model."""


class ModelError(HippographError):
    """A model cannot be used."""

    spent: "Sequence[Call]" = ()
    """The calls that were made until then, and that one."""


class ModelUnavailable(ModelError):
    """No model answers at the configured address."""


class ModelNotFound(ModelError):
    """The name is not one the provider knows."""


class MissingKey(ModelError):
    """The provider wants a key that is not set."""


class ModelNotPulled(ModelError):
    """An embedded model is not on this machine yet."""


class PromptTooLong(ModelError):
    """The prompt does not fit the model's window."""


class NothingNoted(ModelError):
    """The model found nothing worth noting in what it was shown: an answer, and no failure of the model."""
