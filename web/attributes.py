"""Properties in the page's language: memories name them by English keys, so that both languages share them."""

import json
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("attributes.json")


def attribute(key: str, *, language: str) -> str:
    """Return a property's name in a language: "sister 小米" is 姐妹 小米; one that is not known stays as it is."""
    known = _chinese()
    if language != "zh" or key in known:
        return known[key] if language == "zh" else key
    head = max((each for each in known if key.startswith(f"{each} ")), key=len, default="")
    thing = key.removeprefix(f"{head} ")
    return f"{known[head]} {known.get(thing, thing)}" if head else key


@cache
def _chinese() -> dict[str, str]:
    found: dict[str, str] = json.loads(_FILE.read_text(encoding="utf-8"))
    return found
