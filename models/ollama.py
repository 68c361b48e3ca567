"""What an Ollama server says about itself: does it answer, what models it has, what a model can do."""

import json
import math
import re
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any

from hippograph.models import faults
from hippograph.state import ModelError, ModelNotFound, ModelUnavailable

CHECK_SECONDS = 2.0
_USUAL_SIZE = 4e9
_EMBEDDING_FAMILIES = {"bert", "nomic-bert", "xlm-roberta", "nomic-bert-moe", "gemma-embedding"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One model an Ollama server has."""

    name: str
    size: int
    """Bytes; 0 where the server does not say."""
    parameters: float
    """Number of parameters; 0.0 where unknown."""
    family: str

    @property
    def embeds(self) -> bool:
        """Whether it is an embedding model, by its family or name."""
        return self.family in _EMBEDDING_FAMILIES or bool(re.search(r"embed|bge-|minilm|e5-", self.name))

    @property
    def liking(self) -> tuple[int, float]:
        """Sorts the models fit to answer first: general, instructed, and near 4 billion parameters."""
        special = re.search(r"coder|code|math|guard|vision|-vl|base|text$|r1|qwq|thinking|cloud", self.name)
        size = self.parameters or self.size * 1.6 or _USUAL_SIZE
        return (1 if special else 0, abs(math.log(size / _USUAL_SIZE)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a model can do."""

    window: int | None
    """Context length it was made for, in tokens; None where the server does not say."""
    num_ctx: int | None = None
    """The window its Modelfile asks for; None where it asks for none."""
    capabilities: tuple[str, ...]
    """Such as "completion", "tools", "thinking", "embedding"; empty from old servers."""


def models(url: str, timeout: float = CHECK_SECONDS) -> list[Listed]:
    """Return the models a server has.

    Raises:
        ModelUnavailable: nothing answers at the address, or something else than Ollama.
    """
    found = _call(url, "/api/tags", None, timeout).get("models")
    if not isinstance(found, list):
        raise ModelUnavailable(f"What answers at {url} is not Ollama; set OLLAMA_HOST to Ollama's address.")
    return [_listed(entry) for entry in found]


def require(url: str, name: str) -> Shown:
    """Return what a model can do.

    Raises:
        ModelUnavailable: nothing answers at the address.
        ModelNotFound: the server does not have the model; the message lists what it has.
    """
    there = [model.name for model in models(url)]
    if name not in there and f"{name}:latest" not in there:
        have = f"it has {', '.join(sorted(there)[:12])}" if there else "it has none yet"
        raise ModelNotFound(f'Ollama at {url} has no model "{name}" ({have}); fetch it: ollama pull {name}')
    try:
        answer = _call(url, "/api/show", {"model": name}, CHECK_SECONDS)
    except ModelError:
        return Shown(window=None, capabilities=())  # It answers, it has the model: the details can do without.
    details = answer.get("model_info") or {}
    window = next((int(value) for key, value in details.items() if key.endswith(".context_length")), None)
    asked = re.search(r"^num_ctx\s+(\d+)", str(answer.get("parameters") or ""), re.MULTILINE)
    return Shown(
        window=window,
        num_ctx=int(asked[1]) if asked else None,
        capabilities=tuple(answer.get("capabilities") or ()),
    )


def _listed(entry: dict[str, Any]) -> Listed:
    details = entry.get("details") or {}
    return Listed(
        name=str(entry.get("model") or entry.get("name")),
        size=int(entry.get("size") or 0),
        parameters=_parameters(str(details.get("parameter_size") or "")),
        family=str(details.get("family") or ""),
    )


def _parameters(text: str) -> float:
    """Read "4.0B" or "751.63M"."""
    found = re.fullmatch(r"([\d.]+)\s*([KMBT])", text.strip(), re.IGNORECASE)
    return float(found[1]) * {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}[found[2].upper()] if found else 0.0


def _call(url: str, path: str, body: dict[str, Any] | None, timeout: float) -> dict[str, Any]:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url.rstrip("/") + path, data, {"Content-Type": "application/json"})
    handlers = [urllib.request.ProxyHandler({})] if faults.is_loopback(url) else []
    try:
        with urllib.request.build_opener(*handlers).open(request, timeout=timeout) as reply:
            answer = json.load(reply)
    except urllib.error.HTTPError as error:
        with error:
            raise ModelUnavailable(f"Ollama at {url} answers {path} with HTTP {error.code}; see its log.") from error
    except ValueError as error:
        raise ModelUnavailable(f"What answers at {url} is not Ollama; set OLLAMA_HOST to Ollama's address.") from error
    except OSError as error:
        raise ModelUnavailable(
            f"No Ollama answers at {url}: start it (ollama serve), set OLLAMA_HOST to where it runs, or use the "
            "embedded model (local)."
        ) from error
    return answer if isinstance(answer, dict) else {}
