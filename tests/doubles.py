"""HTTP servers that speak the protocols of Ollama and OpenAI, give scripted answers and note what they were asked.

The real clients (langchain-ollama, langchain-openai) are driven against them. pytest loads this module as a plugin.
"""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest

Body = dict[str, Any]
Answer = str | Callable[[Body], str]


@dataclass(frozen=True)
class Asked:
    """One request that came."""

    path: str
    body: Body
    headers: dict[str, str]


@dataclass
class Double:
    """What both servers have in common: a script, and a notebook."""

    answers: list[Answer] = field(default_factory=lambda: ["Yes."])
    """Given in turn; the last one again and again. A function gets the request's body."""
    failure: tuple[int, Body] | None = None
    """Status and JSON body that chats and embeddings get instead of an answer."""
    prompt_tokens: int = 21
    answer_tokens: int = 3
    piece: int = 3
    """Characters in one piece of a stream."""
    hang: threading.Event | None = None
    """A stream stops after its first piece until this is set, then breaks off."""
    asked: list[Asked] = field(default_factory=list)
    url: str = ""

    def next_answer(self, body: Body) -> str:
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return answer if isinstance(answer, str) else answer(body)

    def pieces(self, text: str) -> list[str]:
        return [text[at : at + self.piece] for at in range(0, len(text), self.piece)]

    def bodies(self, path: str) -> list[Body]:
        return [request.body for request in self.asked if request.path == path]


@dataclass
class Ollama(Double):
    """An Ollama server with one model, unless told otherwise."""

    models: list[Body] = field(default_factory=lambda: [listed("qwen3:4b", "4.0B")])
    windows: dict[str, int] = field(default_factory=dict)
    """Context length of a model, in tokens; 40960 where not given."""
    parameters: dict[str, str] = field(default_factory=dict)
    """What a model's Modelfile sets, as /api/show tells it."""
    capabilities: dict[str, list[str]] = field(default_factory=dict)


@dataclass
class OpenAI(Double):
    """A server that speaks OpenAI's API."""

    models: list[Body] = field(default_factory=lambda: [{"id": "tiny", "object": "model"}])
    finish: str = "stop"
    """Why answers end."""
    props: Body | None = None
    """What llama.cpp's own /props tells; None: this server is another."""


@dataclass
class Rerank(Double):
    """A server of rerankers: scores by how many of the query's characters a text has, from 0 to 1."""

    texts: str = "documents"
    """The field it wants; with "texts" it speaks as Text Embeddings Inference does."""
    logits: bool = False
    """Whether it gives logits, from -4 to 4, instead."""
    answer: Any = None
    """What it says instead of scores."""
    silence: threading.Event | None = None
    """It says nothing until this is set."""


def listed(name: str, parameters: str = "", family: str = "qwen3", size: int = 2_500_000_000) -> Body:
    """One entry of /api/tags."""
    details = {"format": "gguf", "family": family, "families": [family], "parameter_size": parameters}
    return {"name": name, "model": name, "modified_at": NOW, "size": size, "digest": "0" * 64, "details": details}


def vector(text: str, dimension: int = 16) -> list[float]:
    """A vector that depends on the text's characters; similar texts get similar ones."""
    counts = [0.01] * dimension
    for character in text:
        counts[ord(character) % dimension] += 1.0
    return counts


NOW = "2026-01-01T00:00:00.000000Z"


