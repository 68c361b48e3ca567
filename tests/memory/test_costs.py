"""What turns cost: recorded, summed up, folded, and what is amiss."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from accounts import DAY, HOSTED, NOON, Book, block, call, priced, stage, taken
from sqlalchemy.exc import OperationalError

from hippograph.memory.costs import proxies
from hippograph.memory.costs.alarms import alarms
from hippograph.memory.costs.histogram import binned, spread
from hippograph.memory.costs.sums import Sums
from hippograph.models import Prices
from hippograph.state import BadInput, HomeUnusable
from hippograph.state.costs import BYS, Figures


def gathered(values: Iterable[float]) -> Counter[int]:
    return Counter(map(binned, values))


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    opened = Book(tmp_path)
    yield opened
    opened.ledger.close()


def test_a_turn_s_tokens_money_and_time_add_up(book: Book) -> None:
    book.enter(taken("t1"), taken("t2", degraded=True, block=block(unsupported=3)))
    total = book.total()
    assert (total.turns, total.failed, total.degraded) == (2, 0, 0.5)
    assert (total.spent.calls, total.spent.input, total.spent.output) == (2, 2000, 200)
    assert total.spent.money == pytest.approx(2 * (1000 * 0.25 + 100 * 2) / 1e6)
    assert total.ms is not None
    assert total.ms.p50 == pytest.approx(100, rel=0.025)
    assert total.stages["summarize"].p95 == pytest.approx(60, rel=0.025)
    assert (total.bullets, total.unsupported) == (2, 3)
    assert total.injected is not None
    assert total.injected.p50 == pytest.approx(20, rel=0.025)


def test_percentiles_are_those_of_the_numbers_within_a_fortieth() -> None:
    numbers = [0.003 * 1.07**n for n in range(200)]
    found = spread(gathered(numbers))
    assert found is not None
    assert found.n == 200
    assert found.p50 == pytest.approx(sorted(numbers)[99], rel=0.025)
    assert found.p95 == pytest.approx(sorted(numbers)[189], rel=0.025)
    assert spread({}) is None
    assert spread(gathered([0, 0, 0])) == spread(gathered([0.0] * 3))


def test_a_call_of_unknown_price_is_told_and_not_counted_as_free(book: Book) -> None:
    book.enter(taken(stages={"respond": stage(9.0, call("openai:nobody-knows", "small"))}))
    told = book.account.stats()
    assert (told.total.spent.money, told.total.spent.unpriced) == (None, 1)
    assert told.unpriced == ["openai:nobody-knows"]
    book.enter(taken("t2"))
    both = book.total().spent
    assert (both.calls, both.unpriced, both.money) == (2, 1, pytest.approx(0.00045))


def test_a_price_that_is_written_later_counts_for_what_was_spent_before(book: Book) -> None:
    book.enter(taken(stages={"respond": stage(9.0, call("openai:nobody", "small", 500, 500))}))
    book.recorder.prices = priced(openai_nobody=2.0)
    told = book.account.stats()
    assert (told.total.spent.money, told.total.spent.unpriced, told.unpriced) == (pytest.approx(0.002), 0, [])


def test_local_models_cost_nothing_and_that_is_known(book: Book) -> None:
    book.enter(taken(stages={"respond": stage(9.0, call("local:qwen2.5-coder-0.5b", "small"))}))
    assert (book.total().spent.money, book.total().spent.unpriced) == (0.0, 0)


def test_what_the_cache_had_is_saved_and_not_spent(book: Book) -> None:
    hit = taken("t1", stages={"summarize": stage(1.0, call(cached=True))}, block=block(cache="exact", saved=1100))
    book.enter(hit, taken("t2", block=block(cache="near", saved=900)), taken("t3"), taken("t4", block=None))
    total = book.total()
    assert (total.cache.exact, total.cache.near, total.cache.rate) == (1, 1, pytest.approx(2 / 3, abs=1e-3))
    assert (total.cache.saved, total.cache.money) == (2000, pytest.approx(0.00045))
    assert (total.spent.calls, total.spent.input) == (3, 3000)


def test_turns_are_told_apart_by_day_model_stage_role_and_thread(book: Book) -> None:
    both = {"summarize": stage(5.0, call()), "respond": stage(9.0, call("local:a", "small"))}
    book.clock.time = NOON + DAY
    book.enter(taken("t1", stages=both), taken("t2", at=NOON + DAY, thread="other"))
    keys = {by: [*book.account.stats(by=by).groups] for by in BYS if by != "thread"}
    assert keys == {
        "day": ["2026-05-14", "2026-05-15"],
        "model": ["local:a", HOSTED],
        "stage": ["respond", "summarize"],
        "role": ["big", "small"],
    }
    threads = book.account.stats(by="thread").groups
    assert sorted(each.turns for each in threads.values()) == [1, 1]
    assert book.account.stats(by="stage").groups["respond"].spent.input == 1000
    with pytest.raises(BadInput, match="one of day, model"):
        book.account.stats(by="weather")  # type: ignore[arg-type]


def test_one_user_s_figures_are_not_another_s(book: Book) -> None:
    book.enter(taken("t1"), taken("t2", space="李雷"), taken("t3", space="李雷"))
    assert [book.total(each).turns for each in ("ann", "李雷", "bo", None)] == [1, 2, 0, 3]
    assert book.total("bo") == Figures()


def test_only_the_time_asked_about_counts(book: Book) -> None:
    book.enter(*(taken(f"t{back}", at=NOON - back * DAY) for back in range(10)))
    assert book.total(days=3.5).turns == 4
    assert book.total(since=NOON - 2 * DAY, until=NOON - DAY).turns == 2
    with pytest.raises(BadInput, match="before it begins"):
        book.account.stats(since="2030-01-01")


def test_no_word_of_a_turn_is_in_the_ledger(book: Book) -> None:
    book.enter(taken(question="What about the zanzibar ferry?", block=block("[1] zanzibar"), thread="zanzibar trip"))
    book.recorder.close()
    data = b"".join(path.read_bytes() for path in book.ledger.path.parent.iterdir())
    assert b"zanzibar" not in data.lower()


def test_days_that_are_folded_keep_their_figures_and_lose_their_rows(book: Book) -> None:
    odd = taken("t0", degraded=True, failed=True, stages={"respond": stage(7.0, call("openai:nobody", "small"))})
    cached = taken("t1", at=NOON - DAY, stages={"summarize": stage(1.0, call(cached=True))})
    book.enter(odd, cached, taken("t2", space="李雷"), *(taken(f"u{n}", at=NOON - n * DAY) for n in range(20)))
    before = book.account.stats(days=60)
    book.recorder.days = 5
    book.clock.time = NOON + 10 * DAY
    assert book.recorder.flush()
    after = book.account.stats(days=70)
    assert after.total == before.total
    assert {**after.days} == {**before.days}
    assert book.total("李雷", days=70) == book.account.stats("李雷", since=NOON - DAY, until=NOON + DAY).total
    assert book.column("rounds", "seq") == book.column("calls", "seq") == []
    assert len(book.column("spent_days", "day")) == 21


def test_what_comes_late_joins_its_day_s_sums(book: Book) -> None:
    book.recorder.days = 5
    book.enter(taken("t1", at=NOON - 9 * DAY))
    book.clock.time += DAY
    book.enter(taken("t2", at=NOON - 9 * DAY))
    book.clock.time += DAY
    book.enter()
    assert book.column("spent_days", "day") == ["2026-05-05"]
    assert book.total().turns == 2
    assert book.column("rounds", "seq") == []


def test_months_of_use_stay_small(book: Book) -> None:
    book.enter(*(taken(f"t{n}", at=NOON - n * DAY / 20) for n in range(400)))
    book.recorder.days = 1
    book.clock.time += 30 * DAY
    book.enter()
    stored = sum(len(each) for each in book.column("spent_days", "sums"))
    assert stored / len(book.column("spent_days", "day")) < 2000


def test_an_odd_turn_holds_up_no_other(book: Book, caplog: pytest.LogCaptureFixture) -> None:
    book.enter(taken("t1"), taken("t2", stages=None), taken("t3"))
    assert book.total().turns == 2
    assert "could not be recorded" in caplog.text


def test_what_cannot_be_written_waits_until_it_can(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as broken:

        def full(*_: object, **__: object) -> Any:
            raise HomeUnusable("the disk is full")

        broken.setattr(book.ledger, "write", full)
        book.recorder.note(taken("t1"))
        assert not book.recorder.flush()
    assert book.total().turns == 0
    assert book.recorder.flush()
    assert book.total().turns == 1


def test_a_disk_that_fails_in_the_middle_loses_nothing_either(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> Any:
        raise OperationalError("INSERT", {}, Exception("database or disk is full"))

    with monkeypatch.context() as broken:
        broken.setattr("hippograph.memory.costs.recorder.enter", failing)
        book.recorder.note(taken("t1"))
        assert not book.recorder.flush()
    assert book.recorder.flush()
    assert book.total().turns == 1


def test_what_is_noted_is_recorded_by_the_thread_and_at_the_latest_by_closing(book: Book) -> None:
    book.recorder.start()
    for number in range(50):
        book.recorder.note(taken(f"t{number}"))
    book.recorder.close()
    assert book.total().turns == 50


def test_a_block_is_looked_at_without_a_model() -> None:
    text = "[1] (2026-05-01, user) The cello cost 1,250 euros.\n[2, 3] It is old.\nNobody said this."
    assert proxies.cited(text) == pytest.approx(2 / 3)
    assert proxies.met("What did the cello cost?", text) == 1.0
    assert proxies.met("大提琴花了多少钱？", "[1] 大提琴花了1250欧元。") == pytest.approx(1.0, abs=0.5)
    assert proxies.met("Who?", text) is None
    assert proxies.cited("") is None
    assert proxies.share(20, []) is None


def days_of(recent: Sums, before: Sums) -> dict[str, Sums]:
    return {"2026-05-14": recent, "2026-04-20": before}


def told(recent: Sums | None = None, before: Sums | None = None, **more: Any) -> list[str]:
    given: dict[str, Any] = {"accuracy": [5] * 20, "prices": Prices(), "daily_usd": None} | more
    days = days_of(recent or Sums(), before or Sums())
    return [each.name for each in alarms(days, date(2026, 5, 14), **given)]


def test_all_is_well_where_nothing_is_amiss() -> None:
    assert told() == []
    assert told(Sums(bullets=95, unsupported=4), Sums(bullets=99, unsupported=1)) == []


def test_summaries_that_are_not_accurate_raise_an_alarm() -> None:
    assert told(accuracy=[3] * 19 + [4]) == ["accuracy"]
    assert told(accuracy=[1] * 19) == []  # too few to tell


def test_a_rising_share_without_support_raises_an_alarm() -> None:
    assert told(Sums(bullets=80, unsupported=20), Sums(bullets=95, unsupported=5)) == ["unsupported"]
    assert told(Sums(bullets=80, unsupported=20), Sums(bullets=80, unsupported=20)) == []
    assert told(Sums(bullets=8, unsupported=2)) == []


def test_turns_that_take_twice_as_long_raise_an_alarm() -> None:
    slow, quick = Sums(ms=dict(gathered([4000.0] * 30))), Sums(ms=dict(gathered([1000.0] * 30)))
    assert told(slow, quick) == ["latency"]
    assert told(quick, slow) == []
    assert told(Sums(ms=dict(gathered([4000.0] * 5))), quick) == []


def test_a_day_that_costs_more_than_it_may_raises_an_alarm(book: Book) -> None:
    book.enter(*(taken(f"t{n}", stages={"respond": stage(1.0, call(read=0, written=100_000))}) for n in range(3)))
    (alarm,) = type(book.account)(book.ledger, Prices(), 0.5, book.clock).stats().alarms
    assert alarm.name == "money"
    assert "$0.60 today, more than HIPPOGRAPH_DAILY_USD (0.5)" in alarm.text
    assert book.account.stats().alarms == []


def test_figures_are_plain_json(book: Book) -> None:
    from hippograph.cli.stats import stats_json

    book.enter(taken())
    found = json.loads(json.dumps(stats_json(book.account.stats(by="model"))))
    assert found["total"]["roles"]["big"]["input"] == 1000
    assert found["groups"][HOSTED]["spent"]["output"] == 100


def test_a_day_is_this_machine_s(book: Book) -> None:
    at = NOON.astimezone().replace(hour=0, minute=10)
    book.enter(taken("t1", at=at), taken("t2", at=at - timedelta(minutes=20)))
    assert len(book.account.stats(by="day").groups) == 2


def test_what_is_recorded_is_not_recorded_again_where_folding_fails(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full() -> None:
        raise HomeUnusable("the disk is full")

    monkeypatch.setattr(book.recorder, "_fold", full)
    book.recorder.note(taken("t1"))
    assert not book.recorder.flush()
    monkeypatch.undo()
    book.enter(taken("t2"))
    assert book.total().turns == 2


def test_alarms_compare_with_the_same_days_however_many_are_told_of(book: Book) -> None:
    quick, slow = {"respond": stage(1000.0)}, {"respond": stage(4000.0)}
    old, before = NOON - 60 * DAY, NOON - 20 * DAY
    book.enter(*(taken(f"o{n}", at=old, stages=slow) for n in range(30)))
    book.enter(*(taken(f"b{n}", at=before, stages=quick) for n in range(25)))
    book.enter(*(taken(f"n{n}", stages=slow) for n in range(25)))
    for days in (7, 30, 90):
        assert [each.name for each in book.account.stats(days=days).alarms] == ["latency"], days
