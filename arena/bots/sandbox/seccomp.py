"""The filter of system calls for bots, as a program for the kernel and as a profile for container
engines. It allows all calls that `refusals` does not name.

Sources: Linux's seccomp_filter.rst and filter.h; for profiles, runtime-spec's config-linux.md.
"""

from __future__ import annotations

import errno
import json
import platform
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from arena.bots.sandbox.denied_calls import (
    ALL_BITS,
    IF_ANY_BIT,
    IF_AT_LEAST,
    IF_EQUAL,
    IF_OTHER,
    NEWER,
    NEWER_BY_NAME,
    NUMBERS,
    Condition,
    Refusal,
    refusals,
)

X32 = 0x40000000  # marks the calls of another ABI, whose numbers differ

# Offsets of the data that a filter may read; of arguments, the lower half.
NUMBER, ARCHITECTURE, ARGUMENTS, ARGUMENT_BYTES = 0, 4, 16, 8
LOAD, MASK, ANSWER = 0x20, 0x54, 0x06
ALLOW, KILL, ERROR = 0x7FFF0000, 0x80000000, 0x00050000


class Machine(NamedTuple):
    """An architecture.

    `code`: the kernel's code for it.
    `column`: its index in the values of `NUMBERS`.
    `name`: the container engines' name for it.
    """

    code: int
    column: int
    name: str


MACHINES: Mapping[str, Machine] = {
    "x86_64": Machine(0xC000003E, 0, "SCMP_ARCH_X86_64"),
    "aarch64": Machine(0xC00000B7, 1, "SCMP_ARCH_AARCH64"),
}


def system_call_filter(machine: str | None = None, *, building: bool = False) -> bytes:
    """Returns the filter in the format of bubblewrap's `--seccomp`, for bots or for their builds.

    `machine`: the architecture, None for this machine's. Raises KeyError if it is not in
    `MACHINES`.
    """
    code, column, _ = MACHINES[machine or platform.machine()]
    lines = [
        *_unless(IF_EQUAL, ARCHITECTURE, code, KILL),
        *(_when(IF_AT_LEAST, NUMBER, X32, _error(errno.ENOSYS)) if column == 0 else ()),
        *(() if building else _when(IF_AT_LEAST, NUMBER, NEWER, _error(errno.ENOSYS))),
    ]
    for name, refused in _by_call(building).items():
        if (number := NUMBERS[name][column]) is not None:
            lines += _for_call(number, [*_answers(refused), _answer(ALLOW)])
    lines.append(_answer(ALLOW))
    return b"".join(lines)


def system_call_profile(machine: str | None = None) -> str:
    """Returns the same filter for bots as a profile for container engines. Calls that an engine's
    own profile forbids besides need privileges that bots do not have."""
    column, name = MACHINES[machine or platform.machine()][1:]
    rules = []
    for refusal in (*refusals(building=False), Refusal(NEWER_BY_NAME, errno.ENOSYS, [])):
        known = [call for call in refusal.calls if NUMBERS[call][column] is not None]
        for arguments in _in_the_engines_words(refusal.conditions):
            rule = {"names": known, "action": "SCMP_ACT_ERRNO", "errnoRet": refusal.error}
            rules.append(rule | ({"args": arguments} if arguments else {}))
    return json.dumps(
        {"defaultAction": "SCMP_ACT_ALLOW", "architectures": [name], "syscalls": rules}
    )


def _by_call(building: bool) -> Mapping[str, Sequence[Refusal]]:
    """Returns the refusals, by call. Calls with conditions come first: the kernel runs the filter
    for them only, since it remembers the calls that are allowed with any arguments."""
    by_call: dict[str, list[Refusal]] = {}
    for refusal in refusals(building=building):
        for name in refusal.calls:
            by_call.setdefault(name, []).append(refusal)
    return by_call


def _in_the_engines_words(
    conditions: Sequence[tuple[int, Condition]],
) -> Iterator[list[dict[str, object]]]:
    """Yields lists of conditions, of which one must hold, as a profile puts it. It has no word for
    any of several bits."""
    plain: list[dict[str, object]] = []
    for index, (operation, operand, mask) in conditions:
        if operation == IF_ANY_BIT:
            for bit in (1 << place for place in range(32) if operand >> place & 1):
                yield [_masked(index, bit, bit)]
            return
        if operation == IF_EQUAL:
            plain.append(_masked(index, operand, mask))
        else:
            word = {IF_AT_LEAST: "SCMP_CMP_GE", IF_OTHER: "SCMP_CMP_NE"}[operation]
            plain.append({"index": index, "value": operand, "op": word})
    yield plain


def _masked(index: int, value: int, mask: int) -> dict[str, object]:
    return {"index": index, "value": mask, "valueTwo": value, "op": "SCMP_CMP_MASKED_EQ"}


def _error(number: int) -> int:
    return ERROR | number


def _line(instruction: int, operand: int, skip_if_true: int = 0, skip_if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", instruction, skip_if_true, skip_if_false, operand)


def _answer(answer: int) -> bytes:
    return _line(ANSWER, answer)


def _when(test: int, place: int, operand: int, answer: int) -> list[bytes]:
    """Returns lines that give the answer if the test holds."""
    return [_line(LOAD, place), _line(test, operand, 0, 1), _answer(answer)]


def _unless(test: int, place: int, operand: int, answer: int) -> list[bytes]:
    return [_line(LOAD, place), _line(test, operand, 1, 0), _answer(answer)]


def _answers(refused: Sequence[Refusal]) -> list[bytes]:
    """Returns lines that give the error of the first refusal whose conditions all hold."""
    lines: list[bytes] = []
    for refusal in refused:
        answer = [_answer(_error(refusal.error))]
        for index, condition in reversed(refusal.conditions):
            answer = [*_if(index, condition, len(answer)), *answer]
        lines += answer
    return lines


def _if(index: int, condition: Condition, length: int) -> list[bytes]:
    """Returns lines that skip the next `length` lines unless the condition holds."""
    operation, operand, mask = condition
    lines = [_line(LOAD, ARGUMENTS + index * ARGUMENT_BYTES)]
    if mask != ALL_BITS:
        lines.append(_line(MASK, mask))
    if operation == IF_OTHER:
        return [*lines, _line(IF_EQUAL, operand, length, 0)]
    return [*lines, _line(operation, operand, 0, length)]


def _for_call(number: int, lines: Sequence[bytes]) -> list[bytes]:
    """Returns the lines, restricted to one system call."""
    return [_line(LOAD, NUMBER), _line(IF_EQUAL, number, 0, len(lines)), *lines]
