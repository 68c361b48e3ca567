"""What each signal weighs in fusion. Tuned by `python -m hippograph.bench.tune` on the development data; see fuse."""

LEGS = ("vector", "keyword", "context", "hop", "time", "entity")
"""Signals of the legs themselves; all others are lifts."""

GAINED = ("fact", "turn", "successor")
"""Evidence taken over: from a fact of a turn, from the turn of a fact, from what is out of date. Weighed already."""

WEIGHTS: dict[str, float] = {
    "vector": 0.8,
    "keyword": 0.25,
    "context": 0.88,
    "hop": 0.42,
    "time": 0.55,
    "entity": 0.1,
    "after": 0.08,
    "asked before": 0.4,
    "thread vector": 0.2,
    "thread keyword": 0.2,
    "speaker": 0.39,
    "subject": 0.3,
    "property": 0.8,
    "identifier": 0.5,
    "telling": 0.05,
    "asking": -0.05,
    "slight": -0.2,
    "second hand": -0.12,
    "given": 0.2,
    "important": 0.08,
    "recent": 0.06,
}
"""Signal to weight; a signal of 1 adds its weight to the evidence."""
