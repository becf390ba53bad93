"""A command as tests run it: in this process, or in a separate one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from arena.cli.app import run
from tests.support.patience import PATIENCE_S


@dataclass(frozen=True)
class Ran:
    """The output and the exit code of a command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The only document on stdout."""
        assert self.out, self.err
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, str]:
        """The error on stderr, as `--json` prints it: the last line."""
        error: dict[str, str] = json.loads(self.err.splitlines()[-1])["error"]
        return error


Arena = Callable[..., Ran]


def ran(*arguments: object, server: str = "", token: str = "", folder: Path | None = None) -> Ran:
    """Runs `arena` in this process, which saves the second that its imports take."""
    out, err = StringIO(), StringIO()
    with (
        patch.dict(os.environ, _reach(server, token)),
        chdir(folder or Path.cwd()),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        code = run([str(argument) for argument in arguments])
    return Ran(code, out.getvalue(), err.getvalue())


def ran_apart(*arguments: object, server: str = "", token: str = "", **environment: str) -> Ran:
    """Runs `arena` in a separate process: required for several at once, and for settings that a
    process reads from its environment only once, such as the certificates that gRPC trusts."""
    done = subprocess.run(
        [sys.executable, "-m", "arena.cli", *map(str, arguments)],
        env=os.environ | _reach(server, token) | environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def _reach(server: str, token: str) -> dict[str, str]:
    return {"ARENA_SERVER": server, "ARENA_USER_TOKEN": token}
