import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hippograph.models import catalogue, chat_model, close, local, prepare, server
from hippograph.models.spec import parse
from hippograph.state import ModelUnavailable, Settings


@pytest.fixture
def served(local_settings: Settings) -> local.Server:
    child = local.serve(parse("local"), local_settings)
    child.url()
    return child


def pid(child: local.Server) -> int:
    assert child._process is not None
    return child._process.pid


def gone(number: int, seconds: float = 10) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            return True
        status = Path(f"/proc/{number}/stat")
        if status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z":
            return True  # Ended; whoever started it has not asked yet.
        time.sleep(0.05)
    return False


def test_many_threads_share_one_server(local_settings: Settings) -> None:
    with ThreadPoolExecutor(6) as pool:
        children = list(pool.map(lambda _: local.serve(parse("local"), local_settings), range(6)))
        urls = set(pool.map(lambda child: child.url(), children))
    assert len({id(child) for child in children}) == len(urls) == 1


def test_preparing_starts_the_server_that_is_used_later(local_settings: Settings) -> None:
    close()
    prepare("local", local_settings)
    begun = [pid(child) for child in local._servers.values()]
    made = chat_model("local", local_settings)
    assert made.counter.text("hi") == 1
    assert [pid(child) for child in local._servers.values()] == begun
    assert len(begun) == 1


@pytest.mark.parametrize("spec", ["local:nothing", "ollama:qwen3:4b", "", "local:/nowhere.gguf"])
def test_preparing_what_cannot_be_prepared_does_nothing(settings: Settings, spec: str) -> None:
    prepare(spec, settings)


def test_a_killed_server_is_started_again_at_its_address(local_settings: Settings, served: local.Server) -> None:
    made = chat_model("local", local_settings, answer_tokens=8)
    url, first = served.url(), pid(served)
    os.kill(first, signal.SIGKILL)
    assert gone(first)
    assert made.model.invoke("Say hi.").text
    assert served.url() == url
    assert pid(served) != first


def test_a_larger_window_restarts_the_server_a_smaller_one_does_not(local_settings: Settings) -> None:
    close()
    first = chat_model("local", local_settings, context_tokens=2048)
    assert first.window == 2048
    (child,) = local._servers.values()
    before = pid(child)
    assert chat_model("local", local_settings, context_tokens=1024).window == 1024
    assert pid(child) == before
    assert chat_model("local", local_settings, context_tokens=6000).window == 6000
    assert first.counter.text("still there") == 2
    assert chat_model("local", local_settings, context_tokens=40_000).window == 32_768  # What it was trained for.
    close()


def test_close_ends_the_server(served: local.Server) -> None:
    number = pid(served)
    close()
    assert gone(number)


def test_a_server_does_not_outlive_the_process_that_started_it(local_settings: Settings) -> None:
    program = (
        "import os, sys; from hippograph.models import local; from hippograph.models.spec import parse;"
        "from hippograph.state import Settings; child = local.serve(parse('local'), Settings.from_env());"
        "child.url(); print(child._process.pid, flush=True); os.kill(os.getpid(), 9)"
    )
    env = {**os.environ, "HIPPOGRAPH_MODEL_DIR": str(local_settings.model_dir)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, env=env, check=False)
    assert done.returncode == -signal.SIGKILL
    assert gone(int(done.stdout))


def test_the_server_module_imports_nothing_heavy() -> None:
    program = f"import runpy, sys; runpy.run_path({server.__file__!r}); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)
    heavy = {"langchain_core", "pydantic", "openai", "httpx", "numpy", "hippograph"}
    assert not heavy & set(done.stdout.split())


def test_importing_the_package_is_light() -> None:
    program = "import sys, hippograph.models; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    heavy = {"langchain_core", "langchain", "langchain_openai", "langchain_ollama", "openai", "httpx", "numpy"}
    assert not heavy & set(done.stdout.split())


def test_a_missing_runtime_names_the_extra(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.gguf"
    path.write_bytes(b"GGUF")
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(ModelUnavailable, match=r"pip install 'hippograph\[local\]'"):
        local.find(parse(f"local:{path}"), settings)


def test_a_runtime_that_does_not_load_is_told(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "site" / "xllamacpp.py"
    broken.parent.mkdir()
    broken.write_text("raise ImportError('libgomp.so.1: cannot open shared object file')")
    monkeypatch.setenv("PYTHONPATH", str(broken.parent))
    path = tmp_path / "a.gguf"
    path.write_bytes(b"GGUF")
    with pytest.raises(ModelUnavailable, match="libgomp"):
        local.serve(parse(f"local:{path}"), settings).url()
    close()


def test_the_catalogue_is_consistent() -> None:
    for entry in catalogue.ENTRIES:
        assert len(entry.sha256) == 64
        assert len(set(entry.parts)) == len(entry.parts)
        assert catalogue.entry(entry.name) == catalogue.entry(f"local:{entry.name}") == entry
    assert catalogue.entry("").name == catalogue.entry("local").name == catalogue.DEFAULT
