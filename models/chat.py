"""Chat models by name: what "provider:model" stands for, checked and set up."""

import json
import os
import re
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hippograph.models import catalogue, faults, local, ollama
from hippograph.models.counting import EstimatedCounter, ServedCounter, TokenCounter
from hippograph.models.spec import EXAMPLES, Spec, parse
from hippograph.state import BadInput, ModelError, ModelUnavailable, Settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

CONNECT_SECONDS = 2.0
"""Longest wait for a server to take a call; with one retry still below five seconds."""
READ_SECONDS = 300.0
"""Longest silence while a model answers: a slow machine reading a long prompt."""
RETRIES = 1
THINKING_TOKENS = 2000
"""What hosted reasoning models may think, on top of the answer; they count both as output."""
# Models whose chat template opens the thinking tag itself; where the server does not notice, answers only close it.
_OPENS_THINKING = re.compile(r"(?<![a-z0-9])r1(?![0-9])|qwq|thinking|reasoner")
_THINKS = re.compile(r"(?!.*chat)(?:o1|o3|o4|gpt-5)")
"""OpenAI's models that think, and take no temperature."""
_OPENAI = "https://api.openai.com"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatModel:
    """A chat model ready for use."""

    spec: str
    """Its full name, "provider:model"."""
    model: "BaseChatModel"
    """Thinking stripped, timeouts and token limits set; for structured output use `with_structured_output`."""
    counter: TokenCounter
    window: int
    """Tokens of prompt and answer together: what was asked for, or less where the model has less."""


def chat_model(
    spec: str,
    settings: Settings,
    *,
    context_tokens: int = 4096,
    answer_tokens: int = 512,
    temperature: float = 0.0,
    silence: float = READ_SECONDS,
) -> ChatModel:
    """Return the chat model of a name, after checking that it can be used.

    Args:
        spec: "provider:model": `ollama:…`, `openai:…`, `local`, `local:NAME`, `local:/path/to.gguf`, or any provider
            that LangChain's `init_chat_model` knows.
        settings: where Ollama and the embedded models are.
        context_tokens: the window to use it with, prompt and answer together.
        answer_tokens: the most tokens of one answer.
        temperature: 0 to 2; left out for models that refuse it.
        silence: the longest that its server may say nothing, in seconds; not every provider can be told.

    Raises:
        ModelUnavailable: no server answers at its address, or the model cannot be loaded.
        ModelNotFound: the server does not have it.
        MissingKey: its provider wants a key.
        ModelNotPulled: an embedded model is not on this machine.
        BadInput: the name or a number cannot be used.
    """
    parsed = parse(spec)
    if not 0 < answer_tokens < context_tokens:
        raise BadInput(f"answer_tokens ({answer_tokens}) must be between 1 and context_tokens ({context_tokens}).")
    request = _Request(context=context_tokens, answer=answer_tokens, temperature=temperature, silence=silence)
    make = {"ollama": _ollama, "openai": _openai, "local": _local}.get(parsed.provider, _other)
    made = make(parsed, settings, request)
    if made.window <= answer_tokens:
        raise BadInput(f"{made.spec} has a window of {made.window} tokens; answer_tokens ({answer_tokens}) fills it.")
    return made


@dataclass(frozen=True, slots=True, kw_only=True)
class _Request:
    context: int
    answer: int
    temperature: float
    silence: float


def _ready(
    spec: Spec, inner: "BaseChatModel", counter: TokenCounter, window: int, *, ends: bool = False, begun: bool = True
) -> ChatModel:
    from hippograph.models.reasoning import Answering

    begun = begun and _OPENS_THINKING.search(spec.name.lower()) is not None
    model = Answering(inner=inner, spec=str(spec), ends=ends, begun=begun)
    return ChatModel(spec=str(spec), model=model, counter=counter, window=window)


def _local(spec: Spec, settings: Settings, request: _Request) -> ChatModel:
    served = local.serve(spec, settings, request.context)
    # Slow to import; the model loads in the meantime.
    from langchain_openai import ChatOpenAI
    from openai import Timeout

    url = served.url()
    model = ChatOpenAI(
        model=served.name,
        base_url=f"{url}/v1",
        api_key=_secret("none"),
        temperature=request.temperature,
        max_completion_tokens=request.answer,
        timeout=Timeout(request.silence, connect=CONNECT_SECONDS),
        max_retries=1,  # The second time finds a server that was started again.
        stream_usage=True,
        http_client=served.client(),
        extra_body={"chat_template_kwargs": {"enable_thinking": False}},  # A short answer has no room for it.
    )
    full = Spec("local", spec.name or catalogue.DEFAULT)
    return _ready(full, model, ServedCounter(served), min(request.context, served.window()), ends=True, begun=False)


