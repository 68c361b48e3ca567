import json
from pathlib import Path

import pytest

from hippograph.models.prices import Price, Prices, _table, about, prices
from hippograph.state import BadInput

MILLION = 1_000_000


@pytest.mark.parametrize("model", ["local:qwen2.5-coder-0.5b", "ollama:qwen3:4b", "local:/models/a.gguf"])
def test_models_on_this_machine_cost_nothing(model: str) -> None:
    assert Prices().money(model, MILLION, MILLION) == 0


@pytest.mark.parametrize("model", ["openai:nobody-knows", "given:scripted", "ollama:gpt-oss:120b-cloud", "x:y", ""])
def test_an_unknown_price_is_unknown_and_never_nothing(model: str) -> None:
    assert Prices().of(model) is None
    assert Prices().money(model, MILLION, MILLION) is None
    assert Prices().money(model, 0, 0) is None


def test_tokens_times_dollars_a_million_are_millionths_of_a_dollar() -> None:
    assert Prices().of("openai:gpt-5-mini") == Price(0.25, 2)
    assert Prices().money("openai:gpt-5-mini", 2000, 300) == 1100
    assert Prices().money("openai:gpt-5-mini", MILLION, MILLION) == 2_250_000


@pytest.mark.parametrize("model", ["openai:gpt-5-mini-2025-08-07", "anthropic:claude-haiku-4-5-20251001"])
def test_an_edition_costs_what_its_model_does(model: str) -> None:
    assert Prices().of(model) == Prices().of(model.rpartition("-2025")[0])


def test_an_edition_with_a_price_of_its_own_has_that() -> None:
    assert Prices().of("openai:gpt-4o-2024-05-13") == Price(5, 15)
    assert Prices().of("openai:gpt-4o-2024-08-06") == Price(2.5, 10)


def test_openai_s_prices_are_not_those_of_other_servers_with_its_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:8000/v1")
    assert Prices().money("openai:gpt-5-mini", MILLION, 0) == 0
    monkeypatch.setenv("OPENAI_BASE_URL", "https://models.example.org/v1")
    assert Prices().of("openai:gpt-5-mini") is None
    assert Prices({"openai:*": Price(1, 1)}).of("openai:gpt-5-mini") == Price(1, 1)


def test_the_user_s_own_prices_lie_over_the_table(tmp_path: Path) -> None:
    own = {"openai:gpt-5-mini": {"input": 7, "output": 8}, "ollama:*": {"input": 1, "output": 1}}
    (tmp_path / "prices.json").write_text(json.dumps({"models": own}))
    found = prices(tmp_path)
    assert found.of("openai:gpt-5-mini") == Price(7, 8)
    assert found.of("ollama:qwen3:4b") == Price(1, 1)
    assert found.of("openai:gpt-4o") == Prices().of("openai:gpt-4o")
    assert found.of("openai:nobody-knows") is None


def test_a_file_named_elsewhere_counts_instead_and_must_be_there(tmp_path: Path) -> None:
    (tmp_path / "prices.json").write_text("{}")
    (tmp_path / "mine.json").write_text('{"a:b": {"input": 1, "output": 2}}')
    assert prices(tmp_path, tmp_path / "mine.json").of("a:b") == Price(1, 2)
    with pytest.raises(BadInput, match=r"none\.json cannot be read"):
        prices(tmp_path, tmp_path / "none.json")
    assert prices(tmp_path / "empty").of("openai:gpt-5-mini") == Price(0.25, 2)


@pytest.mark.parametrize(
    "text", ["nonsense", "[1]", '{"a:b": 3}', '{"a:b": {"input": -1, "output": 2}}', '{"a:b": {"input": "x"}}']
)
def test_a_table_that_is_none_says_how_to_write_one(tmp_path: Path, text: str) -> None:
    (tmp_path / "prices.json").write_text(text)
    with pytest.raises(BadInput, match="is no table of prices: write"):
        prices(tmp_path)


def test_the_table_names_its_source_its_day_and_sane_prices() -> None:
    assert "2026" in about()
    assert len(_table()) > 100
    assert all(0 < each.input <= each.output * 2 and each.output <= 600 for each in _table().values())
