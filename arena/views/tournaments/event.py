"""The plan of a tournament before its first deal, and all later events apart from results: a chain
of digests, each of which holds all before it."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Annotated

from pydantic import Field

from arena.store.schema import Format, Partners, TournamentEventKind
from arena.tournament import MOST_ENTRANTS, MOST_ROUNDS, TournamentTerms
from arena.views.view import Moment, View, canonical_json

Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Name = Annotated[str, Field(max_length=200)]
Count = Annotated[int, Field(ge=0, le=1_000_000)]
Milliseconds = Annotated[int, Field(ge=0)]
Number = Annotated[int, Field(ge=1, le=MOST_ENTRANTS)]
"""The number of an entrant, from 1, in the order of the seeds."""
RoundNumber = Annotated[int, Field(ge=1, le=MOST_ROUNDS)]


class PlannedEntrant(View):
    """An entrant as it entered.

    `version`, `version_number`: the digest of the bot's version, and its number.
    `owner`: bots of one owner never meet; None for the organiser's.
    `checked_in`: its owner has confirmed before the start that it plays.
    """

    number: Number
    bot: Name
    version: Digest
    version_number: Count
    owner: Name | None
    checked_in: bool


class AgreedTerms(View):
    """The terms that an organiser fixes when a tournament is created.

    `tournament`: its name.
    `deals`: whether a group plays each deal once or in every seating.
    `common_deals`: all tables of a round play the same deals.
    `bank_ms`, `increment_ms`: the time of a seat in a match, in milliseconds.
    `starts_at`: when it starts by itself; None: its organiser starts it.
    `check_in_minutes`: owners check in so long before, or their entrants are left out; 0: they need
      not.
    `commitment`: the SHA-256 of the secret from which deals and lots follow.
    """

    tournament: Name
    game: Name
    rules_version: Count
    options: Annotated[dict[Name, Name], Field(max_length=100)]
    seats: Count
    deals: Format
    partners: Partners
    common_deals: bool
    bank_ms: Milliseconds
    increment_ms: Milliseconds
    terms: TournamentTerms
    starts_at: Moment | None
    check_in_minutes: Count
    commitment: Digest


class TournamentPlan(AgreedTerms):
    """All that is fixed when a tournament starts. The deals follow from its digest, and the chain
    begins with it.

    `withdrawn`: the reasons of those who have left before, by number.
    """

    entrants: Annotated[tuple[PlannedEntrant, ...], Field(max_length=MOST_ENTRANTS)]
    withdrawn: dict[int, str]

    @property
    def digest(self) -> str:
        """The SHA-256 of its canonical JSON: keys sorted, no spaces, UTF-8."""
        return sha256(canonical_json(self).encode()).hexdigest()


class TournamentEvent(View):
    """An event: a link of the chain.

    `round`: the round that was paired, or of a group that is void, or the first that the entrant
      plays, or plays no longer; 0 for other events.
    `entrant`: who entered late, or left; else None.
    `sentence`: the reason, if there is one; of `drawn`, the beacon's value; of `started`, earlier
      tournaments of the game that were cancelled.
    """

    at: Moment
    kind: TournamentEventKind
    round: Annotated[int, Field(ge=0, le=MOST_ROUNDS)]
    entrant: PlannedEntrant | None
    sentence: Annotated[str, Field(max_length=1000)]

    def digest(self, before: str) -> str:
        """Returns its digest: the SHA-256 of the digest before it, as text, and of its canonical
        JSON."""
        return sha256(f"{before}{canonical_json(self)}".encode()).hexdigest()


def chain(plan_digest: str, events: Iterable[TournamentEvent]) -> str:
    """Returns the last digest of a chain, which holds all of it."""
    digest = plan_digest
    for event in events:
        digest = event.digest(digest)
    return digest
