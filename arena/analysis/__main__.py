"""Analyses a match for a worker, in a process of its own.

Reads the length of a compressed record in LENGTH_BYTES and the record from stdin, and writes the
analysis as JSON. If the match cannot be analysed, the exit code is REFUSED, and stderr has a
sentence. It ends when stdin does: then its worker has ended.
"""

from __future__ import annotations

import os
import sys
from threading import Thread

from arena.analysis.analysis import BUDGET, SEED, analyse
from arena.errors import ArenaError
from arena.records import BadRecord, read_compressed

LENGTH_BYTES = 8
REFUSED = 3
NICE = 10  # the bots of matches on the same machine come first


def main() -> int:
    os.nice(NICE)
    length = int.from_bytes(sys.stdin.buffer.read(LENGTH_BYTES))
    body = sys.stdin.buffer.read(length)
    Thread(target=_end_with_stdin, daemon=True).start()
    try:
        found = analyse(read_compressed(body).record, budget=BUDGET, seed=SEED)
    except (ArenaError, BadRecord) as refused:
        sys.stderr.write(refused.sentence)
        return REFUSED
    sys.stdout.write(found.model_dump_json())
    return 0


def _end_with_stdin() -> None:
    os.read(0, 1)  # not sys.stdin: a thread in it would block the end of the interpreter
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
