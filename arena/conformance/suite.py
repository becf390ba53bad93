"""All checks, in order."""

from __future__ import annotations

from collections.abc import Iterator

from arena.conformance.check import Check
from arena.conformance.checks.drain import drain_check
from arena.conformance.checks.hello import hello_check
from arena.conformance.checks.largest import largest_check
from arena.conformance.checks.many import many_check
from arena.conformance.checks.ping import ping_check
from arena.conformance.checks.play import play_check
from arena.conformance.checks.printing import printing_check
from arena.conformance.checks.reconnect import reconnect_check
from arena.conformance.checks.refusal import refusal_check
from arena.conformance.checks.repeated import repeated_check
from arena.conformance.checks.stale import stale_check
from arena.conformance.checks.together import together_check
from arena.conformance.checks.unknown import unknown_check
from arena.conformance.subject import Subject


def battery(subject: Subject) -> Iterator[Check]:
    """Yields the checks of a bot. Each is made when it is due, because the hello decides which
    games there are to play."""
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
