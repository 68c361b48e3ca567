"""How a memory is changed after it was stored: forgotten, for now."""

from collections.abc import Sequence

from typing_extensions import Unpack

from hippograph.memory.forgetting import Forgetting
from hippograph.memory.intake import space_name
from hippograph.memory.reading import Reading
from hippograph.memory.recall import Recall
from hippograph.memory.twin import twin
from hippograph.state import Choice, Receipt, Recollection


class Changing:
    """The part of `Memory` that changes what is stored."""

    _forgetting: Forgetting
    _reading: Reading
    _recall: Recall

    def meant(self, space: str, **choice: Unpack[Choice]) -> Sequence[Recollection]:
        """Return what `forget` would take if it were called with the same choice; raises as it does."""
        return self._reading.recollections(self._forgetting.meant(space_name(space), choice))

    def forget(self, space: str, *, secure: bool = True, **choice: Unpack[Choice]) -> Receipt:
        """Forget memories for good: what was derived from them, vectors, keywords and threads' short-term memory too.

        What rests on other sources as well stays, as long as those say all that it says; a summary goes, and what it
        was made of comes back. What the forgotten had superseded holds again. Digests are left, so that a turn sent or
        imported again does not come back; what is said anew is stored.

        Args:
            space: Whose memories.
            secure: Whether no byte is left in the files either; else they are compacted by `compact`, or by upkeep.
            choice: Which, by exactly one of ids, query, thread, source, since/until and all: see `Choice`.

        Raises:
            BadInput: Not exactly one way is given, or an id is not there; nothing is forgotten.
        """
        try:
            return self._forgetting.forget(space_name(space), choice, secure=secure)
        finally:
            self._recall.forget(space)

    def compact(self) -> bool:
        """Take the bytes of what was forgotten out of the files, where that is due; False where it cannot be done."""
        return self._forgetting.compact()

    ameant = twin(meant)
    aforget = twin(forget)
    acompact = twin(compact)
