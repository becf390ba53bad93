"""People who know of an arena only its address and their tokens."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.support.command_line import ran
from tests.support.whole_arena.arena import Part, WholeArena


def address(server: Part) -> str:
    found = re.search(r"Serving at (\S+)", server.said())
    assert found
    return found[1]


def token_of(arena: WholeArena, owner: str, role: str = "owner") -> str:
    """Created beside the running server."""
    made = ran("token", "create", "--role", role, "--owner", owner, "--data", arena.data)
    assert made.code == 0, made.err
    return made.out.strip()


def certificate(folder: Path, *names: str) -> tuple[Path, Path]:
    """A key, and a certificate of its own, for servers of these names."""
    key, chain = folder / "key.pem", folder / "chain.pem"
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=me"
    alternative = f"subjectAltName={','.join(names)}"
    subprocess.run(
        ["openssl", *words.split(), "-addext", alternative, "-keyout", key, "-out", chain],
        check=True,
        capture_output=True,
    )
    return key, chain
