"""Analyses a match for a worker, in a process of its own.

Reads a compressed record of as many bytes as the argument says from stdin, and writes the analysis
as JSON. If the match cannot be analysed, the exit code is `Exit.WRONG_INPUT`, and stderr has a
sentence. It ends when stdin does: then its worker has ended.
"""

from __future__ import annotations

import os
import sys
from threading import Thread

from arena.analysis.analysis import BUDGET, SEED, analyse
from arena.errors import ArenaError, Exit
from arena.records import BadRecord, read_compressed

NICE = 10  # the bots of matches on the same machine come first


def main() -> int:
    os.nice(NICE)
    body = sys.stdin.buffer.read(int(sys.argv[1]))
    Thread(target=_end_with_stdin, daemon=True).start()
    try:
        found = analyse(read_compressed(body).record, budget=BUDGET, seed=SEED)
    except (ArenaError, BadRecord) as refused:
        sys.stderr.write(refused.sentence)
        return Exit.WRONG_INPUT
    sys.stdout.write(found.model_dump_json())
    return Exit.DONE


def _end_with_stdin() -> None:
    os.read(0, 1)  # not sys.stdin: a thread in it would block the end of the interpreter
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
