"""All checks, in their order."""

from __future__ import annotations

from collections.abc import Iterator

from arena.cli.checks.check import Check
from arena.cli.checks.drain import drain_check
from arena.cli.checks.hello import hello_check
from arena.cli.checks.largest import largest_check
from arena.cli.checks.many import many_check
from arena.cli.checks.ping import ping_check
from arena.cli.checks.play import play_check
from arena.cli.checks.printing import printing_check
from arena.cli.checks.reconnect import reconnect_check
from arena.cli.checks.refusal import refusal_check
from arena.cli.checks.repeated import repeated_check
from arena.cli.checks.stale import stale_check
from arena.cli.checks.subject import Subject
from arena.cli.checks.together import together_check
from arena.cli.checks.unknown import unknown_check


def battery(subject: Subject) -> Iterator[Check]:
    """The checks of a bot. Each is made when it is its turn, for the hello decides which games
    there are to play."""
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
