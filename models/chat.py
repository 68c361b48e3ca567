"""Chat models by name: what "provider:model" stands for, checked and set up."""

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hippograph.models import catalogue, compatible, faults, local, ollama, windows
from hippograph.models.compatible import CONNECT_SECONDS
from hippograph.models.counting import EstimatedCounter, ServedCounter, TokenCounter
from hippograph.models.spec import EXAMPLES, Spec, parse
from hippograph.models.windows import UNKNOWN, Window
from hippograph.state import BadInput, ModelError, ModelUnavailable, Settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

READ_SECONDS = 300.0
"""Longest silence while a model answers: a slow machine reading a long prompt."""
RETRIES = 1
THINKING_TOKENS = 2000
"""What hosted reasoning models may think, on top of the answer; they count both as output."""
# Models whose chat template opens the thinking tag itself; where the server does not notice, answers only close it.
_OPENS_THINKING = re.compile(r"(?<![a-z0-9])r1(?![0-9])|qwq|thinking|reasoner")
_THINKS = re.compile(r"(?!.*chat)(?:o1|o3|o4|gpt-5)")
"""OpenAI's models that think, and take no temperature."""


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
    reserved: int = 512
    """Tokens of the window that are kept for the answer; it has no more."""
    has: Window = UNKNOWN
    """What the model itself takes, as far as somebody tells."""


