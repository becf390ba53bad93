"""`python -m bench.language_ladder`: one ladder on which bots of all SDKs' languages meet."""

from __future__ import annotations

import sys
import tempfile

from arena.cli.app import run
from bench.examples import built_examples

MATCHES = 200


def main() -> int:
    """Plays the ladder in Xeri and prints its ratings; they differ by idea, not by language."""
    examples = built_examples()
    bots = [str(folder) for folders in examples.folders.values() for folder in folders]
    with tempfile.TemporaryDirectory() as folder:
        data = ("--data", folder)
        for words in (
            ("ladder", "create", "languages", "xeri", *bots, "--set", "deals=1"),
            ("ladder", "run", "languages", "--matches", str(MATCHES)),
        ):
            if code := run([*words, *data]):
                return code
    if told := examples.told():
        print(told)
    return 0


if __name__ == "__main__":
    sys.exit(main())
