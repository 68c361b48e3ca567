from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hippograph.state import Settings
from hippograph.web.found import at_hand, in_force

if TYPE_CHECKING:
    from doubles import Ollama


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.from_env().override(home=tmp_path)


def reasons(settings: Settings) -> dict[str, str]:
    return {each.role.role: each.because for each in at_hand(settings).roles}


def test_without_any_setting_each_role_is_played_in_the_usual_way(settings: Settings) -> None:
    told = reasons(settings)
    assert told.pop("small") == "embedded"
    assert set(told.values()) == {"usual"}


def test_a_model_that_ollama_serves_is_told_so(settings: Settings, ollama: "Ollama") -> None:
    told = at_hand(settings.override(ollama_url=ollama.url)).roles
    assert (told[0].role.spec, told[0].because) == ("ollama:qwen3:4b", "served")


def test_a_big_model_reads_and_judges_too(settings: Settings) -> None:
    told = reasons(settings.override(big="local:qwen2.5-coder-0.5b"))
    assert (told["big"], told["extractor"], told["judge"]) == ("named", "big", "big")


def test_a_model_that_cannot_be_used_is_counted_with_its_cure(settings: Settings) -> None:
    told = at_hand(settings.override(small="openai:gpt-5-mini"))
    assert told.problems == 1
    small = told.roles[0]
    assert "OPENAI_API_KEY" in (small.role.problem or "")
    assert small.window is None
    assert small.variable == "HIPPOGRAPH_SMALL"


def test_the_settings_in_force_are_told_by_their_variables(tmp_path: Path) -> None:
    env = {"HIPPOGRAPH_HOME": str(tmp_path), "HIPPOGRAPH_TTL_DAYS": "event=365", "HIPPOGRAPH_SAMPLE": "0.1"}
    told = {each.variable: each.value for each in in_force(Settings.from_env(env))}
    assert told["HIPPOGRAPH_TTL_DAYS"] == "event=365"
    assert told["HIPPOGRAPH_SAMPLE"] == "0.1"
    assert told["HIPPOGRAPH_DAILY_USD"] == ""
