import subprocess
import sys

import pytest

import hippograph.graph


def test_every_part_is_exported_and_every_export_is_there() -> None:
    for name in hippograph.graph.__all__:
        assert getattr(hippograph.graph, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = hippograph.graph.nothing


def test_the_graph_is_imported_without_what_only_parts_need() -> None:
    code = (
        "import hippograph.graph, sys; "
        f"print([name for name in {[f'hippograph.graph.{part}' for part in ('tools', 'middleware', 'llama_index')]} "
        "if name in sys.modules], 'langchain.agents' in sys.modules, 'llama_index.core' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[] False False"
