"""Blocks that a model wrote, kept to be found again for the same question about the same memories."""

from hippograph.memory.blocks.kept import Blocks
from hippograph.memory.blocks.saving import Reuse
from hippograph.memory.blocks.wanted import Found, Wanted, Written

__all__ = ["Blocks", "Found", "Reuse", "Wanted", "Written"]
