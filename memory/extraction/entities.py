"""Names of people, places and things in a sentence."""

import re

from hippograph.memory.extraction.words import listed

_NAMES = re.compile(
    r"[A-Z][\w'.+#-]*(?:\s+(?:(?:of|de|van|von|the)\s+)?(?:[A-Z][\w'.+#-]*|\d+))*|《([^》]+)》|“([^”]+)”|"
    r"\b\w*[a-z]\w*[A-Z]\w*\b",
    re.ASCII,
)
_ZH_LATIN = re.compile(r"[A-Za-z][\w.+#-]*(?:\s+[A-Za-z0-9][\w.+#-]*)*")
MOST = 8


def entities(text: str) -> tuple[str, ...]:
    """Return the names in a fact's sentence, in order, each once."""
    found: dict[str, None] = {}
    for match in _NAMES.finditer(text):
        name = next((each for each in match.groups() if each), match[0]).strip(" .,'")
        words = name.split()
        while words and words[0].lower() in (listed("notnames") | {"user", "user's"}):
            words = words[1:]
        name = " ".join(words).removesuffix("'s")
        if name and not name.startswith("The user"):
            found.setdefault(name)
    if re.search(r"[\u4e00-\u9fff]", text):
        for match in _ZH_LATIN.finditer(text):
            found.setdefault(match[0])
    return tuple(found)[:MOST]
