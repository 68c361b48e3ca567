from collections.abc import Callable
from datetime import UTC, datetime

from hippograph.models import estimate
from hippograph.nodes.remainder import MOST_TOKENS, remainder, topic
from hippograph.nodes.succession import settled
from hippograph.state import Recollection

Make = Callable[..., Recollection]


def test_what_was_left_out_is_named_with_its_days(found: Make) -> None:
    left = [found("Tofu went to the vet.", topic="the cat Tofu"), found("We flew with Marta to Kiel.")]
    line = "More details exist about: the cat Tofu (2025-11-02); Marta Kiel (2025-11-02)."
    assert remainder(left, estimate, "en") == line
    assert (
        remainder([found("我们和王磊去了成都。", topic="成都之行")], estimate, "zh")
        == "另有更多细节：成都之行 (2025-11-02)。"
    )
    assert remainder([], estimate, "en") == ""


def test_one_topic_is_named_once_and_the_line_stays_short(found: Make) -> None:
    days = [datetime(2025, 11, day, tzinfo=UTC) for day in (3, 1)]
    left = [found("x", id=str(day), topic="Tofu", said_at=day) for day in days]
    assert remainder(left, estimate, "en") == "More details exist about: Tofu (2025-11-01, 2025-11-03)."
    many = [found(f"note {n} " * 90, id=str(n)) for n in range(40)]
    assert 0 < estimate(remainder(many, estimate, "en")) <= MOST_TOKENS
    assert "\n" not in topic(found("line one\nline two " * 20))


def test_of_two_values_the_one_that_holds_stays_and_says_what_was_before(found: Make) -> None:
    old = found("The user lives in Kiel.", id="a", kind="fact", value="Kiel", status="superseded", superseded_by="b")
    new = found("The user lives in Porto.", id="b", kind="fact", value="Porto")
    assert settled([new, old]) == ([new], {"b": "Kiel"})
    assert settled([old]) == ([old], {})  # Its successor is not there: it says itself that it is out of date.
    turn = found("I live in Kiel.", id="t", status="superseded", superseded_by="b")
    assert settled([new, turn]) == ([new, turn], {})
    older = found("The user lives in Oslo.", id="0", kind="fact", value="Oslo", status="superseded", superseded_by="a")
    assert settled([new, old, older])[0] == [new]
