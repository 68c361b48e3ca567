"""A tiny LoCoMo file: two conversations, five questions."""

import json
from pathlib import Path

SAID = [
    ("Ann", "Please no lychees for me, I am allergic to lychee."),
    ("Ben", "My gecko is called Quetzal."),
    ("Ann", "I flew to Oslo on 3 March 2023."),
    ("Ben", "I plant three apple trees every year."),
]
QA = [
    {"question": "What is Ann allergic to?", "answer": "lychee", "evidence": ["D1:1"], "category": 4},
    {"question": "When did Ann fly to Oslo?", "answer": "3 March 2023", "evidence": ["D1:3"], "category": 2},
    {"question": "What is Ben's cat called?", "adversarial_answer": "Quetzal", "evidence": ["D1:2"], "category": 5},
]


def locomo(folder: Path) -> Path:
    """Write the file; return it."""
    turns = [{"speaker": who, "text": text, "dia_id": f"D1:{n}"} for n, (who, text) in enumerate(SAID, start=1)]
    talk = {"speaker_a": "Ann", "speaker_b": "Ben", "session_1": turns, "session_1_date_time": "1:56 pm on 8 May, 2023"}
    samples = [
        {"sample_id": "conv-0", "conversation": talk, "qa": QA},
        {"sample_id": "conv-1", "conversation": talk, "qa": QA[:2]},
    ]
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "locomo_tiny.json"
    path.write_text(json.dumps(samples))
    return path
