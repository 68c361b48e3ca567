"""`hippograph serve`, as a process, and `hippograph tokens`."""

import json
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from click.testing import Result
from doubles import Ollama, OpenAI
from starlette.applications import Starlette
from typer.testing import CliRunner

from hippograph.cli.app import app
from hippograph.cli.serve import serve_home
from hippograph.state import BadInput, Settings
from hippograph.web.found import at_hand

HIPPOGRAPH = [sys.executable, "-m", "hippograph.cli"]
SECONDS = 120


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def test_the_page_is_served_until_a_signal_and_leaves_the_home_in_order(tmp_path: Path, openai_server: OpenAI) -> None:
    openai_server.answers = ["Ada lives in Lisbon."]
    home = tmp_path / "home"
    command = [*HIPPOGRAPH, "serve", "--home", str(home), "--port", "0", "--no-browser", "--small", "openai:tiny"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            said = process.stdout.readline()
            address = re.search(r"http://127\.0\.0\.1:\d+", said)
            assert address, said + (process.stderr.read() if process.stderr else "")
            page = httpx.get(f"{address[0]}/", trust_env=False)
            mark = re.search(r'name="csrf" value="([0-9a-f]+)"', page.text)
            assert mark
            form = {"csrf": mark[1], "text": "Where does Ada live?"}
            streamed = httpx.post(
                f"{address[0]}/say",
                data=form,
                headers={"accept": "application/x-ndjson"},
                trust_env=False,
                timeout=SECONDS,
            )
            assert "Ada lives in Lisbon." in streamed.text
            assert httpx.get(f"{address[0]}/", headers={"host": "evil.example"}, trust_env=False).status_code == 401
        finally:
            process.send_signal(signal.SIGTERM)
        _, told = process.communicate(timeout=SECONDS)
    assert process.returncode == 0
    assert told.splitlines()[-1] == "Stopped."
    assert not list(home.glob("*.db-wal")), "the home was not closed"


def test_a_model_that_was_found_does_not_pass_for_a_named_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ollama: Ollama
) -> None:
    apps: list[Starlette] = []

    async def serving(app: Starlette, *_: object) -> None:
        apps.append(app)

    monkeypatch.setattr("hippograph.cli.serve.serving", serving)
    found = Settings.from_env().override(home=tmp_path / "home", ollama_url=ollama.url, small=None)
    serve_home(found, "127.0.0.1", 0, browser=False)
    reasons = {each.role.role: each.because for each in at_hand(apps[0].state.home.settings).roles}
    assert reasons["small"] == "served"


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_others_are_not_served_before_there_is_a_token(tmp_path: Path, host: str) -> None:
    refused = run("serve", "--home", str(tmp_path), "--host", host, "--port", "0", "--no-browser")
    assert isinstance(refused.exception, BadInput)
    assert "hippograph tokens add" in str(refused.exception)


def test_behind_a_proxy_this_machine_is_not_served_without_a_token_either(tmp_path: Path) -> None:
    refused = run("serve", "--home", str(tmp_path), "--tokens", "--port", "0", "--no-browser")
    assert isinstance(refused.exception, BadInput)
    assert "hippograph tokens add" in str(refused.exception)


def test_a_host_that_does_not_exist_is_said(tmp_path: Path) -> None:
    refused = run("serve", "--home", str(tmp_path), "--host", "nowhere.invalid", "--no-browser")
    assert "nowhere.invalid" in str(refused.exception)
    assert "cannot be listened at" in str(refused.exception)


def test_a_port_that_is_taken_is_said_at_once(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        refused = run("serve", "--home", str(tmp_path), "--port", str(taken.getsockname()[1]), "--no-browser")
    assert "--port 0" in str(refused.exception)
    assert not [*tmp_path.iterdir()], "nothing was opened"


def test_a_token_is_made_shown_and_revoked(tmp_path: Path) -> None:
    home = ("--home", str(tmp_path))
    made = run("tokens", "add", "laptop", "--user", "ann", *home).stdout
    token = re.search(r"hippo_[\w-]{43}", made)
    assert token
    listed = run("tokens", "list", *home).stdout
    assert "laptop  ann" in listed
    assert token[0] not in listed
    assert run("tokens", "revoke", "laptop", *home).exit_code == 0
    assert json.loads(run("tokens", "list", "--json", *home).stdout) == []
    assert isinstance(run("tokens", "add", "phone", *home).exception, BadInput)


def test_a_name_of_several_lines_does_not_break_the_list(tmp_path: Path) -> None:
    home = ("--home", str(tmp_path))
    assert isinstance(run("tokens", "add", "lap\ntop", "--user", "ann", *home).exception, BadInput)
    run("tokens", "add", "laptop", "--user", "an\nn", *home)
    assert len(run("tokens", "list", *home).stdout.splitlines()) == 1
