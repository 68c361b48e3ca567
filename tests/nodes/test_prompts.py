from pathlib import Path
from string import Formatter

import pytest

from hippograph.nodes import prompts

NAMES = sorted({path.name.split(".")[0] for path in Path(prompts.__file__).parent.glob("*.md")})


def fields(text: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(text) if field}


@pytest.mark.parametrize("name", [name for name in NAMES if not name.endswith("example")])
def test_every_prompt_has_a_chinese_and_an_english_form_with_the_same_fields(name: str) -> None:
    assert fields(prompts.load(name, "zh")) == fields(prompts.load(name, "en"))


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith("examples")])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_examples_are_pairs_of_question_and_answer(name: str, language: str) -> None:
    parts = prompts.parts(name, language)
    assert len(parts) % 2 == 0
    assert all(parts)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_example_of_distilling_is_a_prompt_and_its_reply(language: str) -> None:
    assert len(prompts.parts("distil_example", language)) == 2