def chat_model(
    spec: str,
    settings: Settings,
    *,
    context_tokens: int = 4096,
    answer_tokens: int = 512,
    temperature: float = 0.0,
    give_way: bool = False,
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
        give_way: whether an answer that would fill the model's window may have half of it, rather than be refused.
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
    request = _Request(
        context=context_tokens,
        answer=answer_tokens,
        temperature=temperature,
        give_way=give_way,
        silence=silence,
    )
    make = {"ollama": _ollama, "openai": _openai, "local": _local}.get(parsed.provider, _other)
    made = make(parsed, settings, request)
    if made.window <= made.reserved:
        raise BadInput(f"{made.spec} has a window of {made.window} tokens; answer_tokens ({answer_tokens}) fills it.")
    return made


@dataclass(frozen=True, slots=True, kw_only=True)
class _Request:
    context: int
    answer: int
    temperature: float
    give_way: bool
    silence: float

    def reserved(self, window: int) -> int:
        """Return what of a window is kept for the answer."""
        return min(self.answer, window // 2) if self.give_way else self.answer


@dataclass(frozen=True, slots=True, kw_only=True)
class _Room:
    """What a model is used with: the window, what of it is kept for the answer, and what the model has."""

    window: int
    reserved: int
    has: Window


def _room(request: _Request, has: Window) -> _Room:
    window = has.within(request.context)
    return _Room(window=window, reserved=request.reserved(window), has=has)


def _ready(
    spec: Spec, inner: "BaseChatModel", counter: TokenCounter, room: _Room, *, ends: bool = False, begun: bool = True
) -> ChatModel:
    from hippograph.models.reasoning import Answering

    begun = begun and _OPENS_THINKING.search(spec.name.lower()) is not None
    return ChatModel(
        spec=str(spec),
        model=Answering(inner=inner, spec=str(spec), ends=ends, begun=begun),
        counter=counter,
        window=room.window,
        reserved=room.reserved,
        has=room.has,
    )


def _local(spec: Spec, settings: Settings, request: _Request) -> ChatModel:
    served = local.serve(spec, settings, request.context)
    # Slow to import; the model loads in the meantime.
    from langchain_openai import ChatOpenAI
    from openai import Timeout

    url = served.url()
    room = _room(request, Window(tokens=served.window(), source="the embedded server"))
    model = ChatOpenAI(
        model=served.name,
        base_url=f"{url}/v1",
        api_key=_secret("none"),
        temperature=request.temperature,
        max_completion_tokens=room.reserved,
        timeout=Timeout(request.silence, connect=CONNECT_SECONDS),
        max_retries=1,  # The second time finds a server that was started again.
        stream_usage=True,
        http_client=served.client(),
        extra_body={"chat_template_kwargs": {"enable_thinking": False}},  # A short answer has no room for it.
    )
    full = Spec("local", spec.name or catalogue.DEFAULT)
    return _ready(full, model, ServedCounter(served), room, ends=True, begun=False)


def _ollama(spec: Spec, settings: Settings, request: _Request) -> ChatModel:
    shown = ollama.require(settings.ollama_url, spec.name)
    if shown.capabilities and "completion" not in shown.capabilities:
        raise BadInput(f"{spec} cannot chat (it can: {', '.join(shown.capabilities)}); name a chat model.")
    room = _room(request, Window(tokens=shown.window, source="Ollama (context_length)") if shown.window else UNKNOWN)
    thinks = "thinking" in shown.capabilities  # Then Ollama keeps the thinking apart.
    from httpx import Timeout
    from langchain_ollama import ChatOllama

    model = ChatOllama(
        model=spec.name,
        base_url=settings.ollama_url,
        num_ctx=_loaded(spec, settings, shown, room.window),  # Ollama's own default silently cuts longer prompts.
        num_predict=room.reserved,
        temperature=request.temperature,
        reasoning=_effort(spec.name) if thinks else None,
        client_kwargs={
            "timeout": Timeout(request.silence, connect=CONNECT_SECONDS),
            "trust_env": not faults.is_loopback(settings.ollama_url),
        },
    )
    return _ready(spec, model, EstimatedCounter(), room, ends=True, begun=not thinks)


def _loaded(spec: Spec, settings: Settings, shown: ollama.Shown, window: int) -> int:
    """Return the window to load a model with: one for all its roles, as it is loaded again for another one."""
    named = windows.named(spec, settings)
    whole = max(window, (named and named.tokens) or shown.num_ctx or 0)
    return min(whole, shown.window or whole)


def _effort(name: str) -> bool | str:
    """Switch thinking off: a short answer's budget has no room for it. gpt-oss only goes down to "low"."""
    return "low" if name.startswith("gpt-oss") else False


def _openai(spec: Spec, settings: Settings, request: _Request) -> ChatModel:
    base, hosted = faults.openai_base(), not faults.elsewhere()
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    has = (windows.named(spec, settings) or windows.known(spec)) if hosted else compatible.window(base, key, spec)
    room = _room(request, has)
    faults.require_key(str(spec))
    from langchain_openai import ChatOpenAI
    from openai import Timeout

    thinks = hosted and _THINKS.match(spec.name) is not None
    limits: dict[str, Any] = {"temperature": request.temperature, "max_completion_tokens": room.reserved}
    if thinks:
        limits = {"reasoning_effort": "low", "max_completion_tokens": room.reserved + THINKING_TOKENS}
    model = ChatOpenAI(
        model=spec.name,
        base_url=base or None,
        api_key=_secret(key or "none"),
        timeout=Timeout(request.silence, connect=CONNECT_SECONDS),
        max_retries=RETRIES,
        stream_usage=True,
        **limits,
    )
    return _ready(spec, model, EstimatedCounter(), room, ends=not hosted)


def _other(spec: Spec, settings: Settings, request: _Request) -> ChatModel:
    from langchain.chat_models import init_chat_model

    variable = faults.KEYS.get(spec.provider)
    room = _room(request, windows.named(spec, settings) or windows.known(spec))
    options: dict[str, Any] = {"temperature": request.temperature, "max_tokens": room.reserved}
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
    return _ready(spec, model, EstimatedCounter(), room)


def cooled(model: "BaseChatModel", most: float) -> "BaseChatModel":
    """Return a LangChain model with a temperature of at most so much; one that takes none, such as o3, as it is."""
    name = str(getattr(model, "model_name", "") or getattr(model, "model", ""))
    if "temperature" not in type(model).model_fields or _THINKS.match(name):
        return model
    given = getattr(model, "temperature", None)
    return model if given is not None and given <= most else model.model_copy(update={"temperature": most})


def tempered(model: "BaseChatModel", temperature: float | None) -> "BaseChatModel":
    """Return a LangChain model with a temperature; as it is where that is None, or the model takes none."""
    name = str(getattr(model, "model_name", "") or getattr(model, "model", ""))
    if temperature is None or "temperature" not in type(model).model_fields or _THINKS.match(name):
        return model
    return model.model_copy(update={"temperature": temperature})


def _secret(text: str) -> Any:  # noqa: ANN401 - SecretStr, whose import is not for the cold start
    from pydantic import SecretStr

    return SecretStr(text)
