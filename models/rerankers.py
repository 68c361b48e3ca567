"""Rerankers by name: models that read a query beside a text, for a second look at the best of what recall found."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from hippograph.models import faults
from hippograph.state import BadInput, ModelError, Settings

FUSION = "fusion"
"""No second look: the legs and their lifts alone."""
NONE = "none"
"""No second look and no lifts: the legs alone."""
FORMS = (
    "fusion, none, cross-encoder:MODEL, flashrank:MODEL, rerank:http://HOST:PORT/v1/rerank (#MODEL behind it, where "
    "the server has several) or llm:PROVIDER:MODEL"
)

Score = Callable[[str, Sequence[str]], Iterable[float]]
"""Scores texts against a query; may raise anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reranker:
    """A reranker ready for use; a caller's own is made of any function that scores.

    What a score says depends on the kind. Cross-encoders and endpoints: the model's own probability, or the sigmoid of
    its logit; how well the text fits, whatever stands beside it. Listwise: a place in the model's order, not a
    likelihood; what the model names lies above 0.5, the rest below.
    """

    spec: str
    """Its full name: "cross-encoder:BAAI/bge-reranker-v2-m3", "llm:ollama:qwen3:4b"."""
    score: Score
    """Gives each text a number in [0, 1]; call `scores`, which checks them."""

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return how well each text fits the query, in [0, 1], higher is better, in the order of the texts.

        Raises:
            ModelError: The model failed, or gave something else than one number in [0, 1] for each text.
        """
        if not texts:
            return []
        try:
            numbers = [float(number) for number in self.score(query, texts)]
        except Exception as error:
            raise faults.explain(error, self.spec) from error
        if len(numbers) != len(texts):
            raise ModelError(f"{self.spec} gave {len(numbers)} scores for {len(texts)} texts; use another reranker.")
        if not all(0 <= number <= 1 for number in numbers):  # No comparison holds for NaN.
            raise ModelError(f"{self.spec} gave scores that are not numbers from 0 to 1; use another reranker.")
        return numbers


def reranker(spec: str | None, settings: Settings) -> Reranker | None:
    """Return the reranker of a name; nothing is loaded or called before its first use.

    Args:
        spec: "fusion" or "none" (no second look), "cross-encoder:MODEL", "flashrank:MODEL", "rerank:URL" with
            "#MODEL" where the server has several, or "llm:PROVIDER:MODEL". None: what the settings say, else fusion.
        settings: Which reranker is meant by None, and where models are.

    Raises:
        ModelUnavailable: Its package is not installed.
        BadInput: The name cannot be used.
    """
    name = named(spec, settings)
    if name in (FUSION, NONE):
        return None
    kind, _, model = (part.strip() for part in name.partition(":"))
    make = _KINDS.get(kind.lower())
    if make is None or not model:
        raise BadInput(f'There is no reranker "{name}"; it is one of {FORMS}.')
    return Reranker(spec=f"{kind.lower()}:{model}", score=make(model, settings))


def named(spec: str | None, settings: Settings) -> str:
    """Return the name that a name, or none, stands for."""
    return (spec or settings.reranker or FUSION).strip()


def sigmoid(logit: float) -> float:
    """Return the probability of a logit; any size is taken."""
    return 0.5 * (1 + math.tanh(logit / 2))


def _cross_encoder(model: str, _: Settings) -> Score:
    from hippograph.models.crossencoders import CrossEncoder

    return CrossEncoder(model)


def _flashrank(model: str, settings: Settings) -> Score:
    from hippograph.models.crossencoders import FlashRank

    return FlashRank(model, settings.model_dir)


def _endpoint(address: str, _: Settings) -> Score:
    from hippograph.models.endpoint import Endpoint

    return Endpoint(address)


def _listwise(model: str, settings: Settings) -> Score:
    from hippograph.models.listwise import Listwise

    return Listwise(model, settings)


_KINDS: dict[str, Callable[[str, Settings], Score]] = {
    "cross-encoder": _cross_encoder,
    "flashrank": _flashrank,
    "rerank": _endpoint,
    "llm": _listwise,
}
