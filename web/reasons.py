"""What the graph says of a turn, in the page's language: why it searched, what speaks for a memory, why one was cut."""

import json
import re
from functools import cache
from pathlib import Path

from hippograph.web.troubles import told

PLACE = {"en": 0, "zh": 1}
_FILE = Path(__file__).with_name("reasons.json")


def reason(text: str, *, language: str) -> str:
    """Return a reason in words of a language; an error too; one that is not known is returned as it is."""
    for pattern, forms in _known():
        if found := pattern.fullmatch(text):
            parts = {name: reason(part, language=language) if name == "c" else part for name, part in _parts(found)}
            return forms[PLACE[language]].format_map(parts)
    return told(text, language)


def _parts(found: re.Match[str]) -> list[tuple[str, str]]:
    return [*found.groupdict().items()]


@cache
def _known() -> list[tuple[re.Pattern[str], tuple[str, str]]]:
    """Return each pattern with its words; the part `c` of one is a reason itself."""
    rows = json.loads(_FILE.read_text(encoding="utf-8"))
    return [(re.compile(pattern, re.DOTALL), (english, chinese)) for pattern, english, chinese in rows]
