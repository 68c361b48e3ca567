"""A LangChain retriever over memory: what the graph would inject for a question, as documents."""

from typing import Any, Literal

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.messages import HumanMessage
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableConfig
from pydantic import Field, PrivateAttr

from hippograph.graph.caller import caller, checked
from hippograph.graph.injection import Injection
from hippograph.memory.twin import twin
from hippograph.nodes import Run
from hippograph.nodes.guarding import guarded
from hippograph.nodes.turns import language_of
from hippograph.state import Recollection
from hippograph.state.conversation import State


class HippographRetriever(BaseRetriever):
    """Finds a user's memories.

    With `shape` "notes" the documents are the lines of the block that the graph would inject, oldest first: joined by
    newlines they are that block. With "memories" they are the memories' own words, best first, guarded as notes are.
    Their metadata says where each comes from: id, kind, said_at, score, why, speaker, thread, source_ids, quotes.
    """

    memory: Any = Field(default=None, exclude=True, repr=False)
    """Long-term memory, which stays the caller's to close; None: this process's own."""
    user: str | None = None
    """Whose memories; None: the run says so, by `user_id` in its context or in its config's `configurable`."""
    shared: bool = False
    """Whether `user` is meant in the runs of others too: what they all may read."""
    shape: Literal["notes", "memories"] = "notes"
    k: int = 8
    """Most memories."""
    recall: Literal["auto", "always"] = "always"
    """Whether the trigger may decide that a question needs no memory; then there are no documents."""
    small: Any = Field(default=None, exclude=True, repr=False)
    """The model that will read the notes, for its way of counting; None: any, with estimated tokens."""
    big: Any = Field(default=None, exclude=True, repr=False)
    """The model that distils notes too long for the budget; None: the settings', else none."""
    settings: Any = Field(default=None, exclude=True, repr=False)
    """Where things are; None: the environment."""
    context: dict[str, Any] = Field(default_factory=dict)
    """More of `Context`'s fields, such as {"memory_tokens": 300}."""

    _injection: Injection = PrivateAttr()

    def model_post_init(self, _: object) -> None:
        """Prepare; memory and models open when they are first needed."""
        checked(self._fields())
        self._injection = Injection(memory=self.memory, small=self.small, big=self.big, settings=self.settings)

    def invoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:  # noqa: A002, ANN401
        """Return the documents for a question.

        Raises:
            BadInput: No question, or nobody says whose memories.
            HippographError: Memory or a model cannot be used; one line that says what to do.
        """
        return super().invoke(input, config, **{**kwargs, "run": self._run(config)})

    async def ainvoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:  # noqa: A002, ANN401
        """Return the documents for a question, as `invoke` does."""
        return await super().ainvoke(input, config, **{**kwargs, "run": self._run(config)})

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, run: Run | None = None
    ) -> list[Document]:
        return self._documents(query, run or self._run(None))

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, run: Run | None = None
    ) -> list[Document]:
        return await twin(self._documents)(query, run or self._run(None))

    def _run(self, config: RunnableConfig | None) -> Run:
        return caller(self._fields(), config, shared=self.shared)

    def _fields(self) -> dict[str, Any]:
        return {**self.context, "recall": self.recall, "top_k": self.k, "user_id": self.user}

    def _documents(self, query: str, run: Run) -> list[Document]:
        turn = self._injection.recall([HumanMessage(query)], run)
        found = [Recollection.from_record(each) for each in turn["memories"]]
        return _notes(turn, found) if self.shape == "notes" else _memories(found, language_of(run.context, query))


def _notes(turn: State, found: list[Recollection]) -> list[Document]:
    by_id = {each.id: each for each in found}
    block = turn["block"]
    lines = zip(block["text"].splitlines(), block["cited"], strict=True)
    return [Document(line, id=cited, metadata=_about(by_id[cited])) for line, cited in lines]


def _memories(found: list[Recollection], language: str) -> list[Document]:
    safe = [guarded(each, language) for each in found]
    return [Document(each.text, id=each.id, metadata=_about(each)) for each in safe if each]


def _about(memory: Recollection) -> dict[str, Any]:
    """Return where a memory comes from, as plain JSON."""
    record = memory.to_record()
    names = ("id", "kind", "said_at", "score", "why", "role", "speaker", "thread", "topic", "status")
    own = {name: record[name] for name in names}  # type: ignore[literal-required]
    return {**own, "source_ids": memory.source_ids, "quotes": [each.quote for each in memory.sources]}
