"""The checks, one file each."""

from arena.conformance.checks import repeated_decision
from arena.conformance.checks.deterministic import deterministic_check
from arena.conformance.checks.drain import drain_check
from arena.conformance.checks.faultless_play import play_check
from arena.conformance.checks.hello import hello_check
from arena.conformance.checks.largest import largest_check
from arena.conformance.checks.many import many_check
from arena.conformance.checks.ping import ping_check
from arena.conformance.checks.printing import printing_check
from arena.conformance.checks.reconnect import reconnect_check
from arena.conformance.checks.refusal import refusal_check
from arena.conformance.checks.repeated_decision import repeated_check
from arena.conformance.checks.stale import stale_check
from arena.conformance.checks.together import together_check
from arena.conformance.checks.unknown import unknown_check

__all__ = [
    "deterministic_check",
    "drain_check",
    "hello_check",
    "largest_check",
    "many_check",
    "ping_check",
    "play_check",
    "printing_check",
    "reconnect_check",
    "refusal_check",
    "repeated_check",
    "repeated_decision",
    "stale_check",
    "together_check",
    "unknown_check",
]
