from random import Random

import numpy as np
import pytest

from hippograph.bench.sets import Question
from hippograph.bench.tune import FIXED, Judged, fitted
from hippograph.memory.search.weights import WEIGHTS

NAMES = [*WEIGHTS]
BEFORE = np.array([*WEIGHTS.values()])


def judged(source: str, number: int, telling: str, seed: int = 1) -> list[Judged]:
    """Questions of ten candidates, whose evidence stands out by one signal alone; all others are noise."""
    random = np.random.default_rng(seed)
    made = []
    for n in range(number):
        signals = random.uniform(0, 0.5, (10, len(NAMES)))
        right = Random(seed * 1000 + n).randrange(10)
        signals[:, NAMES.index(telling)] = 0.2
        signals[right, NAMES.index(telling)] = 0.9
        made.append(
            Judged(
                question=Question(id=f"{source}{n}", space="s", text="?", gold=(frozenset({str(right)}),)),
                source=source,
                ids=[(str(row),) for row in range(10)],
                signals=signals,
                gold=np.eye(10)[right],
            )
        )
    return made


def test_fitting_makes_what_tells_weigh_more_and_finds_more() -> None:
    asked = judged("a", 40, "hop")
    after = fitted(asked, BEFORE)
    reached = [np.mean([each.recall(weights, 1) for each in asked]) for weights in (BEFORE, after)]
    assert reached[1] > reached[0] + 0.2
    shares = [weights[NAMES.index("hop")] / np.abs(weights).sum() for weights in (BEFORE, after)]
    assert shares[1] > 2 * shares[0]


def test_no_weight_changes_its_sign_and_the_fixed_ones_stay() -> None:
    negative = [name for name, weight in WEIGHTS.items() if weight < 0]
    assert negative
    # The evidence stands out by signals that are held to speak against it: their weights end at 0, not above.
    after = dict(zip(NAMES, fitted(judged("a", 40, negative[0]), BEFORE), strict=True))
    assert all(after[name] * weight >= 0 for name, weight in WEIGHTS.items())
    assert after[negative[0]] == 0
    assert {name: after[name] for name in FIXED} == {name: WEIGHTS[name] for name in FIXED}


def test_scores_keep_their_height() -> None:
    asked = judged("a", 40, "hop")
    after = fitted(asked, BEFORE)
    free = np.array([name not in FIXED for name in NAMES])
    best = [np.mean([(each.signals @ weights).max() for each in asked]) for weights in (BEFORE, after)]
    assert best[1] == pytest.approx(best[0], rel=0.1)
    assert not np.allclose(after[free], BEFORE[free])


def test_a_set_counts_the_same_whatever_its_size() -> None:
    one, other = judged("a", 12, "hop"), judged("b", 12, "time", seed=2)
    assert np.allclose(fitted([*one, *other], BEFORE), fitted([*one * 3, *other], BEFORE), atol=0.02)


def test_questions_whose_evidence_was_not_found_teach_nothing() -> None:
    asked = judged("a", 12, "hop")
    lost = Judged(question=asked[0].question, source="a", ids=asked[0].ids, signals=asked[0].signals, gold=np.zeros(10))
    assert np.array_equal(fitted(asked, BEFORE), fitted([*asked, lost], BEFORE))


def test_recall_counts_evidence_among_the_best() -> None:
    (each,) = judged("a", 1, "hop")
    right = int(each.gold.argmax())
    by_hop = np.array([float(name == "hop") for name in NAMES])
    assert each.recall(by_hop, 1) == 1
    assert each.recall(-by_hop, 9) == 0
    assert each.ids[right] == (str(right),)
