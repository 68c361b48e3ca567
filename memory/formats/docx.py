"""Word files, by python-docx: paragraphs, lists, tables, text boxes and notes; headings by their style."""

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hippograph.memory.formats.loaded import Composed, Loaded
from hippograph.state import BadInput

if TYPE_CHECKING:
    from docx.document import Document

MOST_UNPACKED = 500_000_000
"""Bytes of a file's parts, unpacked: more is an attack rather than a letter."""
OLD = bytes.fromhex("d0cf11e0a1b11ae1")
"""How Word's format before 2007 begins, and any Word file with a password."""

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_SILENT = {f"{W}pPr", f"{W}txbxContent", f"{W}moveFrom"}
_STYLE = re.compile(r"(?:heading|标题)\s*([1-9])", re.IGNORECASE)
_NOTES = ("/footnotes", "/endnotes")


def load_docx(path: Path, data: bytes) -> Loaded:
    """Return a Word file's text; headers, footers and comments are left out.

    Raises:
        BadInput: It is none, is damaged or protected by a password.
    """
    document = _opened(path, data)
    levels = {style.style_id: _level(style) for style in document.styles}
    composed = Composed()
    try:
        for text, style in _blocks(document.element.body):
            composed.add(text, levels.get(style))
        for part in {rel.target_part for rel in document.part.rels.values() if rel.reltype.endswith(_NOTES)}:
            for text, _ in _blocks(_parsed(part.blob)):
                composed.add(text)
    except (ValueError, KeyError, AttributeError, RecursionError) as error:
        raise BadInput(f"{path} is damaged and cannot be read as a Word file ({error}).") from error
    return composed.loaded()


def _opened(path: Path, data: bytes) -> "Document":
    if data.startswith(OLD):
        raise BadInput(
            f"{path} is protected by a password, or in Word's format before 2007: save it as .docx without a password."
        )
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            if sum(part.file_size for part in parts.infolist()) > MOST_UNPACKED:
                raise BadInput(f"{path} unpacks to more than {MOST_UNPACKED // 1_000_000} MB: import it in parts.")
        import docx

        return docx.Document(io.BytesIO(data))
    except BadInput:
        raise
    except Exception as error:  # python-docx passes on whatever zip and XML say
        raise BadInput(f"{path} is no Word file that can be read ({error}): say its right --format.") from error


def _parsed(xml: bytes) -> Any:  # noqa: ANN401 - an lxml element
    from docx.oxml import parse_xml

    return parse_xml(xml)


def _level(style: Any) -> int | None:  # noqa: ANN401 - python-docx has several classes of styles
    """Return a style's level if it is one of headings; a title's is 1, as that of the highest headings."""
    name = style.name or ""
    if name.lower() == "title":
        return 1
    found = _STYLE.match(name)
    outline = style.element.find(f"{W}pPr/{W}outlineLvl")
    if found:
        return int(found[1])
    return int(outline.get(f"{W}val")) + 1 if outline is not None and int(outline.get(f"{W}val")) < 9 else None


def _blocks(element: Any) -> Iterator[tuple[str, str]]:  # noqa: ANN401 - an lxml element
    """Return the paragraphs and table rows in an element with their styles' ids, in order."""
    for each in element:
        if each.tag == f"{W}p":
            style = each.find(f"{W}pPr/{W}pStyle")
            marked = "- " if each.find(f"{W}pPr/{W}numPr") is not None else ""
            yield marked + "".join(_words(each)), style.get(f"{W}val") if style is not None else ""
            for box in each.iter(f"{W}txbxContent"):
                if not any(above.tag == _FALLBACK for above in box.iterancestors()):
                    yield from _blocks(box)
        elif each.tag == f"{W}tr":
            cells = [cell for cell in each.iter(f"{W}tc") if next(cell.iterancestors(f"{W}tr")) is each]
            said = (" ".join(text for text, _ in _blocks(cell)) for cell in cells)
            yield " | ".join(" ".join(words.split()) for words in said), ""
        elif len(each):
            yield from _blocks(each)


def _words(element: Any) -> Iterator[str]:  # noqa: ANN401 - an lxml element
    """Return the words of a paragraph, without those of text boxes in it; what was struck out in revision has none."""
    for each in element:
        if each.tag == f"{W}t":
            yield each.text or ""
        elif each.tag in (f"{W}tab", f"{W}br", f"{W}cr"):
            yield "\t" if each.tag == f"{W}tab" else "\n"
        elif each.tag not in _SILENT:
            yield from _words(each)
