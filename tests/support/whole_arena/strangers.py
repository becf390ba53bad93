"""People who know of an arena only its address and their tokens."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.support.whole_arena.arena import PATIENCE_S, Part, WholeArena


def address(server: Part) -> str:
    found = re.search(r"Serving at (\S+)", server.said())
    assert found
    return found[1]


class Ran:
    """A command of a stranger's, ended."""

    def __init__(self, *arguments: object, server: str = "", token: str = "", **more: str) -> None:
        ran = subprocess.run(
            [sys.executable, "-m", "arena.cli", *map(str, arguments)],
            env=os.environ | {"ARENA_SERVER": server, "ARENA_USER_TOKEN": token} | more,
            capture_output=True,
            text=True,
            timeout=4 * PATIENCE_S,  # many of them may run at once
        )
        self.code, self.out, self.err = ran.returncode, ran.stdout, ran.stderr

    @property
    def json(self) -> Any:
        assert self.code in (0, 1), self.err
        return json.loads(self.out)


def token_of(arena: WholeArena, owner: str, role: str = "owner") -> str:
    """Created beside the running server."""
    ran = Ran("token", "create", "--role", role, "--owner", owner, "--data", arena.data)
    assert ran.code == 0, ran.err
    return ran.out.strip()


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
