"""Forgetting by hand: what would go, the question whether it shall, and the receipt."""

from collections.abc import Mapping, Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hippograph.state import BadInput, Choice, Receipt
from hippograph.web.asked import fields, opened
from hippograph.web.rendering import page

SHOWN = 12
"""Memories whose words are shown before they are forgotten."""
MOST = 500
"""Memories that may be chosen one by one."""
COUNTED = (
    "vectors keywords sources derived changes entities relations blocks samples figures jobs checkpoints snapshots "
    "tombstones embedded_anew"
).split()
"""Counts of a receipt that are shown, in this order; each has its words in texts/forgetting.*.json."""


def forget(request: Request) -> Response:
    """Show what would be forgotten, as a dialog to htmx, or forget it and show the receipt."""
    home = opened(request)
    if request.method == "POST":
        given = fields(request)
        receipt = home.memory.forget(home.space, **chosen(given))
        return page(request, "forgotten.html", receipt=receipt, counts=counts(receipt), thread=_last(given, "thread"))
    query = request.query_params
    asked = {name: query.getlist(name) for name in query}
    taken, receipt = home.memory.foreseen(home.space, **chosen(asked))
    template = "forget.part.html" if request.headers.get("hx-request") else "forget.html"
    return page(
        request,
        template,
        ids=asked.get("id", []),
        thread=_last(asked, "thread"),
        taken=taken[:SHOWN],
        more=max(0, len(taken) - SHOWN),
        receipt=receipt,
        counts=counts(receipt),
        kept=home.memory.cards(home.space, receipt.revised[:SHOWN]),
        revived=home.memory.cards(home.space, receipt.revived[:SHOWN]),
    )


def chosen(given: Mapping[str, Sequence[str]]) -> Choice:
    """Return what to forget, as fields say it: `id`, once or more, or `thread`.

    Raises:
        BadInput: Nothing is chosen, both are, or more than MOST.
    """
    ids, thread = [each for each in given.get("id", ()) if each], _last(given, "thread")
    if bool(ids) == bool(thread):
        raise BadInput("Say what to forget: some memories, or one conversation.")
    if len(ids) > MOST:
        raise BadInput(f"These are {len(ids):,} memories: choose {MOST:,} at most, or use `hippograph forget`.")
    return Choice(ids=[*dict.fromkeys(ids)]) if ids else Choice(thread=thread)


def counts(receipt: Receipt) -> list[tuple[str, int]]:
    """Return what a receipt counts, but for what it counts none of."""
    found = [(name, int(getattr(receipt, name))) for name in COUNTED]
    return [(name, n) for name, n in found if n]


def _last(given: Mapping[str, Sequence[str]], name: str) -> str:
    return next(reversed(given.get(name, ())), "")


ROUTES = [Route("/memories/-/forget", forget, methods=["GET", "POST"], name="memory_forget")]
