"""The one rule for matches in play: how much of them may be shown.

Nothing of a deal is shown before the last match of its duplicate group is over, nor of one in which
a person plays. A match that shares its deal with no other is shown as it was some time ago.
"""

from __future__ import annotations

from arena.queue import Extent, Job, Seen


def secrecy(job: Job) -> str:
    """Returns the reason why nothing of a job is shown before it is over, a sentence; empty if
    its match may be followed, with the delay."""
    if job.unhurried:  # the person could watch the others' cards
        return "It is shown when it is over, because a person plays in it."
    if len(job.seatings) > 1:
        return f"It is shown when all its {len(job.seatings)} matches with the same cards are over."
    if job.seed_text:
        # Other jobs may have the same text: the tables of a round, or the halves of a comparison.
        return "It is shown when it is over, because others may play the same cards."
    return ""


def shown_extent(job: Job, seen: Seen, delay_s: float) -> Extent | None:
    """Returns the part of a match that may be shown: all that there was `delay_s` seconds ago; None
    if nothing may."""
    if secrecy(job):
        return None
    needed_ms = delay_s * 1000 - seen.passed_ms
    old_enough = [extent for extent in seen.match.extents if extent.age_ms >= needed_ms]
    return max(old_enough, key=lambda extent: extent.choices, default=None)
