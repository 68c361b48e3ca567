"""English sentences about a third person, made of what someone says of himself."""

import re

from hippograph.memory.extraction.english import Head
from hippograph.memory.extraction.words import third_person

_PRONOUNS = {
    "my": "their",
    "mine": "theirs",
    "me": "them",
    "myself": "themselves",
    "our": "their",
    "ours": "theirs",
    "us": "them",
    "ourselves": "themselves",
    "i": "they",
    "we": "they",
    "i'm": "they are",
    "i've": "they have",
    "i'll": "they will",
}


def sentence(head: Head, rest: str) -> str:
    """Return what a head and what follows it say, as a sentence about a third person."""
    words = rest.strip().rstrip(".!;,")
    if head.first or not head.property:
        words = _inflected(words, head)
    parts = [head.shown, head.said, _others(words, head.me)]
    if head.opening:
        parts = [_others(head.opening, head.me) + ",", parts[0].replace("The user", "the user", 1), *parts[1:]]
    text = re.sub(r"\s+([,.;])", r"\1", " ".join(part for part in parts if part))
    return text[0].upper() + text[1:] + "."


def about(words: str, me: str) -> str:
    """Return words as a sentence about the one who speaks: "my bike is red" as "The user's bike is red."."""
    shown = "the user" if me == "user" else me
    text = re.sub(r"^(?:my|our)\b", f"{shown}'s", words, flags=re.IGNORECASE)
    text = re.sub(r"^(?:i|we)\b", shown, text, flags=re.IGNORECASE)
    text = _others(text)
    return text[0].upper() + text[1:] + "."


def _inflected(words: str, head: Head) -> str:
    if (
        not head.first
        or head.marks & {"be", "perfect", "future", "can", "used"}
        or {"doesn't", "didn't", "does", "did"} & set(head.said.split())
    ):
        return words
    verb, space, tail = words.partition(" ")
    return third_person(verb) + space + tail


def _others(words: str, me: str = "") -> str:
    """Return words with the first person put into the third: "they", or a name where another is the subject."""
    name = me[:1].lower() + me[1:] if me == "The user" else me
    were = re.sub(r"\b(I|we) (was|am|were|are)\b", lambda found: _be(found[2], name), words)
    swapped = _FIRST.sub(lambda found: _swap(found[0], name), were)
    return re.sub(r"\bI\b(?!\.)", name or "they", swapped)


def _be(verb: str, name: str) -> str:
    past = verb.lower() in ("was", "were")
    return f"{name} {'was' if past else 'is'}" if name else f"they {'were' if past else 'are'}"


_FIRST = re.compile(
    r"\b(?:i'm|i've|i'll|my|mine|me|myself|our|ours|us(?!\s*\$)|ourselves|we)\b",
    re.IGNORECASE,
)


def _swap(word: str, name: str) -> str:
    if word == "US":
        return word
    pronoun = _PRONOUNS[word.lower()]
    if not name:
        return pronoun
    return (
        f"{name}'s"
        if pronoun in ("their", "theirs")
        else pronoun.replace("they are", f"{name} is")
        .replace("they have", f"{name} has")
        .replace("themselves", name)
        .replace("they", name)
        .replace("them", name)
    )
