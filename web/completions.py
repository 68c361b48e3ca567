"""What a client of OpenAI's chat completions asks for, as far as it is understood: parsed, and refused where not."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from hippograph.state import BadInput

WITH_MEMORY = "hippograph"
"""The model that remembers: the small model, with what is recalled."""
WITHOUT = "hippograph-plain"
"""The same model without memory: for titles and other errands of chat programs."""
LEAST_TOKENS, MOST_TOKENS = 16, 32_000
"""What an answer may be limited to: the next of the two takes the place of another limit."""
MOST_MESSAGES = 10_000
"""Messages, and pieces of them, of a request: more take seconds to read, for which nobody else is answered."""
LIMITS = ("max_tokens", "max_completion_tokens")

Switch = Literal["auto", "always", "never"]


def _mended(value: object) -> object:
    """Return a text without half characters, such as programs leave that cut a text anywhere."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


Words = Annotated[str, BeforeValidator(_mended)]


class Refused(BadInput):
    """A request that cannot be done as it was asked, in OpenAI's terms."""

    def __init__(self, message: str, param: str | None = None, code: str | None = None, status: int = 400) -> None:
        super().__init__(message)
        self.param = param
        self.code = code
        self.status = status


class Part(BaseModel):
    """A piece of a message's content."""

    model_config = ConfigDict(extra="allow")

    type: str
    text: Words | None = None


class Message(BaseModel):
    """One message of the conversation."""

    model_config = ConfigDict(extra="allow")

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: Words | list[Part] | None = None
    name: str | None = None

    @property
    def text(self) -> str:
        """Its words, without surrounding space."""
        if not isinstance(self.content, list):
            return (self.content or "").strip()
        return "\n".join(part.text for part in self.content if part.text).strip()

    @property
    def others(self) -> list[str]:
        """The kinds of its pieces that are no text: `image_url`, `input_audio`, `file`."""
        return [part.type for part in self.content if part.text is None] if isinstance(self.content, list) else []


class StreamOptions(BaseModel):
    """How a stream is to be."""

    model_config = ConfigDict(extra="allow")

    include_usage: bool = False


class Ours(BaseModel):
    """What only this server understands, under the key `hippograph` of a request."""

    model_config = ConfigDict(extra="forbid")

    user: str | None = None
    thread: str | None = None
    recall: Switch = "auto"
    remember: bool = True
    citations: bool = False
    language: Literal["auto", "zh", "en"] = "auto"
    top_k: Annotated[int, Field(ge=1, le=50)] = 8
    memory_tokens: Annotated[int, Field(ge=50, le=8000)] = 700


class Request(BaseModel):
    """A request for an answer; fields that are not named here are OpenAI's, and change nothing."""

    model_config = ConfigDict(extra="allow")

    model: str
    messages: Annotated[list[Message], Field(min_length=1)]
    stream: bool | None = False
    stream_options: StreamOptions | None = None
    temperature: Annotated[float | None, Field(ge=0, le=2)] = None
    max_tokens: Annotated[int | None, Field(ge=1)] = None
    max_completion_tokens: Annotated[int | None, Field(ge=1)] = None
    stop: str | list[str] | None = None
    user: str | None = None
    safety_identifier: str | None = None
    metadata: dict[str, str] | None = None
    store: bool | None = None
    hippograph: Ours = Field(default_factory=Ours)

    @property
    def system(self) -> str:
        """All that system and developer messages say."""
        return "\n\n".join(each.text for each in self.messages if each.role in ("system", "developer") and each.text)

    @property
    def stops(self) -> list[str]:
        """The texts before which the answer ends."""
        given = [self.stop] if isinstance(self.stop, str) else self.stop or []
        return [each for each in given if each]

    @property
    def ignored(self) -> list[str]:
        """The fields that were given and change nothing."""
        idle = {*DEFAULTS, *REFUSED, *SILENT}
        given = {name for name, value in (self.model_extra or {}).items() if value is not None}
        few = {each for each in LIMITS if (getattr(self, each) or LEAST_TOKENS) < LEAST_TOKENS}
        return sorted((given - idle) | few)

    def settings(self) -> dict[str, Any]:
        """Return what it sets of `hippograph.state.Context`."""
        ours = self.hippograph
        found: dict[str, Any] = ours.model_dump(exclude={"user", "thread", "recall", "remember"})
        found |= {"system_prompt": self.system, "temperature": self.temperature}
        if most := self.max_completion_tokens or self.max_tokens:
            found["answer_tokens"] = min(max(most, LEAST_TOKENS), MOST_TOKENS)
        return found


