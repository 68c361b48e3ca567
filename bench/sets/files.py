"""Files of a data set: found, read and refused in words."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hippograph.state import BadInput

SHARED = Path("../shared/data")
"""Where data sets lie beside a checkout of the project."""


def found(path: Path | None, name: str) -> Path:
    """Return the folder or file that was given, or the one beside the checkout.

    Raises:
        BadInput: There is none.
    """
    checkout = Path(__file__).parents[2]
    for place in [path] if path else [SHARED / name, checkout / SHARED / name]:
        if place.exists():
            return place.resolve()
    where = f"{path} does not exist" if path else f"There is no {SHARED / name}"
    raise BadInput(f"{where}: give the folder or file of the {name} data with --data PATH.")


def only(path: Path, pattern: str) -> Path:
    """Return the path if it is a file, else the one file in the folder that fits a glob pattern.

    Raises:
        BadInput: None fits, or several do.
    """
    if path.is_file():
        return path
    fitting = sorted(path.glob(pattern))
    if len(fitting) != 1:
        names = ", ".join(each.name for each in fitting) or "none"
        raise BadInput(f"{path} should hold one file {pattern}, and holds {names}: give the file with --data.")
    return fitting[0]


def loaded(path: Path) -> Any:  # noqa: ANN401
    """Return what a JSON file holds.

    Raises:
        BadInput: It cannot be read, or is no JSON.
    """
    return json.loads(text(path))


def lines(path: Path) -> list[Any]:
    """Return what the lines of a JSONL file hold, empty ones passed over."""
    return [json.loads(line) for line in text(path).split("\n") if line.strip()]


def text(path: Path) -> str:
    """Return a UTF-8 file's text.

    Raises:
        BadInput: It cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror}): give the data with --data PATH.") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8 text (byte {error.start}).") from error


@contextmanager
def _shape(path: Path, name: str) -> Iterator[None]:
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(f"{path} is not as {name} writes it ({error!r}): give its data with --data PATH.") from error


Read = Callable[[Path], Any]


def checked(read: Read, path: Path, name: str) -> Any:  # noqa: ANN401
    """Return what a loader makes of a path; whatever is missing in the data becomes a BadInput that names the path."""
    with _shape(path, name):
        return read(path)
