"""What providers' exceptions mean, in one line that says what to do next."""

import os
import re
import urllib.parse
from collections.abc import Iterator

from hippograph.state import MissingKey, ModelError, ModelNotFound, ModelUnavailable, PromptTooLong, Settings

KEYS = {
    "openai": "OPENAI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "google_genai": "GOOGLE_API_KEY",
    "mistralai": "MISTRAL_API_KEY",
    "groq": "GROQ_API_KEY",
    "deepseek": "DEEPSEEK_API_KEY",
    "together": "TOGETHER_API_KEY",
    "fireworks": "FIREWORKS_API_KEY",
    "cohere": "COHERE_API_KEY",
    "openrouter": "OPENROUTER_API_KEY",
    "perplexity": "PPLX_API_KEY",
    "xai": "XAI_API_KEY",
    "nvidia": "NVIDIA_API_KEY",
}
"""The environment variable that holds each hosted provider's key."""
OPENAI = "https://api.openai.com"

_REFUSED = {"ConnectError", "ConnectTimeout", "ConnectionRefusedError"}
_UNREACHABLE = {*_REFUSED, "APIConnectionError", "ConnectionError"}
_BROKEN = {"RemoteProtocolError", "ReadError", "WriteError", "ConnectionResetError", "BrokenPipeError", "CloseError"}
_SLOW = {"APITimeoutError", "ReadTimeout", "WriteTimeout", "PoolTimeout", "TimeoutError", "StreamChunkTimeoutError"}


def explain(error: BaseException, spec: str) -> ModelError:
    """Turn whatever calling a model raised into one line.

    Args:
        error: an exception of an OpenAI, Ollama or HTTP client, or any other.
        spec: the model that was called, "provider:model".

    Returns:
        A ModelError (or subclass) naming the model, the address where known, and the fix. Raise it `from` the error.
    """
    return recognise(error, spec) or ModelError(f"{spec} failed: {_first_line(error)}")


def recognise(error: BaseException, spec: str) -> ModelError | None:
    """As `explain`, but None for an exception that does not come from calling a model."""
    causes = list(_causes(error))
    ours = next((cause for cause in causes if isinstance(cause, ModelError)), None)
    if ours is not None:
        return ours
    status = next((code for cause in causes if (code := _status(cause))), None)
    text = next((_first_line(cause) for cause in causes if _status(cause)), "")
    where = _address(causes, spec)
    if status is not None:
        return _refused(status, text, spec, where)
    kinds = {kind.__name__ for cause in causes for kind in type(cause).__mro__}
    if kinds & _SLOW and not kinds & {"ConnectTimeout"}:
        return ModelUnavailable(f"{spec} at {where} took too long to answer; try again, or use a smaller model.")
    if kinds & _BROKEN and not kinds & _REFUSED:
        return broken_off(spec, where)
    if kinds & _UNREACHABLE:
        return unreachable(spec, where)
    if kinds & {"ResponseError", "OpenAIError"}:
        return ModelError(f"{spec} failed: {_first_line(error)}")
    return None


def unreachable(spec: str, where: str) -> ModelUnavailable:
    """No server answers at the address: say what to start."""
    start = {
        "ollama": "start Ollama (ollama serve) or set OLLAMA_HOST",
        "openai": "check OPENAI_BASE_URL, and that the server runs",
        "local": "try again: it is started anew",
    }.get(_provider(spec), "check the network")
    return ModelUnavailable(f"No model server answers at {where} (asked for {spec}): {start}.")


def require_key(spec: str) -> None:
    """Check that a hosted model's key is set.

    Raises:
        MissingKey: it is not, and the provider wants one (a server on this machine does not).
    """
    provider = _provider(spec)
    variable = KEYS.get(provider)
    if variable is None or os.environ.get(variable, "").strip():
        return
    if provider == "openai" and is_loopback(openai_base()):
        return
    raise missing_key(spec)


def openai_base() -> str:
    """The base URL that OpenAI's clients are pointed to; empty: OpenAI's own."""
    return (os.environ.get("OPENAI_BASE_URL") or os.environ.get("OPENAI_API_BASE") or "").strip().rstrip("/")


