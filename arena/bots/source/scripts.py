"""Scripts that a system cannot start because of how an editor saved them."""

from __future__ import annotations

from pathlib import Path

from arena.bots.source.manifest import Manifest
from arena.bots.source.tree import ContentError, open_file

HEAD_BYTES = 256  # the kernel reads no more of the line that names an interpreter
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def check_scripts(folder: Path, manifest: Manifest) -> None:
    """Raises ContentError if a script that `run` or `build` starts by its `#!` line cannot start:
    the kernel takes a carriage return for part of the interpreter's name."""
    for program in (manifest.run[0], *(manifest.build or ())[:1]):
        if "/" in program and not program.startswith(("/", "..")):
            _check(folder / program)


def _check(script: Path) -> None:
    try:
        with open_file(script) as file:
            line, end, _ = file.read(HEAD_BYTES).partition(b"\n")
    except (OSError, ContentError):  # not built yet; whoever starts it says what is missing
        return
    if line.startswith(BYTE_ORDER_MARK + b"#!"):
        raise ContentError(
            f"{script} begins with a byte order mark, so that its #! line is not seen: save the"
            " file as UTF-8 without one."
        )
    if line.startswith(b"#!") and end and line.endswith(b"\r"):
        raise ContentError(
            f"The #! line of {script} ends with a carriage return (Windows line ends), so that no"
            f" interpreter is found: sed -i 's/\\r$//' {script.name}"
        )
