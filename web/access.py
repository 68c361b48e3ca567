"""Who may use the page and the servers beside it: anybody on this machine, others with a token of the home.

A token is printed once, when it is made; the home's `tokens.json` keeps its digest. As it has 256 random bits, a plain
SHA-256 cannot be turned back.
"""

import hashlib
import hmac
import json
import logging
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from ipaddress import ip_address
from pathlib import Path

from filelock import FileLock

from hippograph.state import BadInput, HippographError, HomeUnusable, Settings

log = logging.getLogger(__name__)

FILE = "tokens.json"
PREFIX = "hippo_"
"""How every token begins: what a client sends without it (OpenAI's clients send something always) is no token."""
PROXIES = ("forwarded", "via", "x-real-ip", "true-client-ip", "cf-connecting-ip", "x-client-ip", "x-cluster-client-ip")
PROXIES_BEGIN = ("x-forwarded-", "x-original-")
"""Headers by which a proxy on this machine tells that whoever asks is elsewhere, or what they begin with."""
ANYWHERE = "0.0.0.0"
"""Where a server is said to listen that is reached through a proxy which tells nothing."""


class NotAdmitted(HippographError):
    """Whoever asks may not."""


class TokensUnreadable(HippographError):
    """Nobody's token can be looked up; says nothing of the machine to whoever is not admitted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """What somebody may use."""

    name: str
    """The token's name; "local" for whoever sits at this machine."""
    spaces: frozenset[str] | None
    """Users whose memories may be read and written; None: all."""
    bearer: bool = False
    """Whether a program showed a token, which no browser does by itself."""

    def allows(self, space: str) -> bool:
        """Tell whether a user's memories may be used."""
        return self.spaces is None or space in self.spaces


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One token, as the home keeps it."""

    name: str
    digest: str
    """SHA-256 of the token, in hex."""
    spaces: Sequence[str] | None
    made_at: str


def admit(
    settings: Settings,
    *,
    client: str | None,
    host: str,
    authorization: str | None = None,
    cookie: str | None = None,
    headers: Mapping[str, str] | None = None,
    bound: str = "127.0.0.1",
    version: str = "1.1",
) -> Grant:
    """Return what a request may use.

    Args:
        settings: Whose home says which tokens there are.
        client: Address the request comes from.
        host: Its Host header. A page of another site that had its name point to this machine says its own name there.
        authorization: Its Authorization header.
        cookie: The token that the login page had the browser keep.
        headers: All its headers, with names in lower case.
        bound: Address the server listens at: one that others reach demands a token of everybody.
        version: HTTP's version. Browsers and our programs speak 1.1; nginx, unless told otherwise, says 1.0 to what is
            behind it, and nothing of who asks.

    Raises:
        NotAdmitted: Without a token that is known, only this machine may use a server that listens to it alone.
        TokensUnreadable: A token is shown, and the file of the tokens is damaged.
    """
    shown, bearer = _shown(authorization), True
    if shown is None and cookie:
        shown, bearer = cookie, False
    if shown is not None and (token := _known(settings.home, shown)):
        spaces = None if token.spaces is None else frozenset(token.spaces)
        return Grant(name=token.name, spaces=spaces, bearer=bearer)
    if shown is not None and bearer:
        raise NotAdmitted("This token is not known here: `hippograph tokens list` shows which there are.")
    told = any(name in PROXIES or name.startswith(PROXIES_BEGIN) for name in headers or {})
    forwarded = told or version == "1.0"
    if is_loopback(bound) and is_loopback(client or "") and is_loopback(_name(host)) and not forwarded:
        return Grant(name="local", spaces=None)
    wrong = "What was sent is no token of this server" if authorization else "A token is needed"
    raise NotAdmitted(f"{wrong}: make one with `hippograph tokens add NAME --user USER` on the server.")


def is_loopback(name: str) -> bool:
    """Tell whether an address or a name means this machine itself."""
    if name in ("localhost", "ip6-localhost"):
        return True
    try:
        return ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False


def tokens(home: Path) -> list[Token]:
    """Return the home's tokens, in the order they were made.

    Raises:
        HomeUnusable: The file is damaged.
    """
    path = home / FILE
    try:
        return [_token(each) for each in json.loads(path.read_text(encoding="utf-8"))]
    except FileNotFoundError:
        return []
    except TypeError:
        raise HomeUnusable(f"{path} is no list of tokens: delete it, and make the tokens again.") from None
    except (OSError, ValueError) as error:
        raise HomeUnusable(f"{path} cannot be read ({error}): mend or delete it, and make the tokens again.") from error


def add(home: Path, name: str, spaces: Sequence[str] | None) -> str:
    """Make a token and return it; it is kept nowhere.

    Args:
        home: The folder of the memories.
        name: What to call it when it is listed or revoked.
        spaces: Users whose memories it opens; None: everybody's.

    Raises:
        BadInput: There is a token of this name, or nobody's memories are named.
    """
    if spaces is not None and not spaces:
        raise BadInput("Say whose memories the token opens: name a user, or None for everybody's.")
    token = PREFIX + secrets.token_urlsafe(32)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    with _changing(home) as known:
        if any(each.name == name for each in known):
            raise BadInput(f"There is a token {name} already: revoke it first, or choose another name.")
        known.append(Token(name=name, digest=_digest(token), spaces=spaces and [*spaces], made_at=now))
    return token


def revoke(home: Path, name: str) -> None:
    """Make a token worthless.

    Raises:
        BadInput: There is none of this name.
    """
    with _changing(home) as known:
        if all(each.name != name for each in known):
            raise BadInput(f"There is no token {name}: `hippograph tokens list` shows which there are.")
        known[:] = [each for each in known if each.name != name]


@contextmanager
def _changing(home: Path) -> Iterator[list[Token]]:
    """Give the tokens to change; they are written whole, for the owner's eyes only."""
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        with FileLock(home / f"{FILE}.lock", mode=0o600):
            known = tokens(home)
            yield known
            _write(home / FILE, known)
    except OSError as error:
        raise HomeUnusable(f"{home} cannot be written ({error}): check its permissions and free space.") from error


def _write(path: Path, known: Sequence[Token]) -> None:
    unfinished = path.with_suffix(".tmp")
    unfinished.unlink(missing_ok=True)
    with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump([asdict(each) for each in known], file, ensure_ascii=False, indent=1)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)


def _token(kept: object) -> Token:
    """Return a token as the file has it.

    Raises:
        TypeError: It is none.
    """
    if not isinstance(kept, dict):
        raise TypeError
    token = Token(**kept)
    texts = [token.name, token.digest, token.made_at, *(() if token.spaces is None else token.spaces)]
    if isinstance(token.spaces, str) or not all(isinstance(each, str) for each in texts):
        raise TypeError
    return token


def _shown(authorization: str | None) -> str | None:
    scheme, _, token = (authorization or "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip().startswith(PREFIX) else None


def _known(home: Path, shown: str) -> Token | None:
    digest = _digest(shown)
    try:
        return next((each for each in tokens(home) if hmac.compare_digest(each.digest, digest)), None)
    except HomeUnusable as error:
        log.warning("%s", error)
        raise TokensUnreadable(
            "This server cannot read its tokens: whoever runs it sees why with `hippograph tokens list`."
        ) from None


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _name(host: str) -> str:
    """Return a Host header without its port."""
    if host.startswith("["):
        return host.partition("]")[0]
    return host.partition(":")[0]
