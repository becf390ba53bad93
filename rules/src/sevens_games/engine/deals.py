"""Sources of chance, which give shuffles and picks.

A match asks for chance only by `shuffle` and `pick`, and announces each deal before its first
request. `docs/deals.md` has test vectors for the seeded stream.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Sequence
from typing import Any, Self

WORDS_BELOW = 2**32


class WrongDeals(ValueError):
    """Deals given in advance do not fit the requests of the match. The text explains the mismatch.

    `shuffle`, `pick`: the number of the mismatched request, from 1; None for the other kind.
    """

    def __init__(self, text: str, *, shuffle: int | None = None, pick: int | None = None) -> None:
        super().__init__(text)
        self.shuffle = shuffle
        self.pick = pick


class Deals:
    """A source of chance, and the log of all its answers.

    `shuffles`: all orderings given, as lists of card codes, the top card first.
    `picks`: all integers given.
    """

    __slots__ = ("_picks", "_shuffles")

    def __init__(self) -> None:
        self._shuffles: tuple[tuple[str, ...], ...] = ()
        self._picks: tuple[int, ...] = ()

    @property
    def shuffles(self) -> list[list[str]]:
        return [list(order) for order in self._shuffles]

    @property
    def picks(self) -> list[int]:
        return list(self._picks)

    def begin_deal(self) -> None:
        """Announces the next deal of the match."""

    def shuffle(self, cards: Sequence[str]) -> tuple[str, ...]:
        """An ordering of `cards`, the top card first."""
        order = self._order(cards)
        self._shuffles += (order,)
        return order

    def pick(self, n: int) -> int:
        """An integer from 0 to n - 1; n is at most 2**32."""
        if not 0 < n <= WORDS_BELOW:
            raise ValueError(f"A pick needs n from 1 to 2**32, not {n}.")
        number = self._number(n)
        self._picks += (number,)
        return number

    def copy(self) -> Deals:
        """An independent source with the same past and the same future."""
        raise NotImplementedError(f"{type(self).__name__} must implement copy()")

    def with_past_of(self, other: Deals) -> Self:
        """This source with its log replaced by the other's."""
        self._shuffles = other._shuffles
        self._picks = other._picks
        return self

    def _order(self, cards: Sequence[str]) -> tuple[str, ...]:
        raise NotImplementedError(f"{type(self).__name__} must implement _order()")

    def _number(self, n: int) -> int:
        raise NotImplementedError(f"{type(self).__name__} must implement _number()")


class SeededDeals(Deals):
    """Deals that follow from a seed, bit by bit, in any language.

    `seed`: bytes, or a text whose UTF-8 bytes are used. `deal`: the number of the current deal.

    Each deal has its own stream, so matches with the same seed have the same cards in deal k,
    regardless of earlier choices. Block i of deal k is SHA-256(seed, k as 4 bytes, i as 8 bytes,
    big-endian), i from 0, k from 1; the blocks in order, read as big-endian 32-bit words, are the
    stream.
    """

    __slots__ = ("_at", "_block", "_seed", "_words", "deal")

    def __init__(self, seed: str | bytes) -> None:
        super().__init__()
        if not isinstance(seed, str | bytes):
            raise TypeError(f"A seed is a text or bytes, not {seed!r}.")
        self._seed = seed.encode() if isinstance(seed, str) else seed
        self.deal = 0
        self._block = 0
        self._words: tuple[int, ...] = ()
        self._at = 0  # the number of words that are used up

    def begin_deal(self) -> None:
        self.deal += 1
        self._block = self._at = 0
        self._words = ()

    def copy(self) -> SeededDeals:
        other = SeededDeals(self._seed)
        other.deal = self.deal
        other._block = self._block
        other._words = self._words
        other._at = self._at
        other._shuffles = self._shuffles
        other._picks = self._picks
        return other

    def _number(self, n: int) -> int:
        """A word below the largest multiple of n, so that every remainder is equally likely."""
        limit = WORDS_BELOW - WORDS_BELOW % n
        while True:
            if self._at == len(self._words):
                self._draw_words(1)
            word = self._words[self._at]
            self._at += 1
            if word < limit:
                return word % n

    def _order(self, cards: Sequence[str]) -> tuple[str, ...]:
        """Fisher-Yates from the last card down, with `_number` inlined for speed."""
        order = list(cards)
        self._draw_words(len(order))
        words, at = self._words, self._at
        for last in range(len(order) - 1, 0, -1):
            n = last + 1
            limit = WORDS_BELOW - WORDS_BELOW % n
            while True:
                if at == len(words):
                    self._at = at
                    self._draw_words(1)
                    words, at = self._words, self._at
                word = words[at]
                at += 1
                if word < limit:
                    break
            other = word % n
            order[last], order[other] = order[other], order[last]
        self._at = at
        return tuple(order)

    def _draw_words(self, wanted: int) -> None:
        """Ensures that at least `wanted` words are ready, and drops those that are used up."""
        if self.deal == 0:
            raise WrongDeals("No deal has begun: call begin_deal() before the first request.")
        words = self._words[self._at :]
        prefix = self._seed + self.deal.to_bytes(4, "big")
        while len(words) < wanted:
            block = hashlib.sha256(prefix + self._block.to_bytes(8, "big")).digest()
            words += struct.unpack(">8I", block)
            self._block += 1
        self._words = words
        self._at = 0


