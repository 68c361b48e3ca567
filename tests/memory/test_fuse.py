from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hippograph.memory.search.fuse import fuse
from hippograph.state import Recollection

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def turn(
    name: str,
    *,
    vector: float = 0.0,
    keyword: float = 0.0,
    context: float = 0.0,
    thread: str = "t",
    position: int = 1,
    days: int = 0,
    speaker: str = "",
    importance: float = 0.5,
) -> Recollection:
    return Recollection(
        id=name,
        text=f"This is what is said by {name}",
        kind="turn",
        said_at=NOW - timedelta(days=days),
        why={"vector": vector, "keyword": keyword, "context": context},
        thread=thread,
        position=position,
        speaker=speaker,
        importance=importance,
    )


def ranked(query: str, *found: Recollection) -> list[str]:
    return [each.id for each in fuse(query, found, NOW)]


def test_scores_lie_between_0_and_1_and_fall() -> None:
    """Case R01."""
    found = [
        turn(str(n), vector=n / 9, keyword=n / 9, context=n / 9, position=n, speaker="Ann", importance=1)
        for n in range(10)
    ]
    scores = [each.score for each in fuse("What did Ann say?", found, NOW)]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert scores[0] > 0.9


def test_a_leg_alone_is_enough() -> None:
    assert ranked("q", turn("none"), turn("word", keyword=0.5, thread="u"))[0] == "word"
    assert ranked("q", turn("none"), turn("sense", vector=0.5, thread="u"))[0] == "sense"


def test_a_turn_beside_a_hit_comes_before_one_far_away() -> None:
    hit, beside, far = turn("hit", vector=0.9, position=5), turn("beside", position=6), turn("far", position=60)
    assert ranked("q", far, beside, hit) == ["hit", "beside", "far"]


def test_a_neighbour_in_another_thread_is_no_neighbour() -> None:
    found = fuse("q", [turn("hit", vector=0.9, position=5), turn("other", thread="u", position=6)], NOW)
    assert not {"before", "after"} & found[1].why.keys()


def test_the_speaker_the_question_names_is_preferred() -> None:
    ann, bo = turn("a", vector=0.5, speaker="Ann", thread="a"), turn("b", vector=0.5, speaker="Bo", thread="b")
    assert ranked("What did Bo say?", ann, bo) == ["b", "a"]
    assert "speaker" not in fuse("What did Ann tell Bo?", [ann, bo], NOW)[0].why


def test_recency_and_importance_decide_near_ties_and_never_bury_a_better_hit() -> None:
    old, new = turn("old", vector=0.5, days=400, thread="a"), turn("new", vector=0.5, thread="b")
    assert ranked("q", old, new) == ["new", "old"]
    exact = turn("exact", keyword=0.6, context=1.0, days=3000, importance=0, thread="a")
    assert ranked("q", exact, new) == ["exact", "new"]


def test_an_answer_to_a_question_that_fits_is_lifted() -> None:
    question, answer = turn("Which lake is it?", keyword=0.5), turn("answer", vector=0.3, position=2)
    statement, remark = turn("That lake.", keyword=0.5, thread="u"), turn("remark", vector=0.3, position=2, thread="u")
    order = ranked("q", statement, remark, question, answer)
    assert order.index("answer") < order.index("remark")


def test_without_lifts_the_legs_alone_decide() -> None:
    old, new = turn("old", vector=0.5, days=400, importance=0, thread="a"), turn("new", vector=0.5, thread="b")
    scores = {each.id: each.score for each in fuse("q", [old, new], NOW, lifts=False)}
    assert scores["old"] == scores["new"]
    assert {each.id: each.score for each in fuse("q", [old, new], NOW)}["old"] < scores["new"] * 2


def test_a_fact_is_not_behind_a_turn_that_says_as_much() -> None:
    fact = Recollection(id="fact", text="fact", kind="fact", said_at=NOW, why={"vector": 0.5})
    assert ranked("q", turn("said", vector=0.5), turn("beside", vector=0.2, position=2), fact)[0] == "fact"


def test_every_part_of_a_score_is_listed() -> None:
    found = fuse("Ann?", [turn("a", vector=0.5, keyword=0.2, speaker="Ann"), turn("b", vector=0.1, position=2)], NOW)
    lifts = {"after", "thread vector", "thread keyword", "speaker", "recent"}
    assert {"vector", "keyword"} | lifts <= set(found[0].why) <= {"vector", "keyword", "context", "telling"} | lifts


def test_what_the_user_said_comes_before_an_answer_that_repeats_it() -> None:
    own = replace(turn("own", vector=0.5, thread="a"), role="user")
    echo = replace(turn("echo", vector=0.52, thread="b"), role="assistant")
    assert ranked("What am I allergic to?", echo, own) == ["own", "echo"]
    assert ranked("What did you tell me about lychee?", echo, own) == ["echo", "own"]
    assert ranked("我对什么过敏？", echo, own) == ["own", "echo"]
    assert ranked("你建议过我什么？", echo, own) == ["echo", "own"]
    assert ranked("Who is allergic?", replace(echo, speaker="Melanie"), own)[0] == "echo"


def test_a_nod_does_not_come_before_what_it_answers() -> None:
    told = replace(turn("told", vector=0.5), role="user")
    nods = [replace(turn("nod", vector=0.55, position=2), text=text) for text in ("Noted.", "好的，知道了。")]
    assert all(ranked("q", nod, told) == ["told", "nod"] for nod in nods)
    short, dated = ([turn("x", vector=0.5), replace(nods[0], text=text)] for text in ("Yes, on that!", "On the 17th!"))
    assert fuse("q", dated, NOW)[-1].score > fuse("q", short, NOW)[-1].score


def test_a_short_statement_about_oneself_is_no_nod() -> None:
    for text in ("I am vegan.", "我对荔枝过敏。", "My cat is Tofu.", "我吃素"):
        assert "slight" not in fuse("q", [replace(turn("a", vector=0.5), text=text)], NOW)[0].why
