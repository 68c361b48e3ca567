"""`hippograph stats`, run as its users run it, over an account that is already there."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pexpect
import pytest
from accounts import Book, call, stage, taken

from hippograph.cli.figures import BARS, bars, money_text, stats_lines
from hippograph.cli.judging import judge
from hippograph.cli.lines import dollars
from hippograph.memory.intake import memory_row, turn_rows
from hippograph.state import BadInput
from hippograph.state.costs import Sample, Spent, Verdict

if TYPE_CHECKING:
    from tests.cli.conftest import Command


def filled(home: Path, samples: int = 0) -> Path:
    """A home with three days of turns, two of them Ann's, and summaries to judge."""
    home.mkdir(parents=True, exist_ok=True)
    book, now = Book(home), datetime.now(UTC)
    book.clock.time = now
    given: Any = [{"role": "user", "text": f"Was kostet das Cello? {n}", "id": f"s{n}"} for n in range(samples)]
    fact = memory_row("ann", "The cello cost 1,250 euros.", "fact", {"id": "m1"}, lambda present: now)
    book.ledger.add([*turn_rows("ann", "main", given, lambda present: now), fact])
    for number in range(3):
        both = {"summarize": stage(60.0, call()), "respond": stage(900.0, call("local:a", "small"))}
        at = now - timedelta(days=number)
        book.enter(taken(f"t{number}", at=at, stages=both, space="李雷" if number == 2 else "ann"))
    book.recorder.sample = 1.0
    book.enter(*(taken(f"s{n}", question=f"What did the cello cost? {n}", at=now) for n in range(samples)))
    book.recorder.close()
    book.ledger.close()
    return home


def test_figures_for_people_and_for_programs_agree(command: "Command", new_home: Callable[[], Path]) -> None:
    home = filled(new_home() / "home")
    text = command("stats", "--home", home, "--by", "model").stdout
    assert "turns      3" in text
    assert "big              3,000 in" in text
    assert "$0.0014" in text
    assert "openai:gpt-5-mini" in text
    assert any(bar in text for bar in BARS)
    found = command.json("stats", "--home", home, "--by", "day", "--user", "ann")
    assert found["total"]["turns"] == 2
    assert found["total"]["roles"]["big"]["input"] == 2000
    assert len(found["groups"]) == 2
    assert found["quality"]["waiting"] == 0
    assert found["alarms"] == []


def test_a_day_over_the_limit_is_told_by_stats_status_and_doctor(
    command: "Command", new_home: Callable[[], Path]
) -> None:
    home = filled(new_home() / "home")
    strict = command.changed(HIPPOGRAPH_DAILY_USD="0.0001")
    assert "ALARM" in strict("stats", "--home", home).stdout
    assert strict.json("status", "--home", home)["alarms"][0]["name"] == "money"
    assert "HIPPOGRAPH_DAILY_USD" in command.changed(HIPPOGRAPH_DAILY_USD="much").fails("stats", "--home", home)


