"""Models by name: "provider:model" to chat models and embeddings, the embedded ones, token counting.

Imports are light: what a provider needs is imported when a model of it is asked for.
"""

from hippograph.models.breaker import Breaker, Breakers, Standing
from hippograph.models.catalogue import Entry
from hippograph.models.chat import READ_SECONDS, ChatModel, chat_model, cooled
from hippograph.models.counting import EstimatedCounter, TokenCounter, Usage, estimate, usage
from hippograph.models.deadline import Interrupted, within
from hippograph.models.embeddings import Embedder, embedder
from hippograph.models.faults import explain
from hippograph.models.local import close, prepare
from hippograph.models.pull import Progress, pull
from hippograph.models.rerankers import Reranker, reranker
from hippograph.models.roles import Found, Role, choose, extractor_named, found

__all__ = [
    "READ_SECONDS",
    "Breaker",
    "Breakers",
    "ChatModel",
    "Embedder",
    "Entry",
    "EstimatedCounter",
    "Found",
    "Interrupted",
    "Progress",
    "Reranker",
    "Role",
    "Standing",
    "TokenCounter",
    "Usage",
    "chat_model",
    "choose",
    "close",
    "cooled",
    "embedder",
    "estimate",
    "explain",
    "extractor_named",
    "found",
    "prepare",
    "pull",
    "reranker",
    "usage",
    "within",
]
