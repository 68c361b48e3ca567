"""Who may use the page."""

import stat
from pathlib import Path
from typing import Any

import pytest

from hippograph.state import BadInput, HomeUnusable, Settings
from hippograph.web.access import FILE, Grant, NotAdmitted, TokensUnreadable, add, admit, is_loopback, revoke, tokens


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.from_env().override(home=tmp_path / "home")


def admitted(settings: Settings, **given: Any) -> Grant:
    return admit(settings, **{"client": "127.0.0.1", "host": "127.0.0.1:4747", **given})


@pytest.mark.parametrize("host", ["127.0.0.1:4747", "localhost:4747", "localhost", "[::1]:4747", "127.1.2.3"])
def test_whoever_sits_at_this_machine_needs_no_token(settings: Settings, host: str) -> None:
    assert admitted(settings, host=host) == Grant(name="local", spaces=None)


@pytest.mark.parametrize(
    "given",
    [
        {"client": "192.168.1.7"},
        {"client": None},
        {"host": "evil.example:4747"},  # a name of another site that was made to point here
        {"host": "127.0.0.1.evil.example"},
        {"host": ""},
        {"headers": {"x-forwarded-for": "203.0.113.9"}},
        {"headers": {"forwarded": "for=203.0.113.9"}},
        {"headers": {"x-forwarded-proto": "https"}},
        {"headers": {"via": "1.1 proxy"}},
        {"version": "1.0"},  # a proxy that tells nothing: nginx's, as it is
        {"bound": "0.0.0.0"},
        {"bound": "::"},
        {"bound": "192.168.1.2"},
    ],
)
def test_whoever_may_be_elsewhere_needs_one(settings: Settings, given: dict[str, Any]) -> None:
    with pytest.raises(NotAdmitted, match="hippograph tokens add"):
        admitted(settings, **given)
    token = add(settings.home, "laptop", ["ann"])
    grant = admitted(settings, **given, authorization=f"Bearer {token}")
    assert grant == Grant(name="laptop", spaces=frozenset({"ann"}), bearer=True)
    assert admitted(settings, **given, cookie=token) == Grant(name="laptop", spaces=frozenset({"ann"}))


def test_a_token_opens_what_it_was_made_for_until_it_is_revoked(settings: Settings) -> None:
    one, all_of_them = add(settings.home, "one", ["ann", "小明"]), add(settings.home, "all", None)
    grant = admitted(settings, bound="0.0.0.0", authorization=f"bearer {one}")
    assert (grant.allows("小明"), grant.allows("bob")) == (True, False)
    assert admitted(settings, bound="0.0.0.0", cookie=all_of_them).allows("bob")
    revoke(settings.home, "one")
    assert [each.name for each in tokens(settings.home)] == ["all"]
    with pytest.raises(NotAdmitted):
        admitted(settings, bound="0.0.0.0", cookie=one)


def test_a_token_that_is_not_known_opens_nothing_even_here_and_what_is_no_token_is_none(settings: Settings) -> None:
    with pytest.raises(NotAdmitted, match="not known"):
        admitted(settings, authorization="Bearer hippo_made-up")
    assert admitted(settings, authorization="Bearer sk-whatever").name == "local"


def test_the_home_keeps_a_digest_for_its_owner_alone(settings: Settings) -> None:
    token = add(settings.home, "laptop", ["ann"])
    kept = settings.home / FILE
    assert token not in kept.read_text()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    with pytest.raises(BadInput, match="already"):
        add(settings.home, "laptop", ["bob"])
    with pytest.raises(BadInput, match="no token phone"):
        revoke(settings.home, "phone")


def test_a_damaged_file_admits_nobody_and_is_named_to_its_owner_alone(settings: Settings) -> None:
    add(settings.home, "laptop", ["ann"])
    (settings.home / FILE).write_text('[{"name": "laptop"')
    with pytest.raises(TokensUnreadable, match="hippograph tokens list") as told:
        admitted(settings, authorization="Bearer hippo_x")
    assert str(settings.home) not in str(told.value)
    with pytest.raises(HomeUnusable, match=FILE):
        tokens(settings.home)


@pytest.mark.parametrize(
    "kept",
    [
        '{"tokens": [{"name": 1}]}',
        "3",
        '[{"name": "a"}]',
        '[{"name": "a", "digest": 1, "spaces": null, "made_at": ""}]',
        '[{"name": "a", "digest": "", "spaces": 5, "made_at": ""}]',
    ],
)
def test_a_file_of_another_shape_is_told_in_plain_words(settings: Settings, kept: str) -> None:
    add(settings.home, "laptop", ["ann"])
    (settings.home / FILE).write_text(kept)
    with pytest.raises(HomeUnusable, match="is no list of tokens: delete it"):
        tokens(settings.home)


def test_a_token_that_opens_nobody_s_memories_is_not_made(settings: Settings) -> None:
    with pytest.raises(BadInput, match="whose memories"):
        add(settings.home, "laptop", [])


def test_a_home_that_a_token_makes_is_its_owner_s_alone(settings: Settings) -> None:
    add(settings.home, "laptop", ["ann"])
    assert stat.S_IMODE(settings.home.stat().st_mode) == 0o700
    assert {stat.S_IMODE(each.stat().st_mode) for each in settings.home.iterdir()} == {0o600}


@pytest.mark.parametrize(
    ("name", "here"), [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("", False)]
)
def test_which_addresses_are_this_machine(name: str, here: bool) -> None:
    assert is_loopback(name) is here
