"""Recognises a bot whose program does not exist yet, before anything is started."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.bots.references import UnknownBot
from arena.bots.source import MANIFEST, Program, Source
from arena.nearest import did_you_mean

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
SOURCES = (".py", ".rb", ".pl", ".lua", ".php", ".sh", ".jl")  # run as they are written
# A word of `run` that is a program in the bot's folder: a path, or a file for an interpreter.
OWN_PATH = re.compile(r"\./[\w./+-]+")
FOR_INTERPRETER = re.compile(
    r"[\w.+-][\w./+-]*\.(?:jar|class|[cm]?js|ts|py|rb|pl|lua|php|sh|dll|exe|wasm|jl)"
)
# The next word is code or a module, and those after it are arguments.
INLINE = ("-c", "-m", "-e")


def check_built(source: Source, reference: str) -> None:
    """Raises UnknownBot if the bot's `run` names a program that is not in its folder, or cannot be
    executed. `reference`: the bot, as the user named it."""
    if not isinstance(source, Program):
        return
    run = source.manifest.run
    program = next(_own_programs(run), None)
    if program is None:
        return
    path = source.folder / program
    if not path.exists():
        raise UnknownBot(_missing(source, reference, program))
    if program == run[0] and not os.access(path, os.X_OK):
        raise UnknownBot(
            f"{path} cannot be executed, but {MANIFEST} runs it: chmod +x {shlex.quote(str(path))}"
        )


def _own_programs(run: Sequence[str]) -> Iterator[str]:
    """Yields the words that recognisably name a program in the bot's folder."""
    first, *rest = run
    if "/" in first and not first.startswith(("/", "..")):
        yield first
    for word in rest:
        if word in INLINE:
            return
        if OWN_PATH.fullmatch(word) or FOR_INTERPRETER.fullmatch(word):
            yield word


def _missing(program: Program, reference: str, name: str) -> str:
    """`reference` is the folder, because a single file is its own program."""
    command = _build_command(program, reference, name)
    if command is None:
        question = did_you_mean(name, [path.name for path in program.folder.iterdir()])
        return f"{reference}: {MANIFEST} runs {name}, but there is no such file. {question}".strip()
    return f"{reference} is not built: {MANIFEST} runs {name}, which is not there. Run: {command}"


def _build_command(program: Program, reference: str, name: str) -> str | None:
    """Returns the command that builds the program; None if it is not one that a build creates."""
    build = program.manifest.build
    if build is None and name.endswith(SOURCES):
        return None
    folder = shlex.quote(str(Path(reference)))
    if any((program.folder / makefile).is_file() for makefile in MAKEFILES):
        return f"make -C {folder}"
    return None if build is None else f"cd {folder} && {shlex.join(build)}"
