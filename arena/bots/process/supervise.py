"""Runs a bot that has no sandbox: `python supervise.py FD PROGRAM ARGUMENT...`.

FD is a socket whose other end the arena holds; the bot does not inherit it. When that end closes,
however the arena ended, the bot and its whole process group are killed. When the bot ends by
itself, the rest of its group is killed too, and its exit code is written to FD just as bubblewrap
writes it to `--json-status-fd`; nothing is written if the bot could not be run.

A death signal (PR_SET_PDEATHSIG) would reach the bot's first process only, and only on Linux. This
file uses the standard library only, and little of that, because it must start fast.
"""

import os
import signal
import sys
import threading
from contextlib import suppress


def main(fd: int, argv: list[str]) -> int:
    os.set_inheritable(fd, False)
    try:
        # Python ignores some signals, and a new process would inherit that.
        normal = (signal.SIGPIPE, signal.SIGXFSZ)
        bot = os.posix_spawnp(argv[0], argv, os.environ, setpgroup=0, setsigdef=normal)
    except OSError as error:
        sys.exit(f"supervise: execvp {argv[0]}: {error.strerror}")  # as bubblewrap puts it
    threading.Thread(target=kill_at_end_of, args=(fd, bot), daemon=True).start()
    # Not reaped yet: while it is a zombie, no other group can have its id.
    os.waitid(os.P_PID, bot, os.WEXITED | os.WNOWAIT)
    kill(bot)
    code = os.waitstatus_to_exitcode(os.waitpid(bot, 0)[1])
    return code if code >= 0 else 128 - code


def kill_at_end_of(fd: int, bot: int) -> None:
    os.read(fd, 1)
    kill(bot)


def kill(bot: int) -> None:
    # macOS reports a group of zombies only as one that may not be killed.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(bot, signal.SIGKILL)


if __name__ == "__main__":
    fd = int(sys.argv[1])
    code = main(fd, sys.argv[2:])
    with suppress(OSError):  # the arena may have ended
        os.write(fd, b'{"exit-code": %d}\n' % code)
    os._exit(code)  # the thread that waits for the arena need not end
