"""The answer benchmark on a tiny conversation with a scripted reader: arms, resuming, the report as it grows."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from langchain_core.messages import BaseMessage
from scripted import Scripted, chat
from talks import locomo

from hippograph.bench.answers import arms, running
from hippograph.bench.answers.arms import Outcome
from hippograph.bench.answers.asked import Numbers
from hippograph.bench.answers.keeping import FILE
from hippograph.bench.report import Report
from hippograph.state import BadInput, HippographError, Settings

HEADLINE = ("extract", "none", "rag")
ARMS = ("extract", "none", "rag", "rag4", "last", "full")


def from_context(prompt: list[BaseMessage]) -> str:
    """Answer as a perfect reader would: what is asked for, if it stands in the prompt."""
    text = "\n".join(str(message.text) for message in prompt[:1] + prompt[-1:])
    asked = str(prompt[-1].text).rpartition("Question:")[2]
    if "allergic" in asked:
        return "Lychee." if "lychee" in text.lower() else "Nuts."
    if "fly" in asked:
        return "On March 3, 2023." if re.search("3 March 2023", text) else "I don't know."
    return "Quetzal."


class Kept:
    """What `save` was given."""

    def __init__(self) -> None:
        self.reports = list[Report]()
        self.outcomes: Sequence[Outcome] = ()

    def __call__(self, report: Report, outcomes: Sequence[Outcome]) -> None:
        self.reports.append(report)
        self.outcomes = [*outcomes]


def run(cache: Path, save: Kept, **changes: object) -> Report:
    plan = running.Plan(**{"small": ["tiny"], "arms": ARMS, **changes})  # type: ignore[arg-type]
    return running.run(Settings.from_env(), locomo(cache / "locomo"), plan, cache, lambda line: None, save)


class Whole(NamedTuple):
    """A run, and what the model was asked in it."""

    report: Report
    outcomes: Sequence[Outcome]
    prompts: list[list[BaseMessage]]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def whole(cache: Path) -> Whole:
    """One run of all arms, which several tests look at."""
    model, save = Scripted(reply=from_context, usage=(100, 5)), Kept()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arms, "chat_model", lambda spec, settings, **options: chat(model, spec=f"given:{spec}"))
        report = run(cache, save)
    return Whole(report, save.outcomes, model.prompts)


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch, cache: Path) -> Scripted:
    """The scripted model in place of any; whatever it was asked in other tests is not kept."""
    for file in (cache / "answers").glob(f"{FILE}*"):
        file.unlink()
    model = Scripted(reply=from_context, usage=(100, 5))
    monkeypatch.setattr(arms, "chat_model", lambda spec, settings, **options: chat(model, spec=f"given:{spec}"))
    return model


def test_every_arm_is_asked_every_question_and_the_difference_memory_makes_is_told(whole: Whole) -> None:
    metrics = whole.report["metrics"]
    assert whole.report["models"]["small"] == "given:tiny"
    assert len(whole.outcomes) == 5 * len(ARMS)
    assert metrics["none_contained"] == 0
    assert metrics["extract_contained"] == metrics["uplift_points"] / 100 == 1
    assert metrics["over_rag_points"] == metrics["over_rag4_points"] == 0
    assert (metrics["temporal_points"], metrics["temporal_points_n"]) == (100, 2)
    assert (metrics["none_abstained"], metrics["none_n"]) == (0.5, 4)
    assert (metrics["extract_false_answers"], metrics["extract_unanswerable_n"]) == (1, 1)
    assert metrics["unsupported_in_prompt"] == 0
    assert 0 < metrics["injected_tokens_p50"] <= metrics["injected_tokens_p95"]


def test_retrieval_fills_the_tokens_of_our_block_for_the_same_question(whole: Whole) -> None:
    found = {(each.asked.id, each.arm): each for each in whole.outcomes}
    for (id_, arm), each in found.items():
        ours = found[id_, "extract"].tokens
        if arm == "rag":
            assert max(ours, arms.LEAST) * 0.8 <= each.tokens <= max(ours, arms.LEAST)
            assert re.match(r"\[2023-05-08 \d\d:\d\d\] (Ann|Ben): ", each.context)
        if arm == "rag4":
            assert each.tokens <= 4 * max(ours, arms.LEAST)
            assert len(each.shown) == 4, "the whole conversation is shorter than that"
        if arm == "none":
            assert (each.context, each.tokens) == ("", 0)


def test_all_arms_begin_with_the_same_words_and_read_evidence_by_its_turns(whole: Whole) -> None:
    first = {str(prompt[0].text).splitlines()[0] for prompt in whole.prompts}
    assert len(first) == 1
    for each in whole.outcomes:
        if each.arm in ("extract", "full") and each.asked.answerable:
            (evidence,) = each.asked.evidence
            assert evidence <= {*each.shown}


def test_a_full_context_that_does_not_fit_is_skipped_and_counted(cache: Path, reader: Scripted) -> None:
    save = Kept()
    report = run(cache, save, decoding=arms.Decoding(window=512, answer=400), arms=("extract", "full"))
    assert report["rows"]["full"] == {"skipped": 5}
    assert "over_full_points" not in report["metrics"]


def test_a_second_run_asks_the_model_nothing_and_reports_the_same(cache: Path, reader: Scripted) -> None:
    first = run(cache, Kept(), arms=HEADLINE)
    asked = len(reader.prompts)
    second = run(cache, Kept(), arms=HEADLINE)
    assert len(reader.prompts) == asked
    timed = ("_ms_p50", "_ms_p95")
    for name, value in first["metrics"].items():
        if not name.endswith(timed):
            assert second["metrics"][name] == value, name


def test_a_run_that_was_killed_leaves_valid_figures_and_goes_on_where_it_stopped(
    cache: Path, reader: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "EVERY", 0.0)
    save, out = Kept(), cache / "out.json"

    def killed(report: Report, outcomes: Sequence[Outcome]) -> None:
        save(report, outcomes)
        running.write(report, out)
        if len(save.reports) == 9:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(cache, killed, arms=HEADLINE)  # type: ignore[arg-type]
    written = json.loads(out.read_text())
    assert written["partial"] is True
    assert written["metrics"]["uplift_points"] >= 0
    assert written["n"] == 3
    asked = len(reader.prompts)
    rest = run(cache, Kept(), arms=HEADLINE)
    assert rest["partial"] is False
    assert rest["n"] == 5
    prompts = [json.dumps([str(each.text) for each in prompt]) for prompt in reader.prompts]
    assert not {*prompts[:asked]} & {*prompts[asked:]}, "nothing is asked again"


def test_an_arm_that_changed_is_asked_anew_and_no_other(
    cache: Path, reader: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(cache, Kept(), arms=HEADLINE)
    asked = len(reader.prompts)
    monkeypatch.setitem(arms.plain.CONTEXT, "en", "Read: {context}\nAnswer: {question}")
    run(cache, Kept(), arms=HEADLINE)
    again = {json.dumps([str(each.text) for each in prompt]) for prompt in reader.prompts[asked:]}
    assert again
    assert all("Read: " in text for text in again)


def test_the_big_model_s_block_is_an_arm_of_its_own(cache: Path, reader: Scripted) -> None:
    with pytest.raises(BadInput, match="--big"):
        run(cache, Kept(), arms=("big",))
    reader.structured = lambda prompt: {"bullets": [{"text": "Ann is allergic to lychee.", "sources": [1, 2, 3, 4]}]}
    save = Kept()
    report = run(cache, save, arms=("extract", "none", "big"), big="local:large")
    assert report["metrics"]["uplift_points_big"] == 50
    assert report["models"]["big"] == "local:large"
    blocks = {each.asked.text: each.context for each in save.outcomes if each.arm == "big"}
    assert blocks["What is Ann allergic to?"].endswith("Ann is allergic to lychee.")
    asked = len(reader.prompts)
    run(cache, Kept(), arms=("extract", "none", "big"), big="local:large")
    assert len(reader.prompts) == asked, "its replies are kept too"


def test_a_model_that_is_not_there_is_told_before_anything_is_stored(tmp_path: Path) -> None:
    with pytest.raises(HippographError, match="no-such-model"):
        run(tmp_path, Kept(), small=["local:no-such-model"])
    assert not (tmp_path / "answers").exists()


def test_several_readers_have_rows_of_their_own(cache: Path, reader: Scripted) -> None:
    report = run(cache, Kept(), small=["tiny", "larger"], arms=("extract", "none"), numbers=Numbers(unanswerable=0))
    assert [*report["rows"]] == ["extract", "none", "extract (given:larger)", "none (given:larger)"]
    assert report["metrics"]["none_n"] == 4


def test_retrieval_without_our_block_cannot_be_measured(cache: Path, reader: Scripted) -> None:
    with pytest.raises(BadInput, match="extract"):
        run(cache, Kept(), arms=("rag",))


def test_reports_hold_no_text_of_the_data_and_details_all_of_it(whole: Whole, tmp_path: Path) -> None:
    assert "lychee" not in json.dumps(whole.report).lower()
    path = tmp_path / "out.jsonl"
    running.write_details(whole.outcomes, path)
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert len(lines) == len(whole.outcomes)
    assert {"question", "gold", "arm", "context", "answer", "contained", "f1", "tokens", "ms"} <= {*lines[0]}
