"""Fair deals: nobody, not even the arena, can choose the cards. `docs/records.md` has test vectors.

The arena commits to a secret before the entrants give their nonces. The seed of the deals follows
from the secret and all nonces.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

NONCE_LIMIT_BYTES = 32


def commitment_of(secret: bytes) -> bytes:
    """Returns the commitment, which is sent to the seats before they accept."""
    return sha256(secret).digest()


def deal_seed(secret: bytes, nonces: Iterable[bytes]) -> bytes:
    """Returns the seed of the deals: SHA-256 of the secret and, for each entrant in the job's
    order, the nonce's length as one byte and the nonce. Raises ValueError if a nonce is too
    long."""
    shares = bytearray(secret)
    for nonce in nonces:
        if len(nonce) > NONCE_LIMIT_BYTES:
            raise ValueError(f"A nonce has at most {NONCE_LIMIT_BYTES} bytes, not {len(nonce)}.")
        shares += bytes([len(nonce)]) + nonce
    return sha256(shares).digest()


def seat_seed(root: bytes, match_number: int, seat: int) -> bytes:
    """Returns a seat's own random seed. `root`: the secret, or the seed text in UTF-8."""
    place = match_number.to_bytes(4, "big") + seat.to_bytes(4, "big")
    return sha256(root + b"seat" + place).digest()