class StackedDeals(Deals):
    """Hands out exactly the given shuffles and picks, in order; for tests, records and puzzles.

    Raises WrongDeals if a request is for other cards than the given shuffle has, if the given pick
    is out of range, or if nothing is left.
    """

    __slots__ = ("_given_picks", "_given_shuffles")

    def __init__(self, shuffles: Iterable[Sequence[str]] = (), picks: Iterable[int] = ()) -> None:
        super().__init__()
        self._given_shuffles = tuple(tuple(order) for order in shuffles)
        self._given_picks: tuple[Any, ...] = tuple(picks)  # of any type, until asked for

    def copy(self) -> StackedDeals:
        return StackedDeals(self._given_shuffles, self._given_picks).with_past_of(self)

    def _order(self, cards: Sequence[str]) -> tuple[str, ...]:
        asked = len(self._shuffles)
        number = asked + 1
        if asked == len(self._given_shuffles):
            sentence = f"Shuffle {number} was requested, but only {asked} were given."
            raise WrongDeals(sentence, shuffle=number)
        order = self._given_shuffles[asked]
        if sorted(order) != sorted(cards):
            raise WrongDeals(
                f"Shuffle {number} must order the {len(cards)} cards {' '.join(cards)}; "
                f"it has {len(order)}: {' '.join(map(str, order))}.",
                shuffle=number,
            )
        return order

    def _number(self, n: int) -> int:
        asked = len(self._picks)
        if asked == len(self._given_picks):
            sentence = f"Pick {asked + 1} was requested, but only {asked} were given."
            raise WrongDeals(sentence, pick=asked + 1)
        number = self._given_picks[asked]
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < n:
            sentence = f"Pick {asked + 1} must be an integer from 0 to {n - 1}, not {number!r}."
            raise WrongDeals(sentence, pick=asked + 1)
        return number


class SplitDeals(Deals):
    """Takes shuffles from one source and picks from another."""

    __slots__ = ("_picker", "_shuffler")

    def __init__(self, shuffles: Deals, picks: Deals) -> None:
        super().__init__()
        self._shuffler = shuffles
        self._picker = picks

    def begin_deal(self) -> None:
        self._shuffler.begin_deal()
        self._picker.begin_deal()

    def copy(self) -> SplitDeals:
        return SplitDeals(self._shuffler.copy(), self._picker.copy()).with_past_of(self)

    def _order(self, cards: Sequence[str]) -> tuple[str, ...]:
        return self._shuffler.shuffle(cards)

    def _number(self, n: int) -> int:
        return self._picker.pick(n)
