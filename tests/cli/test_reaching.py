"""What a person reads when a command does not reach its server."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

from arena.client.reachability import ROOTS
from arena.errors import Exit

ARENA = (sys.executable, "-m", "arena.cli")


def test_certificates_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    roots = tmp_path / "roots.pem"
    roots.write_text("no certificates")
    with socket.create_server(("127.0.0.1", 0)) as server:
        told = listed(server.getsockname()[1], roots)
    assert len(told) == 1
    assert told[0].startswith(f"error: {roots}, which {ROOTS} names, cannot be used: ")


def listed(port: int, roots: Path) -> list[str]:
    """Returns the lines on stderr of a command that is to reach a server with TLS."""
    ran = subprocess.run(
        [*ARENA, "ladder", "list", "--server", f"https://127.0.0.1:{port}"],
        env=os.environ | {"ARENA_USER_TOKEN": "sat_x", ROOTS: str(roots)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == Exit.UNREACHABLE
    return ran.stderr.splitlines()
