"""Recognises causes that a program's output does not explain to the author of a bot.

The sentences are public, so they have nothing of the output, which the author reads next to them.
"""

from __future__ import annotations

import re

# The words of shells and of the programs that start a bot, of pdb, glibc and CMake.
CAUSES = (
    (
        re.compile(r"(?:execvp|failed to execute) \S{1,200}: Permission denied"),
        "The program is not executable: run `chmod +x` on it, or name its interpreter in `run`.",
    ),
    (
        re.compile(r"(?:execvp|failed to execute) \S{1,100}/\S{1,100}: No such file"),
        "The program is not there, or its #! line names an interpreter that is not there.",
    ),
    (
        re.compile(r"(?:execvp|failed to execute) \S{1,200}: No such file"),
        "The machine has no program of the name in `run`.",
    ),
    (
        re.compile(r"\benv: \W?[\w.+-]{1,100}\W?: No such file"),
        "A #! line names an interpreter that the machine does not have.",
    ),
    (
        re.compile(r"^\(Pdb\) |^bdb\.BdbQuit", re.M),
        "It stopped at a breakpoint, where nobody can type: remove breakpoint() or pdb, or debug"
        " it by `arena play GAME BOT … --wait`.",
    ),
    (
        re.compile(r"^EOFError: EOF when reading a line", re.M),
        "It read from its stdin, which is empty.",
    ),
    (
        re.compile(r"The futex facility returned an unexpected error code"),
        "It used a lock that processes share (as multiprocessing.Pool, Queue and Lock do), which"
        " the sandbox refuses: let processes communicate by pipes or sockets, or use threads.",
    ),
    (
        re.compile(r"required packages? (?:was|were) not found|Could NOT find "),
        "CMake did not find a package: bring it in the bot's folder, or ask the organiser for it.",
    ),
)


def explained(printed: str) -> str:
    """Returns a sentence about the cause of a failure, after a space; empty if the output shows
    none that is known."""
    for pattern, advice in CAUSES:
        if pattern.search(printed):
            return f" {advice}"
    return ""
