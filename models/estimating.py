"""How many tokens a text costs where no tokenizer is at hand: guessed from the kinds of its characters."""

import itertools
import re

# Cut about as byte-pair tokenizers do: one leading blank or sign belongs to a word, digits stand alone. A change to a
# capital ends a word, as merges seldom cross it.
_PIECE = re.compile(
    r"(?P<han> ?[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+)"
    r"|(?P<kana>[\u3040-\u30ff]+)"
    r"|(?P<hangul>[\uac00-\ud7af]+)"
    r"|(?P<capital>[^\n\w]?[A-Z\u00c0-\u00de]{2,}(?![a-z]))"
    r"|(?P<word>[^\n\w]?(?:[A-Z\u00c0-\u00de]?[a-z\u00df-\u024f]+|[A-Z\u00c0-\u00de]))"
    r"|(?P<digit> ?[0-9])"
    r"|(?P<blank>\s+)"
    r"|(?P<wide>[\u3000-\u303f\uff00-\uffef\u2010-\u2027]+)"
    r"|(?P<sign> ?[!-/:-@\[-`{-~]+)"
    r"|(?P<other>.)",
    re.DOTALL,
)
# Fitted to Qwen2.5's tokenizer on Chinese and English talk, notes, code, JSON, numbers, addresses and emoji, and on
# what people paste: base64, long words, rare characters, other scripts.
# Tokens of a piece = first + each * (its characters - 1).
_COST = {
    "kana": (0.5, 0.5),
    "hangul": (0.92, 0.92),
    "digit": (1.0, 1.0),
    "wide": (1.0, 0.2),
}
# Of one character: up to which code point, and how many tokens.
_OTHER = (
    (0x02FF, 0.6),
    (0x036F, 2.2),  # marks that stack on a letter
    (0x03FF, 0.85),  # Greek
    (0x04FF, 0.36),  # Cyrillic
    (0x06FF, 0.41),
    (0x08FF, 1.4),
    (0x0DFF, 1.0),  # scripts of India
    (0x0E7F, 0.5),  # Thai
    (0x1DFF, 1.9),
    (0x2BFF, 1.1),  # signs, arrows, mathematics, boxes
    (0xFFFF, 2.2),
    (0x10FFFF, 1.2),  # emoji
)
_USUAL_WORD, _LONG_WORD = 7, 14


def estimate(text: str) -> int:
    """Estimate a text's tokens; 0 only for an empty text."""
    total = sum(_piece_cost(found.lastgroup or "other", found.group()) for found in _PIECE.finditer(text))
    return max(1, round(total)) if text else 0


def _piece_cost(kind: str, piece: str) -> float:
    length = len(piece)
    match kind:
        case "word":
            return 1 + 0.05 * max(0, min(length, _LONG_WORD) - _USUAL_WORD) + 0.45 * max(0, length - _LONG_WORD)
        case "capital":
            return 1 + 0.3 * max(0, length - 3)
        case "blank":
            return _blank_cost(piece)
        case "sign":
            usual = 1 + 0.25 * min(length - 1, 3)
            return usual + (0.6 if len({*piece}) > 2 else 0.05) * max(0, length - 4)
        case "han":
            return _han_cost(piece)
        case "other":
            return next(cost for most, cost in _OTHER if ord(piece) <= most)
    first, each = _COST[kind]
    return first + each * (length - 1)


def _blank_cost(piece: str) -> float:
    if piece == " ":
        return 0.16
    changes = sum(one != two for one, two in itertools.pairwise(piece))
    return 1.15 + 0.35 * max(0, changes - 1) + 0.03 * (len(piece) - 1)


def _han_cost(piece: str) -> float:
    """Common characters make words of one token; others are up to several tokens each.

    Common are those of the first levels of GB 2312 and, mostly, of Big5, which were made by how often they are used.
    """
    detached = 0.6 if piece[0] == " " else 0.0
    characters = piece.lstrip()
    simple = characters.encode("gb2312", "ignore")
    seldom = sum(byte >= 0xD8 for byte in simple[::2])
    beyond = len(characters) - len(simple) // 2
    traditional = sum(byte <= 0xC6 for byte in _not_simple(characters).encode("big5", "ignore")[::2]) if beyond else 0
    extra = 0.6 * seldom + 0.3 * traditional + 1.3 * (beyond - traditional)
    return 0.8 + 0.6 * (len(characters) - 1) + detached + extra


def _not_simple(characters: str) -> str:
    return "".join(each for each in characters if not each.encode("gb2312", "ignore"))
