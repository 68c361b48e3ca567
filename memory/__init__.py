"""Long-term memory: a ledger of everything said, an index over it, and recall. Usable without LangGraph."""

from hippograph.memory.backlog import Backlog, Job, Readings
from hippograph.memory.home import Health
from hippograph.memory.manifests import Snapshot
from hippograph.memory.memory import Memory
from hippograph.memory.recall import Candidates
from hippograph.memory.second import Ranked

__all__ = ["Backlog", "Candidates", "Health", "Job", "Memory", "Ranked", "Readings", "Snapshot"]
