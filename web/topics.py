"""What memories are about: what conversations are at just now, topics, documents, and whom or what is told of."""

from dataclasses import dataclass
from datetime import datetime

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hippograph.state.turn import Topic as Working
from hippograph.web.asked import Opened, opened
from hippograph.web.rendering import page

RECENT = 8
"""Conversations that are looked into for what they are about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """What a conversation is about."""

    thread: str
    said_at: datetime
    topics: list[Working]
    """The one spoken of last first."""


def topics(request: Request) -> Response:
    """Show what memories are about."""
    home = opened(request)
    found = home.memory.topics(home.space)
    return page(
        request,
        "topics.html",
        talks=_talks(home),
        topics=[each for each in found if not each.documents],
        documents=[each for each in found if each.documents],
        subjects=home.memory.subjects(home.space),
        most=max((each.memories for each in found if not each.documents), default=1),
    )


def _talks(home: Opened) -> list[Talk]:
    """Return what the newest conversations are about, from short-term memory; those that are about nothing left out."""
    threads = home.memory.threads(home.space, RECENT)
    talks = [
        Talk(thread=each.name, said_at=each.said_at, topics=home.agent.topics(home.space, each.name))
        for each in threads
    ]
    return [talk for talk in talks if talk.topics]


ROUTES = [Route("/topics", topics, name="topics")]
