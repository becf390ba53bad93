"""People who know only the address of an arena and their tokens."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.support.command_line import ran
from tests.support.whole_arena.arena import Part, WholeArena


def address(server: Part) -> str:
    """Returns the address of an arena's pages, which is the one that people know."""
    server.until_says("Pages at ")
    found = re.search(r"Pages at (\S+)/", server.said())
    assert found
    return found[1].removeprefix("http://")


def grpc_address(server: Part) -> str:
    found = re.search(r"Serving at (\S+)", server.said())
    assert found
    return found[1]


def token_of(arena: WholeArena, owner: str, role: str = "owner") -> str:
    """Creates a token while the server is running."""
    made = ran("token", "create", "--role", role, "--owner", owner, "--data", arena.data)
    assert made.code == 0, made.err
    return made.out.strip()


def certificate(folder: Path, *names: str) -> tuple[Path, Path]:
    """Creates a key and a self-signed certificate for servers of these names."""
    key, chain = folder / "key.pem", folder / "chain.pem"
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=me"
    alternative = f"subjectAltName={','.join(names)}"
    subprocess.run(
        ["openssl", *words.split(), "-addext", alternative, "-keyout", key, "-out", chain],
        check=True,
        capture_output=True,
    )
    return key, chain
