"""Answers in the shapes of OpenAI's API: whole, in pieces, and errors."""

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal
from uuid import uuid4

from starlette.responses import JSONResponse

from hippograph.state.turn import Stage

Json = dict[str, Any]
Finish = Literal["stop", "length"]
DONE = "data: [DONE]\n\n"
WAITING = ": the model is at work\n\n"
"""A comment, which clients skip."""


def usage(stages: Mapping[str, Stage]) -> Json:
    """Return what the model that answers read and wrote, in tokens; what others cost is in `hippograph.stages`."""
    calls = [call for stage in stages.values() for call in stage["calls"] if call["role"] == "small"]
    read, written = sum(call["input"] for call in calls), sum(call["output"] for call in calls)
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


class Answering:
    """One answer, under one id, as whole or in pieces."""

    def __init__(self, model: str) -> None:
        self._head = {"id": f"chatcmpl-{uuid4().hex}", "created": int(time.time()), "model": model}

    def whole(self, text: str, finish: Finish, used: Json, ours: Json) -> Json:
        """Return the whole answer; `ours` is what only this server tells."""
        message = {"role": "assistant", "content": text, "refusal": None}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": finish}
        return {**self._head, "object": "chat.completion", "choices": [choice], "usage": used, "hippograph": ours}

    def first(self) -> Json:
        """Return the piece that says who speaks."""
        return self._piece([_choice({"role": "assistant", "content": ""})])

    def piece(self, text: str) -> Json:
        """Return some of the text."""
        return self._piece([_choice({"content": text})])

    def last(self, finish: Finish, ours: Json) -> Json:
        """Return the piece that says why the answer ends."""
        return {**self._piece([_choice({}, finish)]), "hippograph": ours}

    def used(self, used: Json) -> Json:
        """Return the piece that says what it cost, for those who ask."""
        return {**self._piece([]), "usage": used}

    def _piece(self, choices: Sequence[Json]) -> Json:
        return {**self._head, "object": "chat.completion.chunk", "choices": choices}


def _choice(delta: Json, finish: Finish | None = None) -> Json:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}


def event(data: Json) -> str:
    """Return an object as a server-sent event."""
    return f"data: {json.dumps(data)}\n\n"


class Told(JSONResponse):
    """JSON in ASCII: whatever a client sent and is told again, lone surrogates for one, can be sent."""

    def render(self, content: Any) -> bytes:  # noqa: ANN401 - as Starlette has it
        """Return the body."""
        return json.dumps(content).encode()


def models(names: Sequence[str]) -> Json:
    """Return a list of models."""
    return {"object": "list", "data": [model(name) for name in names]}


def model(name: str) -> Json:
    """Return what is told of a model."""
    return {"id": name, "object": "model", "created": 0, "owned_by": "hippograph"}


def error(message: str, kind: str, param: str | None = None, code: str | None = None) -> Json:
    """Return an error."""
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}
