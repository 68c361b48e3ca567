"""`snapshot`, `snapshots` and `restore`, in this process and with an embedder that costs nothing."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from hippograph.bench.hashed import hashed
from hippograph.cli.app import app
from hippograph.cli.failure import explain
from hippograph.memory import home as homes

Run = Callable[..., Any]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Runs a command on a home with a snapshot of one memory, and one more memory since; returns what it printed."""
    home = tmp_path_factory.mktemp("home")

    def run(*args: str, answer: str = "", code: int = 0) -> Any:
        done = CliRunner().invoke(app, [*args, "--home", str(home)], input=answer)
        said = explain(done.exception) if done.exception and done.exit_code == 1 and done.exc_info else ""
        assert done.exit_code == code, (done.output, done.exception)
        return json.loads(done.stdout) if "--json" in args else done.stdout + done.stderr + said

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(homes, "embedder", lambda *_: hashed())
        run("remember", "My boat is called Quetzal.")
        run("snapshot", "--note", "one boat")
        run("remember", "I am allergic to lychee.")
        yield run


def texts(run: Run) -> list[str]:
    return [memory["text"] for memory in run("memories", "--json")]


def test_a_home_goes_back_to_a_snapshot_and_forth_again(run: Run) -> None:
    (kept,) = run("snapshots", "--json")
    assert (kept["note"], kept["counts"]["memories"]) == ("one boat", 1)
    assert kept["id"] in run("snapshots")
    refused = run("restore", kept["id"], answer="n\n", code=1)
    assert "one boat" in refused
    assert "Nothing was changed" in refused
    done = run("restore", kept["id"], "--yes", "--json")
    assert texts(run) == ["My boat is called Quetzal."]
    assert "Restored" in run("restore", done["before"]["id"], "--yes")
    assert len(texts(run)) == 2
    assert "no snapshot" in run("restore", "nonsense", "--yes", code=1)


def test_another_embedding_model_is_named_unless_all_is_made_anew(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = run("snapshots", "--json")[0]["id"]
    other = type(hashed())(spec="other", dimension=384, embeddings=hashed().embeddings, chunk_chars=700)
    monkeypatch.setattr(homes, "embedder", lambda *_: other)
    told = run("restore", kept, "--yes", "--embeddings", "other", code=1)
    assert "hashed (384)" in told
    assert "--reindex" in told
    run("restore", kept, "--yes", "--embeddings", "other", "--reindex")
    assert run("status", "--json")["embeddings"] == "other"
    assert texts(run) == ["My boat is called Quetzal."]
    monkeypatch.undo()
    run("restore", kept, "--yes", "--embeddings", "hashed")
    assert run("status", "--json")["embeddings"] == "hashed"


def test_a_ledger_that_is_damaged_is_restored_and_kept_beside(run: Run) -> None:
    status, kept = run("status", "--json"), run("snapshots", "--json")[0]
    home = Path(status["home"])
    (home / "ledger.db").write_bytes(b"no database at all" * 100)
    assert "damaged" in run("memories", code=1)
    run("restore", kept["id"], "--yes", "--embeddings", "hashed")
    assert texts(run) == ["My boat is called Quetzal."]
    run("restore", "latest", "--yes")
    assert texts(run) == ["My boat is called Quetzal."]
    assert (home / "ledger.db.damaged-1").read_bytes().startswith(b"no database")


def test_snapshots_are_checked_pruned_and_deleted_only_when_asked(run: Run) -> None:
    before = run("snapshots", "--json")
    assert run("snapshots", "--check", "--json") == {"snapshots": len(before), "damaged": {}}
    assert "one of --check" in run("snapshots", "--check", "--prune", code=1)
    assert "Nothing was deleted" in run("snapshots", "--prune", "--daily", "1", answer="n\n", code=1)
    assert run("snapshots", "--json") == before
    pruned = run("snapshots", "--prune", "--daily", "1", "--yes", "--json")
    (last,) = pruned["kept"]
    assert {last, *pruned["deleted"]} == {each["id"] for each in before}
    assert len(pruned["deleted"]) == len(before) - 1
    for pack in (Path(before[0]["folder"]) / "packs").iterdir():
        pack.write_bytes(pack.read_bytes()[:-1])
    assert f"{last} is damaged: " in run("snapshots", "--check", code=1)
    run("snapshots", "--delete", last, "--yes")
    assert run("snapshots", "--json") == []
