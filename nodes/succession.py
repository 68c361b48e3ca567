"""What took the place of what: of two values of one property the small model reads only the one that holds."""

from collections.abc import Mapping, Sequence

from hippograph.state import Recollection

MOST_BEFORE = 60
"""Characters of a value that is out of date."""


def settled(memories: Sequence[Recollection]) -> tuple[list[Recollection], Mapping[str, str]]:
    """Return memories without those whose successor is among them, and what each successor took the place of.

    Turns stay: they tell more than one value. Of several values in a row the latest one before counts.

    Returns:
        The memories, in their order; and by the id of a memory the value that held before it.
    """
    known = {each.id: each for each in memories}
    gone: dict[str, Recollection] = {}
    before: dict[str, Recollection] = {}
    for each in memories:
        if each.kind == "turn" or each.status != "superseded" or each.superseded_by is None:
            continue
        successor = _last(each, known)
        if successor is None:
            continue
        gone[each.id] = each
        if successor.id not in before or before[successor.id].said_at < each.said_at:
            before[successor.id] = each
    values = {id_: (each.value or each.text)[:MOST_BEFORE] for id_, each in before.items()}
    return [each for each in memories if each.id not in gone], values


def _last(memory: Recollection, known: Mapping[str, Recollection]) -> Recollection | None:
    """Return the memory at the end of what took a memory's place, as far as that is known."""
    seen = {memory.id}
    while (successor := known.get(memory.superseded_by or "")) is not None and successor.id not in seen:
        seen.add(successor.id)
        memory = successor
    return memory if len(seen) > 1 and memory.status == "current" else None
