"""The randomness of a seat."""

from random import Random


class Randomness:
    """A generator that is reseeded for each decision, with the seat's seed and the decision's
    number. Earlier draws do not matter: a process that takes over in the middle of a match must
    give the same answers.

    Seeding takes much of the time of a simple decision, so it is not done until the bot asks for
    the generator. From then on it is done for every decision, as the bot may hold on to it.
    """

    __slots__ = ("_number", "_random", "_seed")

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._number = 0
        self._random: Random | None = None

    def turn_to(self, number: int) -> None:
        """Begins a decision."""
        self._number = number
        if self._random is not None:
            self._random.seed(self._seed_of_decision)

    @property
    def random(self) -> Random:
        if self._random is None:
            self._random = Random(self._seed_of_decision)
        return self._random

    @property
    def _seed_of_decision(self) -> bytes:
        return self._seed + self._number.to_bytes(4, "big")
