"""Models by name: "provider:model" to chat models and embeddings, the embedded ones, token counting.

Imports are light: what a provider needs is imported when a model of it is asked for.
"""

from hippograph.models.allowances import Allowance, allowance
from hippograph.models.breaker import Breaker, Breakers, Standing
from hippograph.models.catalogue import Entry
from hippograph.models.chat import READ_SECONDS, ChatModel, chat_model, cooled, tempered
from hippograph.models.counting import EstimatedCounter, TokenCounter, Usage, usage
from hippograph.models.deadline import Interrupted, within
from hippograph.models.embeddings import Embedder, embedder
from hippograph.models.estimating import estimate
from hippograph.models.faults import explain
from hippograph.models.local import close, prepare
from hippograph.models.prices import Price, Prices, prices
from hippograph.models.pull import Progress, pull
from hippograph.models.rerankers import Reranker, reranker
from hippograph.models.roles import Found, Role, choose, extractor_named, found
from hippograph.models.spending import failed, metered, note, said, spending

__all__ = [
    "READ_SECONDS",
    "Allowance",
    "Breaker",
    "Breakers",
    "ChatModel",
    "Embedder",
    "Entry",
    "EstimatedCounter",
    "Found",
    "Interrupted",
    "Price",
    "Prices",
    "Progress",
    "Reranker",
    "Role",
    "Standing",
    "TokenCounter",
    "Usage",
    "allowance",
    "chat_model",
    "choose",
    "close",
    "cooled",
    "embedder",
    "estimate",
    "explain",
    "extractor_named",
    "failed",
    "found",
    "metered",
    "note",
    "prepare",
    "prices",
    "pull",
    "reranker",
    "said",
    "spending",
    "tempered",
    "usage",
    "within",
]
