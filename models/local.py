"""The embedded chat models of this process: one server child for each model file, started when first needed."""

import atexit
import importlib.util
import json
import os
import re
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from hippograph.models import catalogue, server, windows
from hippograph.models.spec import Spec, parse
from hippograph.state import HippographError, ModelError, ModelNotPulled, ModelUnavailable, Settings

if TYPE_CHECKING:
    from openai import DefaultHttpxClient

DEFAULT_CONTEXT = 4096
LEAST_CONTEXT = 8192
"""Window a server is started with at least, so that all roles share it: for another one it loads its model again."""
LOAD_SECONDS = 180.0
"""Longest wait for a model to load: a large file on a slow disk."""
END_SECONDS = 3.0
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Server:
    """The child that serves one model file. Thread-safe."""

    def __init__(self, path: Path, name: str) -> None:
        self.path, self.name = path, name
        self.context = 0
        """Context window it is started with, in tokens."""
        self.port = 0
        """The port it listens on; kept over a restart, so that clients need not know."""
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._ready, self._ended = threading.Event(), threading.Event()
        self._errors: deque[str] = deque(maxlen=40)
        self._readers: list[threading.Thread] = []
        self._client: DefaultHttpxClient | None = None

    def start(self, context: int = DEFAULT_CONTEXT) -> None:
        """Begin loading the model, unless it is loaded with at least that window; return at once."""
        with self._lock:
            if self._alive() and context <= self.context:
                return
            self._end()
            self.context = max(context, self.context, LEAST_CONTEXT)
            self._spawn()

    def url(self) -> str:
        """Wait until the model is loaded; return the server's base URL.

        Raises:
            ModelUnavailable: it cannot be loaded, or not within LOAD_SECONDS.
        """
        self.start(self.context or DEFAULT_CONTEXT)
        if not self._ready.wait(LOAD_SECONDS):
            raise ModelUnavailable(f"The embedded model {self.name} did not load within {LOAD_SECONDS:.0f} s.")
        if not self._alive():
            raise self._failure()
        return f"http://127.0.0.1:{self.port}"

    def call(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Call the server's own API: POST with a body, else GET; return its JSON."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url() + path, data, {"Content-Type": "application/json"})
        try:
            with _DIRECT.open(request, timeout=30) as reply:
                answer: dict[str, Any] = json.load(reply)
                return answer
        except (urllib.error.URLError, OSError, ValueError) as error:
            raise ModelUnavailable(f"The embedded model {self.name} does not answer ({error}); try again.") from error

    def client(self) -> "DefaultHttpxClient":
        """An HTTP client for this server that starts it again when it has ended; closed with the server."""
        from openai import DefaultHttpxClient

        with self._lock:
            if self._client is None:
                hooks = {"request": [lambda request: self.url()]}
                self._client = DefaultHttpxClient(trust_env=False, event_hooks=hooks)
            return self._client

    def window(self) -> int:
        """The context window it really has, in tokens."""
        meta: dict[str, Any] = self.call("/v1/models")["data"][0]["meta"]
        return min(int(meta["n_ctx"]), int(meta["n_ctx_train"]))

    def close(self) -> None:
        """End the child, if it runs."""
        with self._lock:
            self._end()
            if self._client is not None:
                self._client.close()

    def _alive(self) -> bool:
        return self._process is not None and not self._ended.is_set() and self._process.poll() is None

    def _spawn(self) -> None:
        environment = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
        environment["OMP_WAIT_POLICY"] = "passive"
        arguments = ["--ctx", str(self.context), "--port", str(self.port), "--alias", self.name]
        self._errors.clear()
        self._ready, self._ended = threading.Event(), threading.Event()
        self._process = process = subprocess.Popen(
            [sys.executable, "-P", server.__file__, str(self.path), *arguments],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,  # Ctrl-C stops an answer, not the model.
        )
        assert process.stdout is not None and process.stderr is not None  # noqa: PT018 - for the type checker
        self._readers = [
            threading.Thread(target=self._await_address, args=(process.stdout, self._ready, self._ended), daemon=True),
            threading.Thread(target=self._errors.extend, args=(process.stderr,), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def _await_address(self, stdout: IO[str], ready: threading.Event, ended: threading.Event) -> None:
        for line in stdout:
            found = re.fullmatch(r"http://[^:]+:(\d+)", line.strip())
            if found:
                self.port = int(found[1])
                ready.set()
        ended.set()
        ready.set()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        try:
            process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for reader in self._readers:
            reader.join(END_SECONDS)
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()

    def _failure(self) -> ModelError:
        """Say why the child ended."""
        status = None
        if self._process is not None:
            with suppress(subprocess.TimeoutExpired):
                status = self._process.wait(END_SECONDS)
        for reader in self._readers:
            reader.join(END_SECONDS)
        lines = [re.sub(r"^[\d.]+ E \S*\s*", "", line.strip()) for line in self._errors if line.strip()]
        telling = [line for line in lines if "error loading model" in line or "invalid magic" in line]
        reason = (telling or lines[-1:] or [f"exit status {status}"])[0]
        if status == server.NO_RUNTIME:
            return ModelUnavailable(f"{_no_runtime()} ({reason})")
        if status == server.NO_MODEL and not self.port:
            again = f"fetch it again: hippograph models pull {self.name}" if _in_catalogue(self.name) else "replace it"
            return ModelUnavailable(f"The model file {self.path} cannot be loaded ({reason}); {again}")
        return ModelUnavailable(f"The embedded model {self.name} ended unexpectedly ({reason}); try again.")


_servers: dict[Path, Server] = {}
_servers_lock = threading.Lock()


def find(spec: Spec, settings: Settings) -> tuple[str, Path]:
    """Return an embedded model's name and its file, which is there and looks whole.

    Raises:
        ModelNotPulled: the catalogue's model is not on this machine, or only in part.
        BadInput: no such catalogue entry.
        ModelUnavailable: a path that leads nowhere or to something else, or no runtime.
    """
    if spec.name.endswith(".gguf") or "/" in spec.name or "\\" in spec.name:
        name, path = Path(spec.name).stem, Path(spec.name).expanduser().absolute()
        if not path.is_file():
            raise ModelUnavailable(f"There is no model file {path}; local: takes the path of a GGUF file.")
    else:
        entry = catalogue.entry(spec.name)
        name, path = entry.name, entry.path(settings.model_dir)
        if not entry.pulled(settings.model_dir):
            state = "incomplete" if path.exists() else "not on this machine yet"
            raise ModelNotPulled(
                f"The embedded model {name} is {state} ({entry.size / 1e6:.0f} MB, looked for in "
                f"{settings.model_dir}); fetch it: hippograph models pull {name}"
            )
    if importlib.util.find_spec("xllamacpp") is None:
        raise ModelUnavailable(_no_runtime())
    _check_magic(path, name)
    return name, path


def serve(spec: Spec, settings: Settings, context: int = DEFAULT_CONTEXT) -> Server:
    """Return the server of a model, started in the background if it does not run yet."""
    name, path = find(spec, settings)
    named = windows.named(spec, settings)
    with _servers_lock:
        child = _servers.setdefault(path, Server(path, name))
    child.start(max(context, (named and named.tokens) or 0))
    return child


def prepare(spec: str, settings: Settings) -> None:
    """Begin loading an embedded model in the background; does nothing for other models, and never fails.

    What is wrong with the model is said when it is asked for, by `chat_model`.
    """
    with suppress(HippographError):
        parsed = parse(spec)
        if parsed.provider == "local":
            serve(parsed, settings)


def close() -> None:
    """End every server this process started."""
    with _servers_lock:
        children = list(_servers.values())
        _servers.clear()
    for child in children:
        child.close()


def _check_magic(path: Path, name: str) -> None:
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise ModelUnavailable(f"The model file {path} cannot be read: {error.strerror}") from error
    if magic != b"GGUF":
        again = f"; fetch it again: hippograph models pull {name}" if _in_catalogue(name) else ""
        raise ModelUnavailable(f"{path} is not a GGUF model file{again}")


def _in_catalogue(name: str) -> bool:
    return name in catalogue.names()


def _no_runtime() -> str:
    return "Embedded models need the GGUF runtime: pip install 'hippograph[local]'"


atexit.register(close)
