"""`hippograph tokens`: who may use the page from elsewhere."""

from typing import Annotated

import typer

from hippograph.cli.options import HomeOption, JsonOption, configured, named
from hippograph.cli.screen import note, say, say_json
from hippograph.state import BadInput

app = typer.Typer(
    help="Tokens, with which the page and its servers are used from other machines.\n\n\b\n"
    "hippograph tokens add laptop --user ann\nhippograph tokens list",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command()
def add(
    name: Annotated[str, typer.Argument(help="What to call it: laptop, phone.")],
    user: Annotated[
        list[str] | None, typer.Option("--user", metavar="NAME", help="Whose memories it opens; repeatable.")
    ] = None,
    everybody: Annotated[bool, typer.Option("--all-users", help="It opens everybody's memories.")] = False,
    home: HomeOption = None,
) -> None:
    """Make a token; it is printed once and kept nowhere.

    \b
    hippograph tokens add laptop --user ann
    hippograph tokens add family-tablet --user ann --user bob
    """
    from hippograph.web.access import add as make

    if bool(user) == everybody:
        raise BadInput("Say whose memories the token opens: --user NAME, which may be repeated, or --all-users.")
    if len(name.splitlines()) > 1:
        raise BadInput(f"The name {name!r} is more than one line: give it a short one, such as laptop.")
    spaces = None if everybody else [named(each, "--user") for each in user or []]
    say(make(configured(home).home, named(name, "NAME"), spaces))
    note("This is shown once: keep it like a password.")


@app.command("list")
def list_tokens(home: HomeOption = None, as_json: JsonOption = False) -> None:
    """Show which tokens there are, and whose memories each opens.

    \b
    hippograph tokens list
    """
    from hippograph.web.access import tokens

    found = tokens(configured(home).home)
    if as_json:
        say_json([{"name": each.name, "users": each.spaces, "made_at": each.made_at} for each in found])
        return
    for each in found:
        users = "everybody" if each.spaces is None else ", ".join(map(_in_line, each.spaces))
        say(f"  {_in_line(each.name)}  {users}  since {each.made_at}")
    if not found:
        note("There is none.")


@app.command()
def revoke(name: Annotated[str, typer.Argument(help="Which, by its name.")], home: HomeOption = None) -> None:
    """Make a token worthless, at once.

    \b
    hippograph tokens revoke laptop
    """
    from hippograph.web.access import revoke as take_back

    take_back(configured(home).home, name)
    say(f"The token {name} opens nothing any more.")


def _in_line(name: str) -> str:
    """Return a name as it can stand in a line."""
    return name if len(name.splitlines()) == 1 else repr(name)
