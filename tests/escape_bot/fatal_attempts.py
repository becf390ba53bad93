"""Attempts for which the arena ends the escape bot, which is then at fault."""

import os
import signal
import subprocess
import sys

from attempts import MIB, Attempt, Escaped, Targets, attempt

FATAL: dict[str, Attempt] = {}


@attempt("fill the memory", FATAL)
def fill_memory(_: Targets) -> str:
    hoard = [bytearray(b"x") * MIB for _ in range(4096)]
    raise Escaped(f"it has {len(hoard)} MiB")


@attempt("fork without end", FATAL)
def fork_bomb(_: Targets) -> str:
    bomb = """
import os, signal, time
for _ in range(5000):
    try:
        os.fork() or signal.pause()
    except OSError:
        time.sleep(0.01)
"""
    subprocess.run([sys.executable, "-c", bomb], check=True)
    raise Escaped("it forked as it liked")


@attempt("kill every process that it sees", FATAL)
def kill_everything(_: Targets) -> str:
    os.kill(-1, signal.SIGKILL)
    os._exit(1)


@attempt("think for ever", FATAL)
def spin(_: Targets) -> str:
    while True:
        pass
