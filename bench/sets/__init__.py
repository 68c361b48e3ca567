"""The data sets of the retrieval benchmarks; none is part of the project, each is read from where it lies."""

from importlib import import_module
from pathlib import Path

from hippograph.bench.sets import files
from hippograph.bench.sets.dataset import Dataset, Fact, Group, Item, Pair, Question, one

NAMES = ("locomo", "longmemeval", "lifebench", "madial", "automemory", "cri")
FOLDERS = {"lifebench": "lifebench_zh"}
"""Folders beside the checkout that are named otherwise than their set."""


def read(name: str, path: Path | None = None) -> Dataset:
    """Read a data set.

    Args:
        name: One of NAMES.
        path: Its folder or file; without it, the one in ../shared/data.

    Raises:
        BadInput: It is not there, or not as its makers write it.
    """
    place = files.found(path, FOLDERS.get(name, name))
    dataset = files.checked(import_module(f"{__name__}.{name}").read, place, name)
    assert isinstance(dataset, Dataset)
    return dataset


__all__ = ["NAMES", "Dataset", "Fact", "Group", "Item", "Pair", "Question", "one", "read"]
