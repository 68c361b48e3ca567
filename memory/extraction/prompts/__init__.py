"""The prompts of extraction, as data: one Markdown file each, in Chinese and English."""

from functools import cache
from importlib import resources


@cache
def load(name: str, language: str) -> str:
    """Return the text of `name.language.md`, without the line break at its end."""
    return (resources.files(__package__) / f"{name}.{language}.md").read_text("utf-8").rstrip("\n")
