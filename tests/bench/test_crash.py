"""The process that writes is killed at random moments and at every named point: nothing is lost, nothing doubled."""

import json
from pathlib import Path

from typer.testing import CliRunner

from hippograph.bench import crash, lives
from hippograph.bench.lives import POINTS, SPACE, turn
from hippograph.cli.bench import app

KILLS = 2 * len(POINTS)


def test_500_turns_from_four_threads_survive_a_kill_at_every_point(tmp_path: Path) -> None:
    """Case W01, again and again."""
    out = tmp_path / "crash.json"
    done = CliRunner().invoke(app, ["crash", "--kills", str(KILLS), "--turns", "500", "--json", str(out)])
    assert done.exit_code == 0, done.output
    report = json.loads(out.read_text("utf-8"))
    figures = report["metrics"]
    assert {name: figures[name] for name in crash.GOALS} == dict.fromkeys(crash.GOALS, 0)
    assert (figures["acknowledged"], figures["kills"]) == (500, KILLS)
    places = {each["point"]: each["kills"] for each in report["questions"]}
    assert all(places[point] == 1 for point in POINTS), "each point is on the path, and was reached"


def test_the_check_finds_what_is_lost_doubled_left_over_or_not_indexed(tmp_path: Path) -> None:
    with lives.open_memory(tmp_path) as memory:
        for number in range(6):
            memory.add_turns(SPACE, "thread 0", [turn(0, number)])
        assert memory.flush(60)
        sent = [f"0-{number}\n" for number in range(6)]
        assert crash._check(memory, sent) == {**dict.fromkeys(crash.GOALS, 0), "acknowledged": 6}
        memory.add_turns(SPACE, "thread 0", [{**turn(0, 2), "id": "again"}], infer=False)
        with memory._ledger.read() as connection:
            seqs = [each.seq for each in connection.exec_driver_sql("SELECT seq FROM memories ORDER BY seq")]
        assert memory.flush(60)
        memory._index.remove(SPACE, seqs[:1])
        with memory._ledger.write() as connection:
            connection.exec_driver_sql(f"INSERT INTO jobs (memory, kind, space, state, attempts, due_at) "
                                       f"VALUES ({seqs[1]}, 'index', 'crash', 'dead', 9, '2026-05-01')")  # fmt: skip
        found = crash._check(memory, [*sent, "0-77\n"])
        assert found == {"lost": 1, "doubled": 1, "stuck": 1, "mismatched": 1, "acknowledged": 7}
