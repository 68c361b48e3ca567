"""What people think of answers, and LangSmith told of it where it traces."""

import logging
from functools import lru_cache
from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, UUID, uuid5

from langsmith import Client
from langsmith.run_helpers import get_tracing_context
from langsmith.utils import LangSmithNotFoundError, tracing_is_enabled

if TYPE_CHECKING:
    from hippograph.memory import Memory
    from hippograph.memory.rating import Rated

KEY = "user_score"
"""Name of the score in LangSmith: 1 for good, 0 for bad."""

log = logging.getLogger(__name__)


def rate(
    memory: "Memory",
    space: str,
    id: str,  # noqa: A002
    score: int,
    *,
    comment: str = "",
    correction: str = "",
    client: Client | None = None,
) -> "Rated | None":
    """Keep what somebody thinks of an answer, as `Memory.rate`; tell LangSmith where tracing is on and traced it.

    What LangSmith cannot be told stays here, with a line in the log. Who must not wait for a network calls
    `Memory.rate` and, elsewhere, `tell`.

    Args:
        memory: Where it is kept.
        space: Whose answer it is.
        id: Of the answer's turn.
        score: 1 good, -1 bad, 0 take back.
        comment: Why.
        correction: What would have been right.
        client: To LangSmith, where the caller has one; None: the environment's.

    Raises:
        BadInput: As `Memory.rate`.
    """
    rated = memory.rate(id, score, space, comment=comment, correction=correction)
    tell(memory, space, id, rated, client)
    return rated


def tell(
    memory: "Memory",
    space: str,
    id: str,  # noqa: A002
    rated: "Rated | None",
    client: Client | None = None,
) -> None:
    """Tell LangSmith what is thought of an answer now, as `rate` does; this waits for the network.

    Args:
        memory: Where it is kept.
        space: Whose answer it is.
        id: Of the answer's turn.
        rated: What `Memory.rate` returned.
        client: As in `rate`.
    """
    if not tracing_is_enabled():
        return
    try:
        if trace := memory.trace(space, id):
            run, project, sent = trace
            _tell(client or get_tracing_context().get("client") or _client(), run, project, rated, known=sent)
            memory.told(space, id, sent=rated is not None)
    except Exception as error:  # whatever a network or a client may raise
        log.warning("LangSmith was not told of a rating: %s", error)


@lru_cache(maxsize=1)
def _client() -> Client:
    """Return the environment's client; each has a thread and connections of its own."""
    return Client()


def _tell(client: Client, run: str, project: str, rated: "Rated | None", *, known: bool) -> None:
    """Send a score, change one that was sent, or take it back; each answer has one."""
    feedback = uuid5(NAMESPACE_URL, f"hippograph:{run}:{KEY}")
    if rated is None:
        if known:
            client.delete_feedback(feedback)
        return
    score, comment = float(rated.score > 0), rated.comment or None
    correction = {"answer": rated.correction} if rated.correction else None
    if known:
        try:
            client.update_feedback(feedback, score=score, comment=comment, correction=correction)
        except LangSmithNotFoundError:  # somebody deleted it there
            log.info("LangSmith has a rating no longer; it is sent anew.")
        else:
            return
    client.create_feedback(
        UUID(run),
        KEY,
        score=score,
        comment=comment,
        correction=correction,
        feedback_id=feedback,
        session_id=client.read_project(project_name=project).id,
        source_info={"app": "hippograph"},
    )
