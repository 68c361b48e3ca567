"""The memory block by a model: bullets with sources, each checked before it is used."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hippograph.memory.tokens import words
from hippograph.nodes.extract import NOTHING, Count, Line, as_block, best_sentences, in_order
from hippograph.nodes.noting import BULLET_CHARACTERS, Terms, note
from hippograph.nodes.remainder import remainder
from hippograph.nodes.reply import Entry
from hippograph.nodes.verify import supported
from hippograph.state import ModelError, NothingNoted, Recollection
from hippograph.state.turn import Block

if TYPE_CHECKING:
    from hippograph.models import ChatModel

SAME = 0.8
"""Share of a bullet's words in another one from which it says nothing more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bullet:
    """One sentence and the memories that bear it out."""

    text: str
    sources: tuple[Recollection, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What a model noted, checked."""

    bullets: tuple[Bullet, ...]
    unsupported: int
    """Sentences that their sources do not bear out; the sources' own words stand in their place."""
    degraded: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Distilled:
    """A block by a model, and what was amiss."""

    block: Block
    degraded: tuple[str, ...]


def distil(
    big: "ChatModel",
    memories: Sequence[Recollection],
    question: str,
    budget: int,
    count: Count,
    language: str,
    terms: Terms,
    before: Mapping[str, str] = NOTHING,
) -> Distilled:
    """Return the model's block within a budget.

    Args:
        big: The model.
        memories: Best first.
        question: What the block is for.
        budget: Most tokens of the block.
        count: Counts the small model's tokens.
        language: "zh" or "en".
        terms: Of each call; what it costs is put down there, also where it fails.
        before: By a memory's id, the value that held before what it tells.

    Raises:
        NothingNoted: The model says that nothing bears on the question.
        ModelError: A call failed, or the reply cannot be read or holds nothing usable.
    """
    checked = check(big, memories, question, count, language, terms, before)
    block = _block(_merged(checked.bullets, memories), budget, count, language, before)
    if not checked.bullets and not checked.unsupported:
        raise NothingNoted(f"{big.spec} found nothing worth noting in {len(memories)} memories")
    if not block["text"]:
        raise ModelError(f"{big.spec} noted nothing usable")
    cited = {*block["cited"]}
    sources = [{source.id for source in each.sources} for each in checked.bullets]
    told = {id_ for each in sources if cited & each for id_ in each}
    more = remainder([each for each in memories if each.id not in told], count, language)
    block = Block(**{**block, "by": "big", "unsupported": checked.unsupported, "more": more})
    return Distilled(block=block, degraded=checked.degraded)


def check(
    big: "ChatModel",
    memories: Sequence[Recollection],
    question: str,
    count: Count,
    language: str,
    terms: Terms,
    before: Mapping[str, str] = NOTHING,
) -> Checked:
    """Return what a model notes of memories, each sentence borne out by the memories it names.

    Raises:
        ModelError: A call failed, or its reply cannot be read.
    """
    noted = note(big, memories, question, language, terms, before)
    bullets: list[Bullet] = []
    unsupported = 0
    for entry in noted.entries:
        bullet, as_written = _checked(entry, noted.shown, question, count, before)
        unsupported += not as_written
        if bullet:
            bullets.append(bullet)
    return Checked(bullets=tuple(bullets), unsupported=unsupported, degraded=noted.degraded)


def _checked(
    entry: Entry, shown: Sequence[Recollection], question: str, count: Count, before: Mapping[str, str]
) -> tuple[Bullet | None, bool]:
    """Return the bullet as written if its sources bear it out, else in the first one's words, or None without any."""
    cited = tuple(shown[number - 1] for number in entry.sources if 1 <= number <= len(shown))
    text = entry.text[:BULLET_CHARACTERS]
    if len(cited) == len(entry.sources) and supported(text, [_with(each, before) for each in cited]):
        return Bullet(text=text, sources=cited), True
    if not cited:
        return None, False
    own_words = best_sentences(cited[0].text, f"{question} {text}", max(2 * count(text), 30), count)
    return (Bullet(text=own_words, sources=cited[:1]) if own_words else None), False


def _with(memory: Recollection, before: Mapping[str, str]) -> Recollection:
    """Return a memory that also says what held before it, as its line showed."""
    old = before.get(memory.id)
    return replace(memory, text=f"{memory.text} ({old})") if old else memory


def _merged(bullets: Sequence[Bullet], memories: Sequence[Recollection]) -> list[Bullet]:
    """Return bullets without those that say what another one says, those of the best memories first."""
    rank = {each.id: place for place, each in enumerate(memories)}
    kept: list[Bullet] = []
    for bullet in sorted(bullets, key=lambda each: min(rank.get(source.id, len(rank)) for source in each.sources)):
        if not any(_repeats(bullet.text, other.text) for other in kept):
            kept.append(bullet)
    return kept


def _repeats(text: str, other: str) -> bool:
    """Tell whether a sentence says no more than another one; a number or a name of its own is more."""
    own = set(words(text))
    missing = own - set(words(other))
    telling = {word for word in missing if not word.isascii() or not word.isalpha() or word.capitalize() in text}
    return not telling and len(own) - len(missing) >= SAME * len(own)


def _block(bullets: Sequence[Bullet], budget: int, count: Count, language: str, before: Mapping[str, str]) -> Block:
    """Return the block of the first bullets that fit, oldest first; each shows the day of its latest source."""
    lines: list[Line] = []
    for bullet in bullets:
        latest = max(bullet.sources, key=lambda source: (source.said_at, source.position))
        longer = [*lines, Line(memory=latest, text=bullet.text, before=before.get(latest.id, ""))]
        if as_block(in_order(longer), count, language)["tokens"] <= budget:
            lines = longer
    return as_block(in_order(lines), count, language)
