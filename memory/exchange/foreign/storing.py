"""Store what was read in another program's file; may be stopped and run again, and stores nothing twice."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from hippograph.memory.exchange.foreign.taken import Given, Kept, Taken
from hippograph.memory.exchange.imported import Imported
from hippograph.memory.exchange.transfer import import_turns
from hippograph.memory.intake import clean
from hippograph.memory.items.item import Put, readable
from hippograph.memory.life.parts import LONGEST

if TYPE_CHECKING:
    from hippograph.memory.memory import Memory

BATCH = 100
"""Items stored in one transaction."""
Progress = Callable[[int, int], None]


def store(
    memory: "Memory", space: str, taken: Taken, progress: Progress = lambda done, total: None, *, restore: bool = False
) -> Imported:
    """Store what was read as memories of a space.

    Args:
        memory: Where to.
        space: Whose memories they become.
        taken: What was read.
        progress: Called with how many are done, and of how many.
        restore: Store also what was forgotten in this space; else it is left out and counted.
    """
    done = Imported(stored=0, known=0, notes=taken.told())
    if taken.turns:
        done += import_turns(memory, space, taken.turns, progress, restore_forgotten=restore)
    if taken.given:
        done += _give(memory, space, taken.given, progress, restore=restore)
    if taken.kept:
        done += _keep(memory, space, taken.kept, progress, restore=restore)
    return done


def _give(memory: "Memory", space: str, given: list[Given], progress: Progress, *, restore: bool) -> Imported:
    """Store memories under the ids they had; one that has other words by now is changed."""
    back = memory.coming_back(space, {each.id: each.text for each in given}, let=restore)
    known, stored = memory.known(space, [each.id for each in given]), 0
    for number, each in enumerate(given, 1):
        if each.id in back:
            continue
        if each.id not in known:
            memory.remember(space, each.text, id=each.id, said_at=each.said_at, origin=each.origin)
            known.add(each.id)
            stored += 1
        elif len(each.text) <= LONGEST and memory.get(each.id, space).text != clean(each.text):
            memory.update(each.id, space, text=each.text)
            stored += 1
        progress(number, len(given))
    return Imported(stored=stored, known=len(given) - stored - len(back), forgotten=len(back))


def _keep(memory: "Memory", space: str, kept: list[Kept], progress: Progress, *, restore: bool) -> Imported:
    """Store items; one that is there with another value gets the one in the file."""
    names = {str(number): readable(each.value) for number, each in enumerate(kept)}
    back = memory.coming_back(space, names, let=restore)
    wanted = [each for number, each in enumerate(kept) if str(number) not in back]
    stored = 0
    for start in range(0, len(wanted), BATCH):
        stored += memory.items.put(*(_put(space, each) for each in wanted[start : start + BATCH]))
        progress(min(start + BATCH, len(wanted)), len(wanted))
    return Imported(stored=stored, known=len(wanted) - stored, forgotten=len(back))


def _put(space: str, each: Kept) -> Put:
    return Put(space=space, namespace=each.namespace, key=each.key, value=each.value, at=each.at, origin=each.origin)
