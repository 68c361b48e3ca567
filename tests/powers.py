"""What a process is started without: root's powers over permissions, or room on the disk."""

import ctypes
import os
import resource
from collections.abc import Callable

CAPABILITIES = (1, 2)
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH: with them root may write where permissions say no."""
DROP_FROM_BOUNDING_SET = 24


def without_root_powers() -> None:
    if os.getuid() == 0:
        for capability in CAPABILITIES:
            ctypes.CDLL(None).prctl(DROP_FROM_BOUNDING_SET, capability, 0, 0, 0)


def with_a_full_disk(at: int) -> Callable[[], None]:
    """No file may grow beyond `at` bytes: writes fail as on a full disk."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (at, at))
