"""All checks, in order."""

from __future__ import annotations

from collections.abc import Iterator

from arena.conformance.checks import (
    deterministic_check,
    drain_check,
    hello_check,
    largest_check,
    many_check,
    ping_check,
    play_check,
    printing_check,
    reconnect_check,
    refusal_check,
    repeated_check,
    stale_check,
    together_check,
    unknown_check,
)
from arena.conformance.finding import Check
from arena.conformance.subject import Subject


def battery(subject: Subject, *, deterministic: bool = False) -> Iterator[Check]:
    """Yields the checks of a bot. Each is made when it is due, because the hello decides which
    games there are to play. `deterministic`: with the check that the protocol does not demand."""
    yield hello_check(subject)
    for game in subject.games:
        yield play_check(subject, game)
    yield many_check(subject)
    yield together_check(subject)
    yield repeated_check(subject)
    yield unknown_check(subject)
    yield largest_check(subject)
    yield stale_check(subject)
    yield ping_check(subject)
    yield refusal_check(subject)
    yield reconnect_check(subject)
    yield drain_check(subject)
    yield printing_check(subject)
    if deterministic:
        yield deterministic_check(subject)
