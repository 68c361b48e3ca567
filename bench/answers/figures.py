"""The figures of the answer benchmark: each arm's shares and costs, and how far arms differ, with 95 % intervals."""

from collections.abc import Iterable, Sequence

from hippograph.bench.answers import arms, failing
from hippograph.bench.answers.arms import Outcome
from hippograph.bench.measures import paired
from hippograph.bench.report import Figure, median, percentile

TEMPORAL = "2"
HEADLINE = "locomo"
DIFFERENCES = {
    "uplift_points": ("extract", "none"),
    "uplift_points_big": ("big", "none"),
    "over_rag_points": ("extract", "rag"),
    "over_rag4_points": ("extract", "rag4"),
    "over_last_points": ("extract", "last"),
    "over_full_points": ("extract", "full"),
    "big_over_rag_points": ("big", "rag"),
}
"""Metric to the arms whose shares of contained gold answers it is the difference of, in points of 100."""


def metrics(outcomes: Sequence[Outcome]) -> dict[str, Figure]:
    """Return the flat figures of one reader, over LoCoMo where it was asked, else over all sets."""
    asked = [each for each in outcomes if not each.skipped]
    part = [each for each in asked if each.asked.set == HEADLINE] or asked
    found: dict[str, Figure] = {}
    for name, (one, other) in DIFFERENCES.items():
        found |= difference(name, part, one, other)
    temporal = [each for each in part if each.asked.category == TEMPORAL]
    found |= difference("temporal_points", temporal, "extract", "none")
    found |= difference("temporal_over_rag_points", temporal, "extract", "rag")
    found |= difference("temporal_over_rag4_points", temporal, "extract", "rag4")
    injected = [each.tokens for each in asked if each.arm == "extract"]
    found |= {
        "injected_tokens_p50": median(injected) if injected else None,
        "injected_tokens_p95": percentile(injected, 0.95) if injected else None,
        "unsupported_in_prompt": sum(each.unsupported for each in asked if each.arm in arms.OURS),
    }
    for arm in arms.NAMES:
        found |= {f"{arm}_{name}": value for name, value in row([each for each in part if each.arm == arm]).items()}
    rag, ours = found.get("rag_false_answers"), found.get("extract_false_answers")
    found |= {f"failures_{name}": number for name, number in failing.counts(part).items()}
    found["false_answers_cut"] = round(1 - ours / rag, 4) if rag and ours is not None else None
    return found


def difference(name: str, outcomes: Sequence[Outcome], ours: str, theirs: str) -> dict[str, Figure]:
    """Return by how many points of contained gold answers one arm is above another, over the questions of both."""
    pairs = _pairs(outcomes, ours, theirs)
    if not pairs:
        return {}
    found = paired([100 * other for _, other in pairs], [100 * one for one, _ in pairs])
    return {
        name: round(found.mean, 2),
        f"{name}_low": round(found.low, 2),
        f"{name}_high": round(found.high, 2),
        f"{name}_n": found.n,
    }


def _pairs(outcomes: Iterable[Outcome], ours: str, theirs: str) -> list[tuple[float, float]]:
    """Return for each question with an answer whether both arms' answers contain it."""
    found = {(each.asked.id, each.arm): float(each.scores.contained) for each in outcomes if each.asked.answerable}
    ids = [id_ for id_, arm in found if arm == ours and (id_, theirs) in found]
    return [(found[id_, ours], found[id_, theirs]) for id_ in ids]


def row(outcomes: Sequence[Outcome]) -> dict[str, Figure]:
    """Return one arm's figures; nothing where it was not asked."""
    asked = [each for each in outcomes if not each.skipped]
    skipped = {"skipped": len(outcomes) - len(asked)} if len(asked) < len(outcomes) else {}
    known = [each for each in asked if each.asked.answerable]
    rest = [each for each in asked if not each.asked.answerable]
    found: dict[str, Figure] = {**skipped}
    if known:
        contained = [float(each.scores.contained) for each in known]
        interval = paired([0.0] * len(contained), contained)
        found |= {
            "n": len(known),
            "contained": _mean(contained),
            "contained_low": round(interval.low, 4),
            "contained_high": round(interval.high, 4),
            "f1": _mean([each.scores.f1 for each in known]),
            "abstained": _mean([each.scores.abstained for each in known]),
        }
    if rest:
        found |= {
            "unanswerable_n": len(rest),
            "false_answers": _mean([not each.scores.abstained for each in rest]),
        }
    if asked:
        found |= {
            "tokens_p50": median([each.tokens for each in asked]),
            "tokens_p95": percentile([each.tokens for each in asked], 0.95),
            "prompt_tokens_p50": median([each.prompt_tokens for each in asked]),
            "ms_p50": median([each.ms for each in asked]),
            "ms_p95": percentile([each.ms for each in asked], 0.95),
        }
    return found


def rows(outcomes: Sequence[Outcome], readers: Sequence[str]) -> dict[str, dict[str, Figure]]:
    """Return each arm's figures over LoCoMo, or over all sets where that was not asked; the first reader's unnamed."""
    part = [each for each in outcomes if each.asked.set == HEADLINE] or list(outcomes)
    return {name: row(each) for name, each in _by_row(part, readers)}


def categories(outcomes: Sequence[Outcome], readers: Sequence[str]) -> dict[str, dict[str, dict[str, Figure]]]:
    """Return each arm's figures by set, and by category of it, such as "locomo 2"."""
    found = dict[str, dict[str, dict[str, Figure]]]()
    for name, each in _by_row(outcomes, readers):
        kinds = sorted({kind for one in each for kind in _kinds(one)})
        found[name] = {kind: row([one for one in each if kind in _kinds(one)]) for kind in kinds}
    return found


def _kinds(outcome: Outcome) -> tuple[str, str]:
    return outcome.asked.set, f"{outcome.asked.set} {outcome.asked.category}"


def _by_row(outcomes: Sequence[Outcome], readers: Sequence[str]) -> Iterable[tuple[str, list[Outcome]]]:
    for reader in readers:
        for arm in arms.NAMES:
            found = [each for each in outcomes if each.arm == arm and each.reader == reader]
            if found:
                yield (arm if reader == readers[0] else f"{arm} ({reader})"), found


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 4)
