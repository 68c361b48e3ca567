"""Rerankers behind HTTP: llama-server, vLLM, Jina, Cohere, Voyage, Text Embeddings Inference."""

import json
import math
import os
import urllib.parse
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hippograph.models import faults, rerankers
from hippograph.state import BadInput, MissingKey, ModelError, ModelNotFound

if TYPE_CHECKING:
    from httpx import Client, Response

KEY = "HIPPOGRAPH_RERANK_KEY"
"""The environment variable that holds the endpoint's key."""
CONNECT_SECONDS = 2.0
READ_SECONDS = 10.0
"""Longest silence of the server: a turn waits for it."""


class Endpoint:
    """A server that answers {"query", "documents"} with {"results": [{"index", "relevance_score"}]}. Thread-safe.

    Text Embeddings Inference wants the documents as "texts" and answers with a bare list; its complaint is understood.
    Servers that give logits (llama-server) are told from those that give probabilities by scores outside [0, 1].
    """

    def __init__(self, address: str) -> None:
        url, _, self._model = address.partition("#")
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
            raise BadInput(
                f'"{url}" is no address of a reranker; write rerank:http://HOST:PORT/v1/rerank, and a key into {KEY}.'
            )
        self._url = url if parts.path.strip("/") else parts._replace(path="/v1/rerank").geturl()
        self._spec = f"rerank:{address}"
        self._texts = "documents"
        self._logits = False

    def __call__(self, query: str, texts: Sequence[str]) -> list[float]:
        """Score texts against a query."""
        given = {"query": query, **({"model": self._model} if self._model else {})}
        reply = self._post({**given, self._texts: list(texts)})
        if reply.status_code in (400, 422) and self._texts == "documents" and "`texts`" in reply.text:
            self._texts = "texts"
            reply = self._post({**given, "texts": list(texts)})
        scores = self._read(self._accepted(reply), len(texts))
        self._logits = self._logits or not all(0 <= score <= 1 for score in scores)
        return [rerankers.sigmoid(score) for score in scores] if self._logits else scores

    @cached_property
    def _client(self) -> "Client":
        from httpx import Client, Timeout

        direct = not faults.is_loopback(self._url)
        return Client(timeout=Timeout(READ_SECONDS, connect=CONNECT_SECONDS), trust_env=direct)

    def _post(self, body: dict[str, Any]) -> "Response":
        key = os.environ.get(KEY, "").strip()
        return self._client.post(self._url, json=body, headers={"Authorization": f"Bearer {key}"} if key else {})

    def _accepted(self, reply: "Response") -> object:
        """Return the answer's JSON; what is no answer is raised, in the server's own words."""
        from httpx import HTTPStatusError

        if reply.is_success:
            try:
                return reply.json()
            except ValueError as error:
                raise self._stranger() from error
        if reply.status_code in (401, 403):
            raise MissingKey(f"{self._url} wants another key (HTTP {reply.status_code}): set {KEY}, or check it.")
        if reply.status_code in (404, 405):
            raise ModelNotFound(
                f"{self._url} answers HTTP {reply.status_code}: there is no such model or no reranker; check the "
                "address and the model behind #."
            )
        raise HTTPStatusError(reply.text, request=reply.request, response=reply)

    def _read(self, answer: object, number: int) -> list[float]:
        """Return the scores in the order of the documents, as the server gives them."""
        try:
            entries: Any = answer
            if isinstance(answer, dict):
                entries = answer["results"] if "results" in answer else answer["data"]
            scores = {int(each["index"]): _score(each) for each in entries}
        except (KeyError, TypeError, ValueError) as error:
            raise self._stranger() from error
        if sorted(scores) != list(range(number)):
            raise ModelError(f"{self._spec} scored {len(scores)} of {number} texts, or other texts; see its log.")
        return [scores[index] for index in range(number)]

    def _stranger(self) -> ModelError:
        return ModelError(
            f"What answers at {self._url} is not a reranker: give the whole address, as in http://HOST:PORT/v1/rerank"
        )


def _score(entry: dict[str, Any]) -> float:
    score = float(entry["relevance_score"] if "relevance_score" in entry else entry["score"])
    if not math.isfinite(score):
        raise ValueError(json.dumps(entry))
    return score
