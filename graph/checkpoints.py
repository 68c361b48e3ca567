"""Short-term memory on disk: one SQLite saver for `invoke` and `ainvoke`, complete enough for the LangGraph server."""

import asyncio
import os
import sqlite3
import threading
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
)
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver

from hippograph.memory.backup import restoring
from hippograph.state import BadInput, HomeUnusable, Settings

FILE = "checkpoints.db"
"""Name of the database in the home."""
TIMEOUT_SECONDS = 30.0
"""Longest wait for another process that writes."""
_PAGE = 50


class Checkpoints(SqliteSaver):
    """A SQLite checkpointer whose async methods run the sync ones in a thread, so that one serves both kinds of call.

    One connection and one lock: open it once in a process. Not for graphs with a DeltaChannel (`prune` would cut its
    history); the graph here has none.
    """

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """As `get_tuple`."""
        return await asyncio.to_thread(self.get_tuple, config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - the base class's name
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """As `list`, page by page, so that the lock is free while the caller works on an item."""
        while limit is None or limit > 0:
            most = _PAGE if limit is None else min(_PAGE, limit)
            page = await asyncio.to_thread(self._page, config, filter, before, most)
            for found in page:
                yield found
            if len(page) < most:
                return
            before, limit = page[-1].config, None if limit is None else limit - most

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """As `put`."""
        return await asyncio.to_thread(self.put, config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """As `put_writes`."""
        await asyncio.to_thread(self.put_writes, config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        """As `delete_thread`."""
        await asyncio.to_thread(self.delete_thread, thread_id)

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Delete the checkpoints, with their writes, that these runs made."""
        place, made_by = (
            "thread_id, checkpoint_ns, checkpoint_id",
            "FROM checkpoints WHERE json_extract(metadata, '$.run_id') = ?",
        )
        runs = [(str(run_id),) for run_id in run_ids]
        with self.cursor() as cursor:
            cursor.executemany(f"DELETE FROM writes WHERE ({place}) IN (SELECT {place} {made_by})", runs)
            cursor.executemany(f"DELETE {made_by}", runs)

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """As `delete_for_runs`."""
        await asyncio.to_thread(self.delete_for_runs, run_ids)

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy all of a thread's checkpoints and writes to another thread."""
        checkpoint = "checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata"
        write = "checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value"
        with self.cursor() as cursor:
            for table, columns in (("checkpoints", checkpoint), ("writes", write)):
                cursor.execute(
                    f"INSERT OR REPLACE INTO {table} (thread_id, {columns}) "
                    f"SELECT ?, {columns} FROM {table} WHERE thread_id = ?",
                    (str(target_thread_id), str(source_thread_id)),
                )

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """As `copy_thread`."""
        await asyncio.to_thread(self.copy_thread, source_thread_id, target_thread_id)

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Delete the checkpoints of some threads.

        Args:
            thread_ids: The threads.
            strategy: "keep_latest" keeps the latest of each namespace, "delete" none.

        Raises:
            BadInput: An unknown strategy.
        """
        if strategy not in ("keep_latest", "delete"):
            raise BadInput(f'Unknown pruning strategy {strategy!r}: use "keep_latest" or "delete".')
        if strategy == "delete":
            for thread_id in thread_ids:
                self.delete_thread(thread_id)
            return
        latest = "SELECT checkpoint_ns, max(checkpoint_id) FROM checkpoints WHERE thread_id = ?1 GROUP BY checkpoint_ns"
        threads = [(str(thread_id),) for thread_id in thread_ids]
        with self.cursor() as cursor:
            for table in ("writes", "checkpoints"):
                cursor.executemany(
                    f"DELETE FROM {table} WHERE thread_id = ?1 AND (checkpoint_ns, checkpoint_id) NOT IN ({latest})",
                    threads,
                )

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """As `prune`."""
        await asyncio.to_thread(self.prune, thread_ids, strategy=strategy)

    async def aget_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        """As `get_delta_channel_history`."""
        return await asyncio.to_thread(self.get_delta_channel_history, config=config, channels=channels)

    def _page(
        self,
        config: RunnableConfig | None,
        wanted: dict[str, Any] | None,
        before: RunnableConfig | None,
        limit: int,
    ) -> list[CheckpointTuple]:
        return [*self.list(config, filter=wanted, before=before, limit=limit)]


@contextmanager
def open_checkpoints(path: str | Path) -> Iterator[Checkpoints]:
    """Open a checkpoint database, creating it where there is none; closed at the end of the context.

    Raises:
        HomeUnusable: It cannot be read or written.
    """
    path = Path(path).expanduser()
    if path.name == FILE:
        restoring.finish_unowned(path.parent)
    try:
        connection = _connect(path)
    except (OSError, sqlite3.Error) as error:
        raise HomeUnusable(
            f"{path} cannot be used ({error}): check the folder's permissions and free space."
        ) from error
    try:
        # No project types are stored, so no more than LangChain's own may be rebuilt from a file.
        saver = Checkpoints(connection, serde=JsonPlusSerializer(allowed_msgpack_modules=None))
        saver.setup()
        yield saver
    finally:
        connection.close()


class _Shared:
    """Open checkpoint files of this process, each with how many use it: two connections would wait for each other."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.open: dict[Path, tuple[Checkpoints, ExitStack, int]] = {}


_SHARED = _Shared()


@contextmanager
def shared_checkpoints(path: str | Path) -> Iterator[Checkpoints]:
    """Give this process's one saver of a checkpoint database; closed when the last who uses it is done.

    Raises:
        HomeUnusable: It cannot be read or written.
    """
    path = Path(path).expanduser().absolute()
    with _SHARED.lock:
        if path in _SHARED.open:
            saver, closing, users = _SHARED.open[path]
        else:
            closing, users = ExitStack(), 0
            saver = closing.enter_context(open_checkpoints(path))
        _SHARED.open[path] = (saver, closing, users + 1)
    try:
        yield saver
    finally:
        with _SHARED.lock:
            saver, closing, users = _SHARED.open.pop(path)
            if users > 1:
                _SHARED.open[path] = (saver, closing, users - 1)
            else:
                closing.close()


@asynccontextmanager
async def checkpointer() -> AsyncIterator[Checkpoints]:
    """Open the home's checkpoints for `langgraph dev`; langgraph.json names this function."""
    context = shared_checkpoints(Settings.from_env().home / FILE)
    saver = await asyncio.to_thread(context.__enter__)
    try:
        yield saver
    finally:
        await asyncio.to_thread(context.__exit__, None, None, None)


def _connect(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # SQLite gives its side files the same mode.
    connection = sqlite3.connect(path, timeout=TIMEOUT_SECONDS, check_same_thread=False)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("PRAGMA secure_delete=ON")  # Forgetting must leave nothing in free pages.
    return connection
