"""Long-term memory: a ledger of everything said, an index over it, and recall. Usable without LangGraph."""

from hippograph.memory.backup.manifests import Snapshot
from hippograph.memory.blocks.saving import Reuse
from hippograph.memory.home import Health
from hippograph.memory.items.item import Item, Put
from hippograph.memory.items.items import Items
from hippograph.memory.memory import Memory
from hippograph.memory.search.recall import Candidates
from hippograph.memory.search.second import Ranked
from hippograph.memory.work.backlog import Backlog, Job, Readings

__all__ = [
    "Backlog",
    "Candidates",
    "Health",
    "Item",
    "Items",
    "Job",
    "Memory",
    "Put",
    "Ranked",
    "Readings",
    "Reuse",
    "Snapshot",
]