DEFAULTS: Mapping[str, tuple[object, ...]] = {
    "n": (1,),
    "logprobs": (False,),
    "top_logprobs": (0,),
    "response_format": ({"type": "text"},),
    "modalities": (["text"],),
    "tools": ([],),
    "functions": ([],),
}
"""Fields that would change the answer, with the values that ask for nothing; others are refused."""
REFUSED: Mapping[str, str] = {
    "n": "it gives one answer: leave it out, or ask again",
    "logprobs": "it does not tell how likely its words are: leave it out",
    "top_logprobs": "it does not tell how likely its words are: leave it out",
    "response_format": "it answers in plain text: leave it out, and ask for JSON in words if you need it",
    "modalities": "it answers in text: leave it out",
    "audio": "it answers in text: leave it out",
    "tools": "it answers in words and calls no tools: leave it out. An agent gets memory as tools or middleware "
    "(hippograph.graph), or over MCP",
    "functions": "it answers in words and calls no functions: leave it out",
    "web_search_options": "it does not search the web: leave it out",
}
"""What is said where they are."""
SILENT = ("tool_choice", "function_call", "parallel_tool_calls")
"""Fields that say nothing without tools."""


def parsed(body: object) -> Request:
    """Return a request's body as a request.

    Raises:
        Refused: It is none, or asks for what this server does not do.
    """
    if not isinstance(body, Mapping):
        raise Refused("The body must be a JSON object with `model` and `messages`.")
    for name, harmless in DEFAULTS.items():
        if body.get(name) is not None and body[name] not in harmless and not _idle_tools(name, body):
            raise _unsupported(name)
    for name in REFUSED:
        if name not in DEFAULTS and body.get(name) is not None:
            raise _unsupported(name)
    _bounded(body.get("messages"))
    try:
        request = Request.model_validate({name: value for name, value in body.items() if value is not None})
    except ValidationError as error:
        where, wrong = _wrong(error)
        raise Refused(f"{where}: {wrong}.", where) from None
    return _possible(request)


def _bounded(messages: object) -> None:
    """Refuse more messages than are read, before any is looked at."""
    told = messages if isinstance(messages, list) else []
    contents = [each.get("content") for each in told if isinstance(each, Mapping)]
    if len(told) + sum(len(each) for each in contents if isinstance(each, list)) > MOST_MESSAGES:
        raise Refused(f"The request has more than {MOST_MESSAGES:,} messages: send the last ones.", "messages")


_TYPES = ("str", "list[", "function-before[")
"""How the names begin by which pydantic tells one type that a field may have from another."""


def _wrong(error: ValidationError) -> tuple[str, str]:
    """Return where a request is wrong, as its sender knows the place, and what is."""
    first, *others = error.errors()
    place, wrong = _place(first["loc"]), first
    for each in others:  # a list that is no text is meant as a list
        if _place(each["loc"])[: len(place)] == place and len(_place(each["loc"])) > len(_place(wrong["loc"])):
            wrong = each
    told = "Input should be an object" if wrong["type"] == "model_type" else wrong["msg"]
    return ".".join(map(str, _place(wrong["loc"]))), told


def _place(loc: Sequence[int | str]) -> list[int | str]:
    return [each for at, each in enumerate(loc) if not at or isinstance(each, int) or not each.startswith(_TYPES)]


def _unsupported(name: str) -> Refused:
    return Refused(f"This server does not do `{name}`: {REFUSED[name]}.", name, "unsupported_parameter")


def _idle_tools(name: str, body: Mapping[str, Any]) -> bool:
    """Tell whether tools are given that must not be called."""
    choice = {"tools": "tool_choice", "functions": "function_call"}.get(name)
    return choice is not None and body.get(choice) == "none"


def _possible(request: Request) -> Request:
    last = request.messages[-1]
    if last.role in ("tool", "function"):
        raise Refused(f"The last message is a tool's: {REFUSED['tools']}.", "messages", "unsupported_parameter")
    if last.role != "user":
        raise Refused(f"The last message is from `{last.role}`: it must be from the user, to be answered.", "messages")
    if last.others:
        raise Refused(
            f"The last message holds {last.others[0]}: this server reads text alone.", "messages", "unsupported_content"
        )
    if not last.text:
        raise Refused("The last message is empty: write some text and send it again.", "messages")
    return request