class _Handler(BaseHTTPRequestHandler):
    """HTTP/1.0: each reply ends with its connection, so that no client keeps one open."""

    double: ClassVar[Any]

    def log_message(self, *args: Any) -> None:
        pass

    def read(self) -> Body:
        body: Body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        self.double.asked.append(Asked(self.path, body, dict(self.headers)))
        return body

    def reply(self, body: Any, status: int = 200) -> None:
        self.head(status, "application/json")
        self.wfile.write(json.dumps(body).encode())

    def head(self, status: int, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.end_headers()

    def stream(self, lines: list[str], kind: str) -> None:
        self.head(200, kind)
        for number, line in enumerate(lines):
            self.wfile.write(line.encode())
            self.wfile.flush()
            if number == 0 and self.double.hang is not None:
                self.double.hang.wait()
                return


class _OllamaHandler(_Handler):
    double: ClassVar[Ollama]

    def do_GET(self) -> None:
        self.read()
        routes = {"/api/version": {"version": "0.12.6"}, "/api/tags": {"models": self.double.models}}
        found = routes.get(self.path)
        self.reply(found or {"error": "not found"}, 200 if found else 404)

    def do_POST(self) -> None:
        body = self.read()
        if body.get("model") not in [model["name"] for model in self.double.models]:
            self.reply({"error": f'model "{body.get("model")}" not found, try pulling it first'}, 404)
        elif self.path == "/api/show":
            self.reply(self.show(body["model"]))
        elif self.double.failure is not None:
            self.reply(self.double.failure[1], self.double.failure[0])
        elif self.path == "/api/embed":
            texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
            self.reply({"model": body["model"], "embeddings": [vector(text) for text in texts]})
        elif self.path == "/api/chat":
            self.chat(body)
        else:
            self.reply({"error": "not found"}, 404)

    def show(self, name: str) -> Body:
        family = "qwen3"
        return {
            "details": {"family": family},
            "model_info": {"general.architecture": family, f"{family}.context_length": self.window(name)},
            "capabilities": self.double.capabilities.get(name, ["completion", "tools"]),
            "parameters": self.double.parameters.get(name, ""),
        }

    def window(self, name: str) -> int:
        return self.double.windows.get(name, 40960)

    def chat(self, body: Body) -> None:
        text = self.double.next_answer(body)
        counts = {"prompt_eval_count": self.double.prompt_tokens, "eval_count": self.double.answer_tokens}
        base = {"model": body["model"], "created_at": NOW}
        last = {**base, "done": True, "done_reason": "stop", **counts}
        if not body.get("stream", True):
            self.reply({**last, "message": {"role": "assistant", "content": text}})
            return
        pieces = [*self.double.pieces(text)]
        lines = [{**base, "message": {"role": "assistant", "content": piece}, "done": False} for piece in pieces]
        lines.append({**last, "message": {"role": "assistant", "content": ""}})
        self.stream([json.dumps(line) + "\n" for line in lines], "application/x-ndjson")


class _OpenAIHandler(_Handler):
    double: ClassVar[OpenAI]

    def do_GET(self) -> None:
        self.read()
        if self.path == "/props" and self.double.props is not None:
            self.reply(self.double.props)
            return
        self.reply({"object": "list", "data": self.double.models}, 200 if self.path == "/v1/models" else 404)

    def do_POST(self) -> None:
        body = self.read()
        if self.double.failure is not None:
            self.reply(self.double.failure[1], self.double.failure[0])
        elif self.path == "/v1/embeddings":
            texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
            data = [{"object": "embedding", "index": at, "embedding": vector(text)} for at, text in enumerate(texts)]
            self.reply({"object": "list", "data": data, "model": body["model"], "usage": self.usage()})
        else:
            self.chat(body)

    def usage(self) -> Body:
        prompt, answer = self.double.prompt_tokens, self.double.answer_tokens
        return {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer}

    def chat(self, body: Body) -> None:
        text = self.double.next_answer(body)
        base = {"id": "c1", "created": 1, "model": body["model"]}
        if not body.get("stream"):
            choice = {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "finish_reason": self.double.finish,
            }
            self.reply({**base, "object": "chat.completion", "choices": [choice], "usage": self.usage()})
            return
        base["object"] = "chat.completion.chunk"
        deltas: list[Body] = [{"content": piece} for piece in self.double.pieces(text)]
        events: list[Body] = [{**base, "choices": [{"index": 0, "delta": delta}]} for delta in deltas]
        events.append({**base, "choices": [{"index": 0, "delta": {}, "finish_reason": self.double.finish}]})
        events.append({**base, "choices": [], "usage": self.usage()})
        self.stream([f"data: {json.dumps(event)}\n\n" for event in events] + ["data: [DONE]\n\n"], "text/event-stream")


class _RerankHandler(_Handler):
    double: ClassVar[Rerank]

    def do_POST(self) -> None:
        body, double = self.read(), self.double
        if double.silence is not None:
            double.silence.wait()
        elif double.failure is not None:
            self.reply(double.failure[1], double.failure[0])
        elif double.answer is not None:
            self.reply(double.answer)
        elif double.texts not in body:
            self.reply({"error": f"missing field `{double.texts}`", "error_type": "validation"}, 422)
        else:
            scores = [likeness(body["query"], text) for text in body[double.texts]]
            scores = [8 * score - 4 for score in scores] if double.logits else scores
            self.reply(self.results(scores))

    def results(self, scores: list[float]) -> Any:
        name = "relevance_score" if self.double.texts == "documents" else "score"
        best_first = sorted(range(len(scores)), key=lambda index: -scores[index])
        results = [{"index": index, name: scores[index]} for index in best_first]
        return {"model": "tiny", "results": results} if self.double.texts == "documents" else results


def likeness(query: str, text: str) -> float:
    """The share of the query's characters that a text has."""
    return len({*query} & {*text}) / len({*query})


def serve(double: Double, handler: type[_Handler]) -> Iterator[Any]:
    """Serve a double until the generator is closed."""
    bound = type("Handler", (handler,), {"double": double})
    server = ThreadingHTTPServer(("127.0.0.1", 0), bound)
    double.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield double
    if double.hang is not None:
        double.hang.set()
    if isinstance(double, Rerank) and double.silence is not None:
        double.silence.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def ollama() -> Iterator[Ollama]:
    """A running Ollama server; point settings at its `url`."""
    yield from serve(Ollama(), _OllamaHandler)


@pytest.fixture
def openai_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAI]:
    """A running OpenAI-compatible server; OPENAI_BASE_URL points at it, and no key is set."""
    for server in serve(OpenAI(), _OpenAIHandler):
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        yield server


@pytest.fixture(scope="session")
def lasting_openai() -> Iterator[OpenAI]:
    """A running OpenAI-compatible server for processes that outlive a test."""
    yield from serve(OpenAI(), _OpenAIHandler)


@pytest.fixture
def rerank_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rerank]:
    """A running server of rerankers; no key is set."""
    monkeypatch.delenv("HIPPOGRAPH_RERANK_KEY", raising=False)
    yield from serve(Rerank(), _RerankHandler)
