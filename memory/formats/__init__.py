"""Documents of several formats as one text with headings."""

from collections.abc import Callable, Mapping
from pathlib import Path

from hippograph.memory.formats.loaded import Loaded, contents
from hippograph.state import BadInput

SUFFIXES: Mapping[str, tuple[str, ...]] = {
    "txt": (".txt", ".text", ".log"),
    "md": (".md", ".markdown"),
    "pdf": (".pdf",),
    "html": (".html", ".htm", ".xhtml"),
    "docx": (".docx",),
}
"""Format to the ends of names it is known by."""


def format_of(path: Path) -> str | None:
    """Return the format that a file's name tells, or None."""
    return next((name for name, ends in SUFFIXES.items() if path.suffix.lower() in ends), None)


def load(path: Path, written: str | None = None) -> Loaded:
    """Return what a document says.

    Args:
        path: The file.
        written: Its format, one of SUFFIXES; without it, what its name tells.

    Raises:
        BadInput: The file cannot be read, is not of that format, or says nothing; the message tells the cure.
    """
    written = written or format_of(path)
    if written is None or written not in SUFFIXES:
        raise BadInput(
            f"{path} is of no format known by its name: say which with --format, {', '.join(SUFFIXES)} "
            "or another of `hippograph import --help`."
        )
    loaded = _loader(written)(path, contents(path))
    if not loaded.text.strip():
        raise BadInput(f"{path} holds no text, so there is nothing to remember.")
    return loaded


def _loader(written: str) -> Callable[[Path, bytes], Loaded]:
    """Return what reads a format; its library is imported when it is first needed."""
    if written == "pdf":
        from hippograph.memory.formats.pdf import load_pdf

        return load_pdf
    if written == "docx":
        from hippograph.memory.formats.docx import load_docx

        return load_docx
    if written == "html":
        from hippograph.memory.formats.html import load_html

        return load_html
    from hippograph.memory.formats.plain import load_markdown, load_text

    return load_markdown if written == "md" else load_text


__all__ = ["SUFFIXES", "Loaded", "format_of", "load"]
