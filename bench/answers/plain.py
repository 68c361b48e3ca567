"""What a small model gets without us: nothing, the last turns, plain retrieval with langchain-chroma, everything.

The prompts begin with the graph's own first lines, so that all arms are asked for answers of one kind.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import uuid4

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from hippograph.bench.floors import BATCH, id_of, said_at, text_of
from hippograph.bench.sets import Item
from hippograph.memory.language import language
from hippograph.nodes import wording
from hippograph.nodes.extract import cut, flat

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from langchain_chroma import Chroma
    from langchain_core.embeddings import Embeddings

CONTEXT = {
    "zh": "上下文：\n{context}\n\n问题：{question}\n请只根据上下文回答。如果上下文里没有，就说不知道。",
    "en": "Context:\n{context}\n\nQuestion: {question}\n"
    "Answer from the context. If the answer is not in it, say you don't know.",
}
"""The usual prompt of retrieval-augmented answers."""
LAST = 6
"""Messages of the conversation's end that "last" shows: what the graph keeps of its own conversation, three turns."""
MOST_LINES = 120
"""Lines that retrieval ranks: more than four blocks hold."""
Count = Callable[[str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What stands in a prompt of what was said."""

    text: str
    ids: tuple[str, ...]
    """Of the turns in it."""


class Shelf:
    """One space as it was said, and in plain langchain-chroma."""

    def __init__(self, items: Sequence[Item], store: "Chroma") -> None:
        self.items = {id_of(item): item for item in items}
        self._store = store
        texts, ids = [text_of(item) for item in items], [id_of(item) for item in items]
        for part in (slice(start, start + BATCH) for start in range(0, len(ids), BATCH)):
            store.add_texts(texts[part], ids=ids[part])

    def found(self, question: str, room: int, count: Count) -> Shown:
        """Return the turns nearest to a question, best first, filled up to `room` tokens; the last one may be cut."""
        ranked = self._store.similarity_search(question, min(MOST_LINES, len(self.items)))
        return self._filled([str(each.id) for each in ranked], room, count)

    def nearest(self, question: str, number: int) -> Shown:
        """Return the `number` turns nearest to a question, best first, whole."""
        ids = [str(each.id) for each in self._store.similarity_search(question, number)]
        return Shown(text="\n".join(map(self.line, ids)), ids=tuple(ids))

    def last(self, room: int, count: Count) -> Shown:
        """Return the last turns, oldest first; each is cut to its share of the room."""
        ids = list(self.items)[-LAST:]
        return Shown(text="\n".join(cut(self.line(id_), room // LAST, count) for id_ in ids), ids=tuple(ids))

    def whole(self) -> Shown:
        """Return all of it."""
        return Shown(text="\n".join(map(self.line, self.items)), ids=tuple(self.items))

    def line(self, id_: str) -> str:
        """Return a turn as it is usually shown: "[2023-05-08 13:56] Caroline: …"."""
        item = self.items[id_]
        return f"[{said_at(item):%Y-%m-%d %H:%M}] {flat(text_of(item))}"

    def _filled(self, ids: Sequence[str], room: int, count: Count) -> Shown:
        lines, kept = list[str](), list[str]()
        for id_ in ids:
            left = room - count("\n".join(lines)) - 1 if lines else room
            if left <= 0:
                break
            line = cut(self.line(id_), left, count)
            while line and count("\n".join([*lines, line])) > room:
                line = line[:-2].rstrip("…").rstrip()
            if not line:
                break
            lines.append(line)
            kept.append(id_)
            if line != self.line(id_):
                break
        return Shown(text="\n".join(lines), ids=tuple(kept))


def shelves(spaces: Mapping[str, Sequence[Item]], embeddings: "Embeddings", client: "ClientAPI") -> dict[str, Shelf]:
    """Put spaces into langchain-chroma as it comes, a collection a space."""
    from langchain_chroma import Chroma

    def store() -> Chroma:
        return Chroma(collection_name=f"rag-{uuid4().hex}", embedding_function=embeddings, client=client)

    return {space: Shelf(items, store()) for space, items in spaces.items()}


def prompt(question: str, context: str) -> list[BaseMessage]:
    """Return the prompt of an arm without our memory."""
    lang = language(question)
    system = wording.system("plain", lang, datetime.now().astimezone(), "", "")
    body = CONTEXT[lang].format(context=context, question=question) if context else question
    return [SystemMessage(system), HumanMessage(body)]
