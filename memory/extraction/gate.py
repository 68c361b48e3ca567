"""What a model says about a turn becomes a fact only here: with its words in the turn, or not at all."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hippograph.memory.extraction import chinese_facts, english_facts
from hippograph.memory.extraction.attributes import thing
from hippograph.memory.extraction.clauses import plain
from hippograph.memory.extraction.dating import dated
from hippograph.memory.extraction.entities import entities
from hippograph.memory.extraction.entries import (
    EMPTY,
    IMPORTANT,
    ME,
    MINE,
    NAMES,
    NOBODY,
    REFERS,
    field_of,
    kind_of,
    reading,
    unfit,
    whole,
    worded,
)
from hippograph.memory.extraction.evidence import clause_with, located, stating, supported
from hippograph.memory.extraction.feeling import sentiment
from hippograph.memory.extraction.found import Found
from hippograph.memory.extraction.words import either
from hippograph.memory.facts import Fact, Heard
from hippograph.memory.language import language

MOST = 16
"""Facts of one turn."""


@dataclass(slots=True)
class Gate:
    """What of a model's entries about one turn was let through."""

    turn: Heard
    spec: str
    facts: list[Fact] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    """Why others were not, in words."""
    warned: list[str] = field(default_factory=list)

    def let(self, entries: Sequence[object]) -> None:
        """Let the entries through that the turn bears out, each fact once, MOST of them."""
        parts = stating(self.turn.text, self.turn.subject)
        seen = set[tuple[str, str, str]]()
        over = 0
        for entry in entries:
            for fact in self._read(entry, parts):
                key = (fact.subject.casefold(), fact.attribute, fact.value.casefold())
                if key in seen:
                    continue
                if len(self.facts) >= MOST:
                    over += 1
                    continue
                seen.add(key)
                self.facts.append(fact)
        if over:
            self.dropped.append(f"{over} facts beyond the {MOST} of one turn")

    def _read(self, entry: object, parts: Sequence[tuple[int, int]]) -> Iterator[Fact]:
        if isinstance(entry, str):
            yield from self._sentence(entry, parts)
            return
        if not isinstance(entry, dict):
            self._drop(entry, "is no fact")
            return
        if named := [each for each in REFERS if entry.get(each) not in (None, "", [])]:
            self.warned.append(f"a reference to memory {entry[named[0]]!r}, which was not shown, was ignored")
        fields = {name: field_of(entry, names) for name, names in NAMES.items()}
        if not fields["value"] and not fields["attribute"] and fields["text"]:
            yield from self._sentence(fields["text"], parts)
            return
        if missing := [name for name in ("subject", "attribute", "value") if not fields[name]]:
            if not (named and len(missing) == 3):
                self._drop(entry, f"has no {missing[0]}")
            return
        yield from self._fact(entry, fields, parts)

    def _sentence(self, said: str, parts: Sequence[tuple[int, int]]) -> Iterator[Fact]:
        """Read a bare sentence, "user likes hiking": what the rules make of it, if the turn has its words."""
        span = clause_with(self.turn.text, parts, said)
        if span is None:
            self._drop(said, "is not in the turn's words")
            return
        zh = language(self.turn.text) == "zh"
        read = chinese_facts.read if zh else english_facts.read
        first = re.sub(
            r"^(?:the )?(?:user|用户)\s*", "我" if zh else "I ", plain(said).strip(" ."), flags=re.IGNORECASE
        )
        found = read(first, self.turn.subject, None)[0] or [
            Found(subject=self.turn.subject, attribute=f"note {thing(said)}", value=said.strip(), text=said.strip())
        ]
        for each in found:
            yield self._made(each.subject, each.attribute, each.value, span, negated=each.negated, text=each.text)

    def _fact(self, entry: object, fields: dict[str, str], parts: Sequence[tuple[int, int]]) -> Iterator[Fact]:
        turn, value = self.turn, fields["value"].strip()
        subject = self._subject(fields["subject"])
        span = located(fields["quote"], turn.text) if fields["quote"] else located(value, turn.text)
        if subject is None:
            self._drop(entry, "is about somebody the turn does not name")
        elif span is None:
            self._drop(entry, "quotes what the turn does not say")
        elif not any(start < span[1] and span[0] < end for start, end in parts):
            self._drop(entry, "rests on what is asked, supposed or said by others")
        elif EMPTY.fullmatch(value) or len(value) > 160 or len(fields["attribute"]) > 60:
            self._drop(entry, "has no usable value")
        elif not supported(value, turn.text):
            self._drop(entry, "has a value the turn does not say")
        elif (why := unfit(turn, subject, fields["attribute"], value, span, parts)) is not None:
            self._drop(entry, why)
        else:
            key, told, negated = reading(fields["attribute"], value, turn.text[span[0] : span[1]])
            yield self._made(subject, key, told, whole(span, parts), negated=negated)

    def _subject(self, said: str) -> str | None:
        """Return whom an entry is about, as facts name him; None for nobody the turn names."""
        said = plain(said).strip(" .\"'")
        if ME.fullmatch(said) or said.casefold() == self.turn.subject.casefold():
            return self.turn.subject
        if NOBODY.fullmatch(said) or not said or len(said) > 60:
            return None
        mine = MINE.fullmatch(said)
        rest = mine["rest"].strip() if mine else said
        kin = re.fullmatch(rf"(?:\w+ )?{either('relations', 'pets', 'zh_kin', 'zh_pets')}", rest, re.IGNORECASE)
        if kin and (mine or located(rest, self.turn.text)):
            return f"{self.turn.subject}'s {rest.lower()}"
        return rest if located(rest, self.turn.text) else None

    def _made(
        self, subject: str, key: str, value: str, span: tuple[int, int], *, negated: bool, text: str = ""
    ) -> Fact:
        turn, (start, end) = self.turn, span
        quote = turn.text[start:end]
        kind = kind_of(key)
        when = dated(plain(quote), turn.said_at, future=key.startswith(("plan ", "goal ", "deadline", "date")))
        return Fact(
            text=text or worded(plain(quote), turn.subject),
            kind=kind,
            subject=subject,
            attribute=key,
            value=value,
            negated=negated,
            turn=turn.id,
            quote=quote,
            start=start,
            end=end,
            valid_from=when.start,
            valid_until=when.end,
            importance=IMPORTANT.get(key.split()[0], 0.5),
            confidence=0.7,
            sentiment=sentiment(quote),
            entities=entities(quote),
            model=self.spec,
        )

    def _drop(self, entry: object, why: str) -> None:
        shown = str(entry)
        self.dropped.append(f"{shown[:80]}{'…' if len(shown) > 80 else ''} {why}")
