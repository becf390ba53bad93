"""What a person reads when a command does not reach its server."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from arena.client.reachability import ROOTS
from arena.errors import Exit

ARENA = (sys.executable, "-m", "arena.cli")


@pytest.mark.timeout(90)  # the command waits for the server, twice
def test_lines_of_grpcs_own_log_stay_away_unless_they_are_asked_for(tmp_path: Path) -> None:
    """About certificates that it cannot read, gRPC logs several."""
    roots = tmp_path / "roots.pem"
    roots.write_text("no certificates")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        told = listed(port, roots)
        logged = listed(port, roots, GRPC_VERBOSITY="ERROR")
    assert len(told) == 1
    assert told[0].startswith(f"error: {roots}, which {ROOTS} names, cannot be used: ")
    assert logged[-1] == told[0]
    assert any("Could not load any root certificate" in line for line in logged)


def listed(port: int, roots: Path, **environment: str) -> list[str]:
    """Returns the lines on stderr of a command that is to reach a server with TLS."""
    given = {name: text for name, text in os.environ.items() if name != "GRPC_VERBOSITY"}
    ran = subprocess.run(
        [*ARENA, "ladder", "list", "--server", f"https://127.0.0.1:{port}"],
        env=given | {"ARENA_USER_TOKEN": "sat_x", ROOTS: str(roots)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == Exit.UNREACHABLE
    return ran.stderr.splitlines()