def _ollama(spec: Spec, settings: Settings, request: _Request) -> ChatModel:
    shown = ollama.require(settings.ollama_url, spec.name)
    if shown.capabilities and "completion" not in shown.capabilities:
        raise BadInput(f"{spec} cannot chat (it can: {', '.join(shown.capabilities)}); name a chat model.")
    window = min(request.context, shown.window or request.context)
    thinks = "thinking" in shown.capabilities  # Then Ollama keeps the thinking apart.
    from httpx import Timeout
    from langchain_ollama import ChatOllama

    model = ChatOllama(
        model=spec.name,
        base_url=settings.ollama_url,
        num_ctx=window,  # Ollama's own default silently cuts longer prompts.
        num_predict=request.answer,
        temperature=request.temperature,
        reasoning=_effort(spec.name) if thinks else None,
        client_kwargs={
            "timeout": Timeout(request.silence, connect=CONNECT_SECONDS),
            "trust_env": not faults.is_loopback(settings.ollama_url),
        },
    )
    return _ready(spec, model, EstimatedCounter(), window, ends=True, begun=not thinks)


def _effort(name: str) -> bool | str:
    """Switch thinking off: a short answer's budget has no room for it. gpt-oss only goes down to "low"."""
    return "low" if name.startswith("gpt-oss") else False


def _openai(spec: Spec, settings: Settings, request: _Request) -> ChatModel:
    base = faults.openai_base()
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    hosted = not base or base.startswith(_OPENAI)
    window = request.context
    if not hosted:
        window = min(window, _served_window(base, key, spec) or window)
    faults.require_key(str(spec))
    from langchain_openai import ChatOpenAI
    from openai import Timeout

    thinks = hosted and _THINKS.match(spec.name) is not None
    limits: dict[str, Any] = {"temperature": request.temperature, "max_completion_tokens": request.answer}
    if thinks:
        limits = {"reasoning_effort": "low", "max_completion_tokens": request.answer + THINKING_TOKENS}
    model = ChatOpenAI(
        model=spec.name,
        base_url=base or None,
        api_key=_secret(key or "none"),
        timeout=Timeout(request.silence, connect=CONNECT_SECONDS),
        max_retries=RETRIES,
        stream_usage=True,
        **limits,
    )
    return _ready(spec, model, EstimatedCounter(), window, ends=not hosted)


def _served_window(base: str, key: str, spec: Spec) -> int | None:
    """Check that a server answers at OPENAI_BASE_URL; return the model's window where it tells (llama.cpp, vLLM)."""
    request = urllib.request.Request(f"{base}/models", headers={"Authorization": f"Bearer {key}"} if key else {})
    handlers = [urllib.request.ProxyHandler({})] if faults.is_loopback(base) else []
    try:
        with urllib.request.build_opener(*handlers).open(request, timeout=CONNECT_SECONDS) as reply:
            listed = json.load(reply)["data"]
    except urllib.error.HTTPError as error:
        with error:
            if error.code in (401, 403):
                raise faults.refused_key(str(spec), base, error.code) from error
            return None  # It answers; not every server lists its models.
    except (OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, OSError):
            raise faults.unreachable(str(spec), base) from error
        return None
    found: dict[str, Any] = next((entry for entry in listed if entry.get("id") == spec.name), {})
    window = found.get("max_model_len") or (found.get("meta") or {}).get("n_ctx")
    return int(window) if window else None


def _other(spec: Spec, settings: Settings, request: _Request) -> ChatModel:
    from langchain.chat_models import init_chat_model

    variable = faults.KEYS.get(spec.provider)
    options: dict[str, Any] = {"temperature": request.temperature, "max_tokens": request.answer}
    try:
        try:
            model = init_chat_model(spec.name, model_provider=spec.provider, **options)
        except (TypeError, ValueError) as error:
            if "nsupported" in str(error) or (variable and not os.environ.get(variable)):
                raise
            model = init_chat_model(spec.name, model_provider=spec.provider)  # Not every provider takes these options.
    except ImportError as error:
        raise ModelUnavailable(f"{spec} needs a package: {faults.install_hint(error, spec.provider)}") from error
    except ValueError as error:
        if "nsupported" in str(error):
            raise BadInput(
                f'There is no provider "{spec.provider}". Did you mean ollama:{spec}? Examples: {EXAMPLES}'
            ) from error
        if variable and not os.environ.get(variable):
            raise faults.missing_key(str(spec)) from error
        raise ModelError(f"{spec} cannot be set up: {str(error).splitlines()[0]}") from error
    if variable and not os.environ.get(variable):
        raise faults.missing_key(str(spec))
    return _ready(spec, model, EstimatedCounter(), request.context)


def cooled(model: "BaseChatModel", most: float) -> "BaseChatModel":
    """Return a LangChain model with a temperature of at most so much; one that takes none, such as o3, as it is."""
    name = str(getattr(model, "model_name", "") or getattr(model, "model", ""))
    if "temperature" not in type(model).model_fields or _THINKS.match(name):
        return model
    given = getattr(model, "temperature", None)
    return model if given is not None and given <= most else model.model_copy(update={"temperature": most})


def _secret(text: str) -> Any:  # noqa: ANN401 - SecretStr, whose import is not for the cold start
    from pydantic import SecretStr

    return SecretStr(text)
