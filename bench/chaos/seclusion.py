"""A network and mounts of the program's own, in which it can cut cables and fill disks."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from tests.support.needs import disks_in_memory_work, network_namespaces_work

INSIDE = "SEVENS_BENCH_IS_SECLUDED"


def seclude(command: str, given: Sequence[str]) -> bool:
    """Starts this program again, in a network and with mounts of its own, if that is possible here.
    Returns whether it runs there."""
    if os.environ.get(INSIDE):
        return True
    if network_namespaces_work() and disks_in_memory_work():
        os.environ[INSIDE] = "1"
        words = [sys.executable, "-m", "bench", command, *given]
        os.execvp("unshare", ["unshare", "--net", "--mount", *words])
    return False
