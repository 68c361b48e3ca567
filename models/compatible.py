"""What a server that speaks OpenAI's API says about itself: does it answer, and how long a prompt may be."""

import json
import urllib.error
import urllib.request
from typing import Any

from hippograph.models import faults, windows
from hippograph.models.spec import Spec
from hippograph.models.windows import UNKNOWN, Window

CONNECT_SECONDS = 2.0
"""Longest wait for a server to take a call; with one retry still below five seconds."""


def window(base: str, key: str, spec: Spec, timeout: float = CONNECT_SECONDS) -> Window:
    """Check that a server answers; return a model's window where the server tells (vLLM, llama.cpp and others).

    Args:
        base: Its URL, with the version: "http://127.0.0.1:8080/v1".
        key: Empty where there is none.
        spec: The model.
        timeout: Seconds.

    Raises:
        ModelUnavailable: Nothing answers at the address.
        MissingKey: It refuses the key.
    """
    entry: dict[str, Any] = {}  # Not every server that answers lists its models.
    try:
        listed = _get(f"{base}/models", base, key, timeout)["data"]
        entry = next((each for each in listed if each.get("id") == spec.name), {})
    except urllib.error.HTTPError as error:
        with error:
            if error.code in (401, 403):
                raise faults.refused_key(str(spec), base, error.code) from error
    except OSError as error:
        raise faults.unreachable(str(spec), base) from error
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    told = windows.listed(entry)
    return told if told.tokens else _of_a_slot(base, key, timeout)


def _of_a_slot(base: str, key: str, timeout: float) -> Window:
    """Ask llama.cpp, which serves its model under any name, by its own API."""
    try:
        return windows.served(_get(f"{base.removesuffix('/v1')}/props", base, key, timeout))
    except urllib.error.HTTPError as error:
        error.close()
    except (OSError, ValueError, AttributeError):
        pass
    return UNKNOWN


def _get(url: str, base: str, key: str, timeout: float) -> Any:  # noqa: ANN401 - JSON
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {key}"} if key else {})
    handlers = [urllib.request.ProxyHandler({})] if faults.is_loopback(base) else []
    with urllib.request.build_opener(*handlers).open(request, timeout=timeout) as reply:
        return json.load(reply)