def test_a_plot_is_drawn(command: "Command", new_home: Callable[[], Path]) -> None:
    home = filled(new_home() / "home")
    done = command("stats", "--home", home, "--plot", home / "new" / "costs.png")
    assert done.returncode == 0, done.stderr
    assert (home / "new" / "costs.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_what_cannot_be_told_says_what_to_do(command: "Command", new_home: Callable[[], Path]) -> None:
    home = filled(new_home() / "home")
    assert "is no home yet" in command.fails("stats", "--home", home / "nowhere")
    assert "choose one of day, model" in command.fails("stats", "--home", home, "--by", "weather")
    assert "needs a terminal" in command.fails("stats", "--home", home, "--judge")


def test_a_broken_table_of_prices_is_told_and_the_built_in_one_counts(
    command: "Command", new_home: Callable[[], Path]
) -> None:
    home = filled(new_home() / "home")
    whole = command.json("stats", "--home", home)
    (home / "prices.json").write_text("nonsense")
    done = command("stats", "--home", home, "--json")
    assert (done.returncode, done.stderr.count("is no table of prices")) == (0, 1), done.stderr
    assert json.loads(done.stdout)["total"]["spent"]["money"] == whole["total"]["spent"]["money"]


def test_a_person_judges_by_three_keys_and_goes_on_where_he_left(
    command: "Command", new_home: Callable[[], Path]
) -> None:
    home = filled(new_home() / "home", samples=2)

    def judging() -> pexpect.spawn:
        program, *arguments = command.arguments("stats", "--judge", "--home", home)
        return pexpect.spawn(
            program, arguments, cwd=command.folder, env={**command.env, "TERM": "dumb"}, encoding="utf-8", timeout=120
        )

    first = judging()
    first.expect("1 of 2")
    first.expect(r"question  What did the cello cost\? 0")
    first.expect("The cello cost 1,250 euros")
    for name, key in (("accuracy", "5"), ("relevance", "4"), ("brevity", "x3")):
        first.expect(f"{name}:")
        first.send(key)
    first.expect("2 of 2")
    first.expect("accuracy:")
    first.send("q")
    first.expect("1 summary judged, 1 left")
    first.expect(pexpect.EOF)
    second = judging()
    second.expect(r"1 of 1")
    second.expect(r"cello cost\? 1")
    second.expect("accuracy:")
    second.send("s")
    second.expect("0 summaries judged, 1 left")
    second.expect(pexpect.EOF)
    quality = command.json("stats", "--home", home)["quality"]
    assert (quality["judged"], quality["waiting"], quality["brevity"], quality["by"]) == (1, 1, 3, {"person": 1})


def test_keys_that_are_no_grade_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    class Kept:
        verdicts: list[Verdict]

        def __init__(self) -> None:
            self.verdicts = []

        def samples(self, space: str | None = None) -> list[Sample]:
            now = datetime.now(UTC)
            return [Sample(id=1, space="k", at=now, question="q", block="b", evidence=["e"])]

        def judged(self, sample: int, verdict: Verdict) -> bool:
            self.verdicts.append(verdict)
            return True

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    keys, kept = iter(["9", "0", "\x1b[A", "z5", "\x1b[2~", "12"]), Kept()
    assert judge(kept, None, lambda: next(keys)) == 1
    assert kept.verdicts == [Verdict(accuracy=5, relevance=1, brevity=2)]
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    with pytest.raises(BadInput, match="needs a terminal"):
        judge(kept, None)


def test_money_is_said_as_it_is_known() -> None:
    assert money_text(Spent()) == "nothing"
    assert money_text(Spent(calls=2, money=None, unpriced=2)) == "unknown"
    assert money_text(Spent(calls=3, money=0.5, unpriced=1)) == "$0.5000 and 1 call of unknown price"
    assert (dollars(1234.5), dollars(0.00021)) == ("$1,234.50", "$0.0002")


def test_bars_are_as_high_as_their_values() -> None:
    assert bars([0, 1, 4, 8]) == " ▂▅█"
    assert bars([]) == ""
    assert bars([0, 0]) == "  "


def test_nothing_recorded_is_said(tmp_path: Path) -> None:
    book = Book(tmp_path)
    (line,) = stats_lines(book.account.stats(), "all users")
    assert line.endswith("all users: no turn was recorded.")
    book.ledger.close()


def test_chinese_names_keep_the_table_in_line(tmp_path: Path) -> None:
    from rich.cells import cell_len

    book = Book(tmp_path)
    book.enter(taken(thread="工作"), taken("t2", thread="work"))
    told = book.account.stats(by="thread")
    groups = dict(zip(("工作和别的事情", "work"), told.groups.values(), strict=True))
    rows = stats_lines(replace(told, groups=groups), "all users")[-2:]
    assert len({cell_len(row) for row in rows}) == 1
    book.ledger.close()
