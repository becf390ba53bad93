"""Failures of a command: a sentence for people, a field for programs, an exit code for scripts."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of every command."""

    DONE = 0
    ANSWER_IS_NO = 1  # done, but: verify mismatch, check failed, a bot at fault in `play`
    WRONG_INPUT = 2
    UNREACHABLE = 3  # a service is unreachable, or refused
    ARENA_FAILED = 4  # the arena's own failure
    INTERRUPTED = 130


class CommandError(Exception):
    """Ends a command.

    `sentence`: what was wrong and what to do.
    `field`: the argument or option that was wrong; empty if none was.
    `code`: the exit code.
    """

    def __init__(self, sentence: str, field: str = "", code: Exit = Exit.WRONG_INPUT) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.field = field
        self.code = code
