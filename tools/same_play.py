"""Checks that the compiled rules play like the plain ones: `make compiled` runs it.

Plays every format of every game at random, several times, in one process per build. Compares
digests of all choices and, at some decisions and at the end, of everything that any seat can learn.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

ROOT = Path(__file__).parent.parent
PLAIN, BUILT = ROOT / "rules" / "src", ROOT / "build" / "compiled"
MATCHES = 4  # of each format: about 360 in all


def main() -> None:
    """Starts both processes and prints the matches that differ."""
    children = [started(build) for build in (PLAIN, BUILT)]
    plain, compiled = (child.communicate()[0].splitlines() for child in children)
    if any(child.returncode for child in children):
        sys.exit("A build could not play; its error is above.")
    if where(plain) != str(PLAIN) or where(compiled) != str(BUILT):
        sys.exit(f"The rules came from {where(plain)} and {where(compiled)}: is one not built?")
    differing = [line.split()[0] for line in sorted({*plain[1:]} ^ {*compiled[1:]})]
    if differing or len(plain) != len(compiled):
        sys.exit(f"The compiled rules play differently: {', '.join(dict.fromkeys(differing))}.")
    print(
        f"The compiled rules play {len(plain) - 1} matches of all formats exactly like the "
        "plain rules."
    )


def started(build: Path) -> subprocess.Popen[str]:
    """Starts a process that plays with the rules of this build. It runs as a script: as a module,
    it would have the current directory before the build on its path."""
    paths = os.pathsep.join([str(build), str(ROOT)])  # the latter has the tests
    return subprocess.Popen(
        [sys.executable, __file__, "play"],
        env={**os.environ, "PYTHONPATH": paths},
        stdout=subprocess.PIPE,
        text=True,
    )


def where(lines: list[str]) -> str:
    """Returns the folder of the rules that a process reports."""
    return lines[0] if lines else "nowhere"


def play() -> None:
    """Prints the rules' path, then a line per match."""
    from sevens_games.engine import match

    compiled = not str(match.__file__).endswith(".py")
    package = Path(str(match.__file__)).parents[2]
    print(package if compiled == (package == BUILT) else f"{package}, but not compiled")
    for line in digests():
        print(line)


def digests() -> Iterator[str]:
    """Yields a line for each match: its format, its number and its digest."""
    # Imported here, since only the playing processes have them on their paths.
    from sevens_games import slugs
    from tests.support import game_formats

    for form in [form for slug in slugs() for form in game_formats.formats(slug)]:
        for number in range(MATCHES):
            record = game_formats.played.__wrapped__(form, number)
            digest = hashlib.sha256(repr(record.choices).encode())
            rng = Random(number)
            for match in [*record.positions(rng), record.end]:
                digest.update(repr(game_formats.everything(match)).encode())
                for seat in match.to_act:
                    redealt = match.redeal(seat, rng)
                    digest.update(repr(game_formats.everything(redealt)).encode())
            yield f"{form}#{number} {len(record.choices)} {digest.hexdigest()}"


if __name__ == "__main__":
    play() if "play" in sys.argv else main()
