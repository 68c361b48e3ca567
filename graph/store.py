"""LangGraph's store over long-term memory: `create_agent(store=…)`, LangMem's tools and Studio's memory panel use it.

An item is a memory (see `hippograph.memory.items`): recall finds it, `hippograph forget` forgets it, exports and
snapshots have it. Its space, which nobody without a grant sees, is by default the first label of its namespace: what is
put under ("ann", "memories") is Ann's.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    get_text_at_path,
    tokenize_path,
)

from hippograph.graph.opened import shared_memory
from hippograph.memory.items.item import Item as Stored
from hippograph.memory.items.item import Namespace, Put, dumped
from hippograph.memory.items.matching import begins, ends
from hippograph.state import BadInput, Receipt, Settings

if TYPE_CHECKING:
    from hippograph.memory import Memory
    from hippograph.memory.items.items import Items, SpaceOf

SWEEP_MINUTES = 5
"""How often what has expired is deleted, where the configuration does not say."""
WHOLE = "$"
"""The path that stands for all of a value."""


def label(place: int) -> "SpaceOf":
    """Return what tells whose an item is by the label in a place of its namespace, from 0; -1 is the last."""

    def space_of(namespace: Namespace) -> str:
        try:
            return namespace[place]
        except IndexError:
            raise BadInput(
                f"The namespace {namespace!r} does not say whose the item is: its label {place} is to be the user's "
                "id, as in ('ann', 'memories')."
            ) from None

    return space_of


class HippographStore(BaseStore):
    """A LangGraph store whose items are memories. Safe to use from several threads and event loops."""

    supports_ttl = True

    def __init__(
        self,
        memory: "Memory | Callable[[], Memory]",
        *,
        space: "str | SpaceOf | None" = None,
        fields: Sequence[str] | None = None,
        ttl: TTLConfig | None = None,
    ) -> None:
        """Keep items in a memory, which stays the caller's to close.

        Args:
            memory: The memory, or what returns it when it is first needed.
            space: Whose all items are, or what tells it by the namespace; None: `label(0)`. For LangMem's
                ("memories", "{user}") it is `label(1)`.
            fields: Paths in values to what is searched ("title", "notes[*].text"); None, or "$" among them: all.
            ttl: `default_ttl`, `refresh_on_read` and `sweep_interval_minutes`, as in LangGraph's own stores. What has
                expired is never returned; puts, `sweep_ttl` and upkeep delete it.
        """
        self._memory = memory if callable(memory) else lambda: memory
        self._space: str | SpaceOf = label(0) if space is None else space
        self._fields = None if fields is None else [*fields]
        self.ttl_config = ttl
        self._swept = time.monotonic()

    @property
    def items(self) -> "Items":
        """The items of the memory."""
        return self._memory().items

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Do several things: everything is read first, then all is stored in one transaction; of a key, the last."""
        ops = [*ops]
        results = [None if isinstance(op, PutOp) else self._read(op) for op in ops]
        if puts := [self._put(op) for op in ops if isinstance(op, PutOp)]:
            self.items.put(*puts)
            self._sweep_if_due()
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Do the same in a thread: nothing blocks the event loop."""
        return await asyncio.to_thread(self.batch, [*ops])

    def _sweep_if_due(self) -> None:
        """Delete what has expired, now and then, so that it goes without upkeep too."""
        minutes = (self.ttl_config or {}).get("sweep_interval_minutes")
        every = 60 * (SWEEP_MINUTES if minutes is None else minutes)
        if time.monotonic() - self._swept >= every:
            self._swept = time.monotonic()
            self.sweep_ttl()

    def sweep_ttl(self) -> int:
        """Delete what has expired; returns how many items that were. `hippograph upkeep` does it too."""
        return self.items.sweep()

    def forget(self, namespace: Namespace, key: str | None = None) -> Receipt:
        """Forget an item, or all in a namespace, for good: down to the bytes, in conversations and snapshots too."""
        return self.items.forget(self.space_of(namespace), namespace, key)

    def space_of(self, namespace: Namespace) -> str:
        """Return whose an item in a namespace is."""
        return self._space if isinstance(self._space, str) else self._space(tuple(namespace))

    def _read(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            if not (namespace := tuple(op.namespace)):
                return None
            found = self.items.get(self.space_of(namespace), namespace, op.key, refresh=op.refresh_ttl)
            return None if found is None else _item(found)
        if isinstance(op, SearchOp):
            return [*map(_found, self._search(op))]
        if isinstance(op, ListNamespacesOp):
            return self._namespaces(op)
        raise BadInput(f"{op!r} is nothing that a store does: use GetOp, SearchOp, PutOp or ListNamespacesOp.")

    def _search(self, op: SearchOp) -> list[Stored]:
        return self.items.search(
            tuple(op.namespace_prefix),
            space=self._space,
            query=op.query,
            filter=op.filter,
            limit=op.limit,
            offset=op.offset,
            refresh=op.refresh_ttl,
        )

    def _namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        conditions = op.match_conditions or ()
        wanted = [(begins if each.match_type == "prefix" else ends, each.path) for each in conditions]
        return self.items.namespaces(
            space=self._space,
            fits=lambda namespace: all(fits(namespace, path) for fits, path in wanted),
            depth=op.max_depth,
            limit=op.limit,
            offset=op.offset,
        )

    def _put(self, op: PutOp) -> Put:
        namespace = tuple(op.namespace)
        text = None if op.value is None else self._text(op)
        space = self.space_of(namespace)
        return Put(space=space, namespace=namespace, key=op.key, value=op.value, text=text, ttl=op.ttl)

    def _text(self, op: PutOp) -> str | None:
        """Return what of a value is searched; None: all of it."""
        if op.index is False:
            return ""
        paths = self._fields if op.index is None else [*op.index]
        if paths is None or WHOLE in paths:
            return None
        value = json.loads(dumped(op.value or {}))
        return "\n".join(text for path in paths for text in get_text_at_path(value, tokenize_path(path)))


def _item(found: Stored) -> Item:
    return Item(
        value=found.value,
        key=found.key,
        namespace=found.namespace,
        created_at=found.created_at,
        updated_at=found.updated_at,
    )


def _found(found: Stored) -> SearchItem:
    return SearchItem(
        namespace=found.namespace,
        key=found.key,
        value=found.value,
        created_at=found.created_at,
        updated_at=found.updated_at,
        score=found.score,
    )


@asynccontextmanager
async def store() -> AsyncIterator[HippographStore]:
    """Give the server its store, in the home that the graph uses; langgraph.json names it as `store.path`."""
    settings = Settings.from_env()
    yield HippographStore(lambda: shared_memory(settings))
