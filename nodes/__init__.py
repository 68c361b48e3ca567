"""The steps of a turn, one file each: state in, changed keys out; no storage code."""

from hippograph.nodes.check_trigger import check_trigger
from hippograph.nodes.rerank import rerank
from hippograph.nodes.respond import respond
from hippograph.nodes.retrieve import retrieve
from hippograph.nodes.review import review
from hippograph.nodes.run import Resources, Run, Update
from hippograph.nodes.summarize import summarize
from hippograph.nodes.write_back import write_back

__all__ = [
    "Resources",
    "Run",
    "Update",
    "check_trigger",
    "rerank",
    "respond",
    "retrieve",
    "review",
    "summarize",
    "write_back",
]
