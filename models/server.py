"""A child process that serves one GGUF file: `python -m hippograph.models.server MODEL.gguf --ctx N`.

It speaks llama-server's OpenAI-compatible HTTP API on 127.0.0.1, prints its address once the model is loaded, and ends
when its standard input closes, so that it cannot outlive the process that started it. Imports only what it needs: its
start is a user's wait.
"""

import argparse
import os
import signal
import sys
import threading

NO_RUNTIME = 3
"""Exit status: xllamacpp is not installed or does not load."""
NO_MODEL = 4
"""Exit status: the file cannot be served."""

MOST_THREADS = 4
"""Generation is bound by memory, not by cores, beyond this."""


def main() -> int:
    """Serve until standard input ends; return an exit status when serving is impossible."""
    parser = argparse.ArgumentParser(prog="hippograph.models.server")
    parser.add_argument("model")
    parser.add_argument("--ctx", type=int, default=4096, help="context window, in tokens")
    parser.add_argument("--port", type=int, default=0, help="0: any free one")
    parser.add_argument("--threads", type=int, default=default_threads())
    parser.add_argument("--alias", default="local", help="the model's name in the API")
    args = parser.parse_args()

    # A waiting OpenMP thread spins by default; with anything else on the cores, generation slows tenfold.
    os.environ["OMP_WAIT_POLICY"] = "passive"
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_stdin, daemon=True).start()
    try:
        import xllamacpp
    except ImportError as error:
        print(f"the GGUF runtime cannot be loaded: {error}", file=sys.stderr, flush=True)
        return NO_RUNTIME

    params = xllamacpp.CommonParams()
    params.model.path = args.model
    params.model_alias = {args.alias}
    params.port = args.port
    params.n_ctx = args.ctx
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = args.threads
    params.cache_ram_mib = 0  # The default keeps up to 8 GiB of old prompts.
    params.verbosity = 1
    try:
        server = xllamacpp.Server(params)
    except (RuntimeError, ValueError, OSError) as error:
        print(f"the model cannot be served: {error}", file=sys.stderr, flush=True)
        return NO_MODEL
    print(server.listening_address, flush=True)
    threading.Event().wait()
    return 0


def default_threads() -> int:
    """The cores this process may use, at most MOST_THREADS."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, MOST_THREADS)


def _end_with_stdin() -> None:
    sys.stdin.buffer.read()
    os._exit(0)  # No native teardown: the process is going away, and unloading can hang.


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
