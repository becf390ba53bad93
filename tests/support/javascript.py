"""Calls the functions of the pages' own ES modules in Node.js: one process for many calls."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import arena

STATIC = Path(arena.__file__).parent / "web" / "static"
CALLER = Path(__file__).with_name("call_modules.mjs")


@dataclass(frozen=True)
class Call:
    """A call of an exported function. `module`: its file, from `arena/web/static`.

    Bytes travel as `{"hex": digits}`, both ways.
    """

    module: str
    function: str
    arguments: Sequence[Any]


def answers_of(calls: Sequence[Call]) -> list[Any]:
    """Returns what each call returned; for one that threw, `{"thrown": message}`."""
    asked = [
        {
            "module": (STATIC / call.module).as_uri(),
            "function": call.function,
            "arguments": list(call.arguments),
        }
        for call in calls
    ]
    told = subprocess.run(
        ["node", CALLER], input=json.dumps(asked), capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr
    answers = json.loads(told.stdout)
    assert isinstance(answers, list)
    return answers
