"""The prompts, as data: one Markdown file each, in Chinese and English."""

from functools import cache
from importlib import resources


@cache
def load(name: str, language: str) -> str:
    """Return a prompt's text, without the line break at its end.

    Args:
        name: The file's name without language and ending: "system" for `system.zh.md` and `system.en.md`.
        language: "zh" or "en".
    """
    return (resources.files(__package__) / f"{name}.{language}.md").read_text("utf-8").rstrip("\n")


@cache
def parts(name: str, language: str) -> tuple[str, ...]:
    """Return the parts of a prompt file whose parts are set apart by lines of three dashes."""
    return tuple(part.strip("\n") for part in load(name, language).split("\n---\n"))
