"""Imports point downwards only; the import-linter contract in pyproject.toml says the same to `make lint`."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = ["state", "models", "memory", "nodes", "graph", "bench", "cli"]
"""Lowest first: each may import those before it."""


def imported(path: Path) -> Iterator[str]:
    """Yield every module name a file imports, lazily imported ones too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def above(layer: str, module: str) -> bool:
    parts = module.split(".")
    if parts[0] != "hippograph" or len(parts) < 2 or parts[1] not in LAYERS:
        return False
    return LAYERS.index(parts[1]) > LAYERS.index(layer)


@pytest.mark.parametrize("layer", LAYERS)
def test_a_layer_imports_only_layers_below_it(layer: str) -> None:
    files = sorted((ROOT / layer).rglob("*.py"))
    assert files
    wrong = [f"{path.relative_to(ROOT)}: {name}" for path in files for name in imported(path) if above(layer, name)]
    assert wrong == []


def test_an_upward_import_would_be_seen(tmp_path: Path) -> None:
    (tmp_path / "ledger.py").write_text("def late():\n    from hippograph import cli\n")
    names = list(imported(tmp_path / "ledger.py"))
    assert [name for name in names if above("memory", name)] == ["hippograph.cli"]


HEAVY = ["langgraph", "langchain_core", "chromadb", "sqlalchemy", "rich", "prompt_toolkit"]


def test_the_command_starts_without_its_heavy_libraries() -> None:
    """Cold start: they are imported when a command needs them."""
    code = f"import hippograph.cli, sys; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
