"""Plain text and Markdown, in whatever encoding."""

import codecs
import re
from collections.abc import Iterator
from pathlib import Path

from hippograph.memory.exchange.splitting import Heading
from hippograph.memory.formats.loaded import Loaded
from hippograph.state import BadInput

BOMS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
MOST_CONTROLS = 0.01
"""Largest share of control characters in a text."""
USUAL = 0.85
"""Least share of a Chinese text's characters that are among the 3,755 usual ones or punctuation."""
SAMPLE = 20_000
"""Bytes that an encoding is guessed from."""

_CONTROLS = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffe\uffff]")
_CHAPTER = re.compile(
    r"^[^\S\n]*(?:第[〇零一二三四五六七八九十百千\d]{1,6}[章节回部篇卷][^\n。，]{0,40}"
    r"|chapter +[\divxlc]+\b[^\n.]{0,60})$",
    re.IGNORECASE | re.MULTILINE,
)
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_ATX = re.compile(r"^ {0,3}(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$")
_UNDERLINE = re.compile(r"^ {0,3}(=+|-{2,})[ \t]*$")
_FRONT = re.compile(r"\A---[ \t]*\n.*?\n(?:---|\.\.\.)[ \t]*\n", re.DOTALL)


def load_text(path: Path, data: bytes) -> Loaded:
    """Return a plain text, its chapters as headings."""
    text, notes = decoded(path, data)
    found = _CHAPTER.finditer(text)
    headings = [Heading(each.start(), each.end(), 1, " ".join(each[0].split())) for each in found]
    return Loaded(text=text, headings=headings, notes=notes)


def load_markdown(path: Path, data: bytes) -> Loaded:
    """Return a Markdown text as it is written, with its headings."""
    text, notes = decoded(path, data)
    return Loaded(text=text, headings=[*_headings(text)], notes=notes)


def decoded(path: Path, data: bytes, declared: str | None = None) -> tuple[str, list[str]]:
    """Return a file's text with each line's end one character, and a note where its encoding had to be guessed.

    Args:
        path: The file, for messages.
        data: Its bytes.
        declared: The encoding it names itself, if it does.

    Raises:
        BadInput: It is no text, or its encoding cannot be told.
    """
    text, guessed = _decoded(path, data, declared)
    controls = len(_CONTROLS.findall(text))
    if "\0" in text or controls > MOST_CONTROLS * len(text):
        raise BadInput(f"{path} is no text but binary: give it its right name, or say its --format.")
    return text.replace("\r\n", "\n").replace("\r", "\n"), [f"read as {guessed}"] if guessed else []


def _decoded(path: Path, data: bytes, declared: str | None) -> tuple[str, str]:
    """Return the text, and the name of an encoding that was guessed."""
    for bom, codec in BOMS.items():
        if data.startswith(bom):
            return data[len(bom) :].decode(codec, "replace"), ""
    guessed = [_wide(data), "utf-8", declared, "gb18030" if _is_gb(data) else None]
    for codec in filter(None, guessed):
        if (read := _strictly(data, codec)) is not None:
            return read, "" if codec in ("utf-8", declared) else codec.upper()
    from charset_normalizer import from_bytes

    best = None if b"\0" in data else from_bytes(data).best()
    if best is None:
        raise BadInput(f"{path} is no text in any encoding known here: save it as UTF-8, or say its --format.")
    return str(best), best.encoding


def _strictly(data: bytes, codec: str) -> str | None:
    try:
        return data.decode("gb18030" if codec.lower() in ("gb2312", "gbk") else codec)
    except (UnicodeDecodeError, LookupError):
        return None


def _wide(data: bytes) -> str | None:
    """Return the UTF-16 that bytes without a mark look like: every other byte of Latin text is 0."""
    sample = data[:SAMPLE]
    for codec, zeros in (("utf-16-le", sample[1::2]), ("utf-16-be", sample[::2])):
        if len(data) % 2 == 0 and zeros.count(0) > len(zeros) // 2 and sample.count(0) < len(sample) * 0.6:
            return codec
    return None


def _is_gb(data: bytes) -> bool:
    """Tell whether bytes are usual Chinese in GB 2312: other double-byte texts scatter over its rare characters."""
    pairs = usual = place = 0
    sample = data[:SAMPLE]
    while place < len(sample) - 1:
        lead, trail = sample[place], sample[place + 1]
        if lead < 0x80:
            place += 1
            continue
        pairs += 1
        usual += trail >= 0xA1 and (0xA1 <= lead <= 0xA3 or 0xB0 <= lead <= 0xD7)
        place += 2
    return pairs > 0 and usual >= USUAL * pairs


def _headings(text: str) -> Iterator[Heading]:
    """Return Markdown's headings; what looks like one in a code block or in front matter is none."""
    front = _FRONT.match(text)
    place, fence, before = (front.end() if front else 0), "", (0, "")
    for line in text[place:].splitlines(keepends=True):
        start, bare = place, line.rstrip("\n")
        place += len(line)
        opened = _FENCE.match(bare)
        if fence or opened:
            if opened and not fence:
                fence = opened[1]
            elif opened and opened[1].startswith(fence) and not bare.strip(" `~"):
                fence = ""
            before = (place, "")
        elif atx := _ATX.match(bare):
            yield Heading(start, place, len(atx[1]), atx[2])
            before = (place, "")
        elif before[1] and (line_under := _UNDERLINE.match(bare)):
            yield Heading(before[0], place, 1 if line_under[1][0] == "=" else 2, before[1])
            before = (place, "")
        else:
            before = (start, "" if bare.startswith(("    ", "\t", ">", "|", "- ", "* ")) else bare.strip())
