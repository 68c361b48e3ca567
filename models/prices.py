"""What models cost: a table of well-known hosted ones, and the user's own over it. An unknown price stays unknown."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from hippograph.models import faults
from hippograph.state import BadInput

FILE = "prices.json"
"""The user's own table, in the home."""
FORM = '{"models": {"openai:gpt-5-mini": {"input": 0.25, "output": 2}}}, in USD per million tokens'
_FREE = ("local", "ollama")
_CLOUD = re.compile(r"[:-]cloud$")
"""Models that Ollama passes on to its own servers, which are paid by the month."""
_DATED = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{6}|\d{4}|latest|preview)$")
"""What names one of several editions of a model, which cost the same where none has a price of its own."""


@dataclass(frozen=True, slots=True)
class Price:
    """What a model costs, in USD per million tokens."""

    input: float
    output: float


class Prices:
    """Prices by the models' names, "provider:model"."""

    def __init__(self, own: Mapping[str, Price] | None = None) -> None:
        """Lay the user's own prices over the table; a name that ends in "*" stands for all that begin so."""
        self._own = own or {}

    def of(self, model: str) -> Price | None:
        """Return what a model costs; None where that is not known."""
        if (price := _found(self._own, model)) is not None:
            return price
        provider = model.partition(":")[0]
        if provider in _FREE:
            return None if _CLOUD.search(model) else Price(0, 0)
        if provider == "openai" and (base := faults.openai_base()) and "api.openai.com" not in base:
            return Price(0, 0) if faults.is_loopback(base) else None  # another server, whatever its models are called
        return _found(_table(), model)

    def money(self, model: str, read: int, written: int) -> int | None:
        """Return what some tokens of prompt and answer cost, in millionths of a USD; None where that is not known."""
        price = self.of(model)
        return None if price is None else round(read * price.input + written * price.output)


def prices(home: Path, named: Path | None = None) -> Prices:
    """Return the prices that hold in a home: the user's file, if there is one, over the table.

    Args:
        home: Where `prices.json` is looked for.
        named: The user's file, where it is another one.

    Raises:
        BadInput: The file cannot be read, or is no table of prices.
    """
    path = named or home / FILE
    if named is None and not path.exists():
        return Prices()
    try:
        given = json.loads(path.read_text("utf-8"))
        return Prices(_read(given.get("models", given)))
    except OSError as error:
        raise BadInput(f"The prices in {path} cannot be read: {error.strerror or error}.") from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BadInput(f"{path} is no table of prices: write {FORM}.") from error


def about() -> str:
    """Say where the table is from, and of when."""
    head = _file()
    return f"{head['source']}, {head['date']}"


def _read(models: Mapping[str, Mapping[str, float]]) -> dict[str, Price]:
    table = {name: Price(float(each["input"]), float(each["output"])) for name, each in models.items()}
    if any(not (0 <= price.input < 1e6 and 0 <= price.output < 1e6) for price in table.values()):
        raise ValueError("a price is below 0, or no number")
    return table


def _found(table: Mapping[str, Price], model: str) -> Price | None:
    if model in table:
        return table[model]
    if (plain := _DATED.sub("", model)) in table:
        return table[plain]
    begun = [name for name in table if name.endswith("*") and model.startswith(name[:-1])]
    return table[max(begun, key=len)] if begun else None


@cache
def _table() -> Mapping[str, Price]:
    return _read(_file()["models"])


@cache
def _file() -> dict[str, dict[str, dict[str, float]]]:
    found: dict[str, dict[str, dict[str, float]]] = json.loads(
        (resources.files("hippograph.models") / FILE).read_text("utf-8")
    )
    return found
