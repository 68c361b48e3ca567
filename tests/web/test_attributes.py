"""Names of properties, in the page's languages."""

import json
import re
from importlib import resources

import pytest

from hippograph.web.attributes import attribute

KEYS = json.loads((resources.files("hippograph.memory.extraction") / "attributes.json").read_text("utf-8"))


@pytest.mark.parametrize("key", [*KEYS["keys"], *(f"favourite {each}" for each in KEYS["things"].values())])
def test_every_property_that_rules_know_has_its_word(key: str) -> None:
    assert not re.search("[a-z]", attribute(key, language="zh"))
    assert attribute(key, language="en") == key


def test_a_property_of_several_keeps_the_name_of_its_thing() -> None:
    assert attribute("sister 小米", language="zh") == "姐妹 小米"
    assert attribute("plan 去东京留学", language="zh") == "计划 去东京留学"
    assert attribute("shade of blue", language="zh") == "shade of blue"
