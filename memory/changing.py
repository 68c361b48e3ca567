"""How a memory is changed after it was stored: forgotten, for now."""

from collections.abc import Sequence

from hippograph.memory.forgetting import Forgetting
from hippograph.memory.intake import space_name
from hippograph.memory.reading import Reading
from hippograph.memory.recall import Recall
from hippograph.memory.twin import twin
from hippograph.state import Receipt, Recollection


class Changing:
    """The part of `Memory` that changes what is stored."""

    _forgetting: Forgetting
    _reading: Reading
    _recall: Recall

    def meant(
        self,
        space: str,
        *,
        ids: Sequence[str] | None = None,
        query: str | None = None,
        thread: str | None = None,
        all: bool = False,  # noqa: A002
    ) -> Sequence[Recollection]:
        """Return what `forget` would take if it were called with the same arguments; raises as it does."""
        return self._reading.recollections(
            self._forgetting.meant(space_name(space), ids, query, thread, everything=all)
        )

    def forget(
        self,
        space: str,
        *,
        ids: Sequence[str] | None = None,
        query: str | None = None,
        thread: str | None = None,
        all: bool = False,  # noqa: A002
    ) -> Receipt:
        """Forget memories for good: what was derived from them, vectors, keywords and threads' short-term memory too.

        Args:
            space: Whose memories.
            ids: These.
            query: Those whose text contains this, whatever the case.
            thread: All of this thread.
            all: All of the space.

        Raises:
            BadInput: Not exactly one of the four is given, or an id is not there; nothing is forgotten.
        """
        try:
            return self._forgetting.forget(space_name(space), ids, query, thread, everything=all)
        finally:
            self._recall.forget(space)

    ameant = twin(meant)
    aforget = twin(forget)
