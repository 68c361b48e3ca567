"""The rerankers that run in this process: models that read query and text together and give one number."""

import importlib
import importlib.util
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from hippograph.models import rerankers
from hippograph.state import ModelError, ModelUnavailable

MOST_TOKENS = 512
"""What is read of query and text together."""


class CrossEncoder:
    """A cross-encoder of sentence-transformers, from the Hugging Face hub or a folder. Thread-safe.

    Its raw logits are asked for, as models differ in what they put on top; their sigmoid is the score.
    """

    def __init__(self, name: str) -> None:
        _require("sentence_transformers", "cross-encoder")
        self._name = name
        self._model: Any = None
        self._lock = threading.Lock()

    def __call__(self, query: str, texts: Sequence[str]) -> list[float]:
        """Score texts against a query; the first call loads the model, which the hub may first have to send."""
        with self._lock:
            self._model = self._model or self._load()
            pairs = [(query, text) for text in texts]
            logits = self._model.predict(pairs, activation_fn=_as_is, show_progress_bar=False).tolist()
        if any(isinstance(logit, list) for logit in logits):
            raise ModelError(f"cross-encoder:{self._name} sorts texts into classes; name a model that ranks.")
        return [rerankers.sigmoid(logit) for logit in logits]

    def _load(self) -> Any:  # noqa: ANN401 - of an optional package
        make = importlib.import_module("sentence_transformers").CrossEncoder
        return _loaded(lambda: make(self._name, max_length=MOST_TOKENS), f"cross-encoder:{self._name}")


class FlashRank:
    """A cross-encoder of FlashRank, on ONNX without PyTorch. Its scores are probabilities. Thread-safe."""

    def __init__(self, name: str, folder: Path) -> None:
        _require("flashrank", "flashrank")
        self._name, self._folder = name, folder / "flashrank"
        self._ranker: Any = None
        self._lock = threading.Lock()

    def __call__(self, query: str, texts: Sequence[str]) -> list[float]:
        """Score texts against a query; the first call loads the model, which the hub may first have to send."""
        flashrank = importlib.import_module("flashrank")
        passages = [{"id": number, "text": text} for number, text in enumerate(texts)]
        with self._lock:
            self._ranker = self._ranker or self._load(flashrank.Ranker)
            ranked = self._ranker.rerank(flashrank.RerankRequest(query=query, passages=passages))
        scores = {each["id"]: float(each["score"]) for each in ranked}
        return [scores[number] for number in range(len(texts))]

    def _load(self, make: Callable[..., Any]) -> Any:  # noqa: ANN401 - of an optional package
        options = {"cache_dir": str(self._folder), "max_length": MOST_TOKENS, "log_level": "ERROR"}
        return _loaded(lambda: make(model_name=self._name, **options), f"flashrank:{self._name}")


def _loaded(load: Callable[[], Any], spec: str) -> Any:  # noqa: ANN401 - of an optional package
    try:
        return load()
    except Exception as error:
        said = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ModelUnavailable(
            f"{spec} cannot be loaded ({said}); it is fetched from the Hugging Face hub at its first use: check its "
            "name and the network."
        ) from error


def _require(module: str, extra: str) -> None:
    if importlib.util.find_spec(module) is None:
        raise ModelUnavailable(f"The reranker {extra} is not installed: pip install 'hippograph[{extra}]'")


def _as_is(logits: object) -> object:
    return logits
