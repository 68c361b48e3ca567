"""What went wrong, in the page's language: our errors are written in English, for programs and logs too."""

import json
import re
from functools import cache
from pathlib import Path

from hippograph.web import words

_HAN = re.compile(r"[一-鿿]")
_FILE = Path(__file__).with_name("troubles.json")


def told(error: Exception | str, language: str) -> str:
    """Return what an error says in a language; one that is not known is returned as it is."""
    text = str(error)
    if language != "zh":
        return text
    for pattern, chinese in _known():
        if found := pattern.fullmatch(text):
            parts = {name: part or "" for name, part in found.groupdict().items()}
            return chinese.format_map({**parts, **({"c": told(parts["c"], language)} if "c" in parts else {})})
    return text


def framed(error: Exception | str, language: str) -> str:
    """Return what an error says, for a reader: what is known in English alone is put in words of the language."""
    text = told(error, language)
    return text if language != "zh" or _HAN.search(text) else words.text(language, "base.untold", said=text)


@cache
def _known() -> list[tuple[re.Pattern[str], str]]:
    """Return each pattern with its words; the part `c` of one is an error itself."""
    rows = json.loads(_FILE.read_text(encoding="utf-8"))
    return [(re.compile(pattern, re.DOTALL), chinese) for pattern, chinese in rows]
