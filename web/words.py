"""What the page says, in Chinese and English: one file a section and language in `texts/`."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "texts"
Text = str | Mapping[str, str]
"""One text, or {"one": …, "other": …} by the number `n`."""


@cache
def texts(language: str) -> Mapping[str, Text]:
    """Return all texts of a language by "section.key"."""
    found = dict[str, Text]()
    for path in sorted(FOLDER.glob(f"*.{language}.json")):
        section = path.name.partition(".")[0]
        found |= {f"{section}.{key}": text for key, text in json.loads(path.read_text(encoding="utf-8")).items()}
    return found


def text(language: str, key: str, **values: object) -> str:
    """Return a text with its values put in.

    Raises:
        KeyError: There is none of this key; a test keeps both languages alike.
    """
    found = texts(language)[key]
    if not isinstance(found, str):
        found = found["one" if values.get("n") == 1 and "one" in found else "other"]
    return found.format_map(values) if values else found
