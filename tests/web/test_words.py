"""What the page says, in both languages."""

import re
from string import Formatter
from typing import get_args

import pytest

from hippograph.state.recollection import Kind
from hippograph.web import words
from hippograph.web.rendering import TEMPLATES

KEY = re.compile(r"""\bt\(\s*["']([a-z_]+\.[a-z0-9_]+)["']\s*[,)]""")


def values(text: words.Text) -> set[str]:
    forms = [text] if isinstance(text, str) else [*text.values()]
    return {name for form in forms for _, name, _, _ in Formatter().parse(form) if name}


def test_both_languages_say_the_same_things() -> None:
    english, chinese = words.texts("en"), words.texts("zh")
    assert {*english} == {*chinese}
    assert {key: values(english[key]) for key in english} == {key: values(chinese[key]) for key in chinese}


def test_chinese_is_chinese() -> None:
    english = words.texts("en")
    same = [key for key, text in words.texts("zh").items() if not re.search(r"[一-鿿]", str(text))]
    assert [key for key in same if len(str(english[key])) > 30] == [], "only names and units are alike"


@pytest.mark.parametrize("path", sorted(TEMPLATES.glob("*.html")), ids=lambda path: path.name)
def test_templates_say_nothing_that_is_not_there(path: object) -> None:
    used = {*KEY.findall(path.read_text())}  # type: ignore[attr-defined]
    assert used - {*words.texts("en")} == set()


def test_numbers_have_their_forms() -> None:
    assert words.text("en", "base.memories_n", n=1) == "1 memory"
    assert words.text("en", "base.memories_n", n=12_345) == "12,345 memories"
    assert words.text("zh", "base.memories_n", n=1) == "1 条记忆"


@pytest.mark.parametrize("section", ["chat", "memories", "stats"])
def test_every_kind_of_memory_has_a_word(section: str) -> None:
    said = words.texts("en")
    assert [kind for kind in get_args(Kind) if f"{section}.kind_{kind}" not in said] == []