def elsewhere() -> str:
    """The base URL of a server that is not OpenAI's own; empty where none is set."""
    base = openai_base()
    return "" if base.startswith(OPENAI) else base


def is_loopback(url: str) -> bool:
    """Whether an address is on this machine: no key is wanted there, and no proxy asked."""
    host = urllib.parse.urlsplit(url).hostname or ""
    return host in ("localhost", "::1") or host.startswith("127.")


def missing_key(spec: str) -> MissingKey:
    """The provider wants a key: say where to put it."""
    return MissingKey(f"{spec} needs a key: set {_key(_provider(spec))} (in the environment or in .env).")


def broken_off(spec: str, where: str = "") -> ModelUnavailable:
    """The server went away while it answered."""
    at = f" at {where}" if where else ""
    return ModelUnavailable(f"{spec}{at} broke off in mid-answer; see its server's log, then try again.")


def refused_key(spec: str, where: str, status: int) -> MissingKey:
    """The provider does not take the key."""
    return MissingKey(f"{spec} refused the key (HTTP {status} from {where}); check {_key(_provider(spec))}.")


def install_hint(error: ImportError, provider: str) -> str:
    """The pip command for an integration that is not installed."""
    named = re.search(r"pip install -?U? ?`?([a-z0-9_.-]+)", str(error))
    return f"pip install {named[1] if named else 'langchain-' + provider.replace('_', '-')}"


def _refused(status: int, text: str, spec: str, where: str) -> ModelError:
    """What an HTTP error status of a model server means."""
    if (
        status in (400, 413, 422, 500)
        and re.search(r"context|too long|exceed", text)
        and re.search(r"token|length", text)
    ):
        return PromptTooLong(
            f"The prompt does not fit the context window of {spec} ({_short(text)}); "
            "lower memory_tokens or last_turns, or raise context_tokens."
        )
    if status in (401, 403):
        return refused_key(spec, where, status)
    if status == 404:
        name = spec.partition(":")[2]
        fix = f"ollama pull {name}" if _provider(spec) == "ollama" else "check its name and the server's address"
        return ModelNotFound(f'There is no model "{name}" at {where}; {fix}.')
    if status == 429:
        return ModelUnavailable(
            f"{spec} takes no more requests for now (HTTP 429: {_short(text)}); wait, or see the quota."
        )
    if status >= 500:
        return ModelUnavailable(f"{spec} failed on its server at {where} (HTTP {status}: {_short(text)}); try again.")
    return ModelError(f"{spec} refused the request (HTTP {status}: {_short(text)}).")


def _provider(spec: str) -> str:
    return spec.partition(":")[0].strip().lower().replace("-", "_")


def _key(provider: str) -> str:
    return KEYS.get(provider, f"{provider.upper()}_API_KEY")


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The exception and what it came from, clients' `from None` notwithstanding."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _status(error: BaseException) -> int | None:
    """The HTTP status an exception carries."""
    code = getattr(error, "status_code", None) or getattr(getattr(error, "response", None), "status_code", None)
    return code if isinstance(code, int) and code >= 400 else None


def _address(causes: list[BaseException], spec: str) -> str:
    """The address that was called, as far as an exception or the settings tell."""
    for cause in causes:
        try:
            url = cause.request.url  # type: ignore[attr-defined]
        except (AttributeError, RuntimeError):  # httpx raises where no request is known.
            continue
        return f"{url.scheme}://{url.netloc.decode() if isinstance(url.netloc, bytes) else url.netloc}"
    provider = _provider(spec)
    if provider == "ollama":
        return Settings.from_env().ollama_url
    return (os.environ.get("OPENAI_BASE_URL") if provider == "openai" else None) or f"its {provider} address"


def _first_line(error: BaseException) -> str:
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__


def _short(text: str, most: int = 200) -> str:
    """The server's own words inside what clients make of an error reply."""
    found = re.search(r"""["'](?:message|error)["']: ?(["'])(.+?)\1[,}]""", text)
    short = found[2] if found else re.sub(r"^Error code: \d+ - ", "", text)
    return short if len(short) <= most else short[: most - 1] + "…"
