"""The sources of a match's deals, which nobody can choose.

All matches of a deal set (a duplicate group) share one source and have the same deals.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Protocol

from arena.protocol import commitment_of, deal_seed, seat_seed
from sevens.record.v1.match_record_pb2 import DealSource
from sevens_games import SeededDeals


class DealSet(Protocol):
    """The source of one deal set. `commitment` is sent to the seats before they accept."""

    commitment: bytes

    def seed_of_seat(self, match_number: int, seat: int) -> bytes:
        """Returns the random seed for a seat: 32 bytes."""

    def deals(self, nonces: Sequence[bytes]) -> SeededDeals:
        """Returns the deals. `nonces`: one from each entrant, in the order of the entrants."""

    def nonces(self) -> Sequence[bytes]:
        """Returns the nonces used for the deals, in the order of the entrants; () before they
        are known."""

    def source(self) -> DealSource:
        """Returns the source in the form of the record."""


class CommittedDeals:
    """Deals from a secret to which the arena commits before the entrants give their nonces.

    The nonces of the first match are used for the whole set; repeated deals use the nonces given.
    """

    def __init__(self, secret: bytes | None = None, nonces: Sequence[bytes] | None = None) -> None:
        self._secret = secrets.token_bytes(32) if secret is None else secret
        self._nonces = None if nonces is None else tuple(nonces)
        self.commitment = commitment_of(self._secret)

    def seed_of_seat(self, match_number: int, seat: int) -> bytes:
        return seat_seed(self._secret, match_number, seat)

    def deals(self, nonces: Sequence[bytes]) -> SeededDeals:
        if self._nonces is None:
            self._nonces = tuple(nonces)
        return SeededDeals(deal_seed(self._secret, self._nonces))

    def nonces(self) -> Sequence[bytes]:
        return self._nonces or ()

    def source(self) -> DealSource:
        return DealSource(commitment=self.commitment.hex(), secret=self._secret.hex())


class SeededSet:
    """Deals that follow from a seed text in the record: for `arena play --seed`, and when
    several tables play the same deals."""

    commitment = b""

    def __init__(self, seed_text: str) -> None:
        self._seed_text = seed_text

    def seed_of_seat(self, match_number: int, seat: int) -> bytes:
        return seat_seed(self._seed_text.encode(), match_number, seat)

    def deals(self, nonces: Sequence[bytes]) -> SeededDeals:
        return SeededDeals(self._seed_text)

    def nonces(self) -> Sequence[bytes]:
        return ()

    def source(self) -> DealSource:
        return DealSource(seed_text=self._seed_text)
