"""The rights to look into matches and to read the words of bots: pages, API and commands ask here.

Nothing of a deal is shown before the last match of its group is over: a player who saw the cards
could tell them to a bot that is yet to play them. Nor is anything of a match in which a person or a
remote bot plays: both can look here, and whatever the delay, a player can wait for longer before a
decision. A match of sandboxed bots that shares its deal with no other is shown with a delay.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sqlalchemy.orm import Session

from arena.errors import ArenaError, Kind
from arena.operations.caller import Caller
from arena.queue import Job
from arena.store.schema import Bot, Role
from arena.views.matches.deal_group import DealGroup, GroupKind, group_of, in_play
from arena.views.matches.fault import Fault
from arena.views.matches.match import Match, match_named


def hidden_matches(session: Session, matches: Collection[str]) -> frozenset[str]:
    """Returns those of the matches, given by their whole ids, of whose deals nothing is shown."""
    return in_play(session, matches)


def readable_match(session: Session, match: str, viewer: Caller | None = None) -> Match:
    """Returns the match of that name, if the viewer may look into it. Raises ArenaError,
    except for organisers also as long as other matches with its deals are not all recorded.

    `viewer`: None for a person whom the arena does not know.
    """
    row = match_named(session, match)
    is_organiser = viewer is not None and viewer.role is Role.ORGANISER
    if not is_organiser and hidden_matches(session, [row.match]):
        raise ArenaError(
            Kind.FORBIDDEN,
            f"Other matches with the deals of match {row.match} are still to be played. It can be"
            " seen when they are over.",
        )
    return row


def readable_group(session: Session, match: str) -> DealGroup:
    """Returns the group of all matches with the deals of that one. Raises ArenaError, also as long
    as it is not complete."""
    group = group_of(session, match)
    if group.complete:
        return group
    whose = {
        GroupKind.COMPARISON: f"Group {group.number} of the comparison {group.competition} is",
        GroupKind.ROUND: f"Round {group.number} of the tournament {group.competition} is",
        GroupKind.JOB: "These deals are",
    }[group.kind]
    raise ArenaError(
        Kind.FORBIDDEN,
        f"{whose} still in play, and a player who saw the cards now could tell them to a bot that"
        " is yet to play them. Come back when the last of these matches is over.",
    )


def secrecy(job: Job) -> str:
    """Returns the reason why nothing of a job is shown before it is over, a sentence; empty if
    its match may be followed, with the delay."""
    if job.unhurried:  # the person could watch the others' cards
        return "It is shown when it is over, because a person plays in it."
    if any(entrant.remote for entrant in job.entrants):  # its program could
        return "It is shown when it is over, because a remote bot plays in it."
    if len(job.seatings) > 1:
        return f"It is shown when all its {len(job.seatings)} matches with the same cards are over."
    if job.seed_text:
        # Other jobs may have the same text: the tables of a round, or the halves of a comparison.
        return "It is shown when it is over, because others may play the same cards."
    return ""


def readable_faults(faults: Iterable[Fault], viewer: Caller) -> tuple[Fault, ...]:
    """Returns the faults, without the words of bots that the viewer may not read."""
    return tuple(
        fault if viewer.may_read_private(fault.owner) else fault.model_copy(update={"words": ""})
        for fault in faults
    )


def readable_seats(session: Session, match: Match, viewer: Caller) -> list[int]:
    """Returns the seats whose private logs a visitor may read."""
    owners = {seat.bot: _owner(session, seat.bot) for seat in match.seats}
    return [seat.seat for seat in match.seats if viewer.may_read_private(owners[seat.bot])]


def _owner(session: Session, bot: str) -> str:
    found = session.get(Bot, bot)
    return found.owner if found is not None else ""
