"""Finite fields, from which perfect schedules are constructed."""

from __future__ import annotations

from functools import cache
from itertools import product

Polynomial = tuple[int, ...]
"""Coefficients below the field's prime, that of the highest power first."""


class FiniteField:
    """The field of prime^degree elements, which are the numbers from 0 to order - 1: a number's
    digits to the base of the prime are the coefficients of a polynomial in x."""

    def __init__(self, prime: int, degree: int) -> None:
        self.order = int(prime**degree)
        self._prime = prime
        self._polynomials = list(product(range(prime), repeat=degree))
        self._numbers = {one: number for number, one in enumerate(self._polynomials)}
        # Where the powers of x are all elements but 0, each of these has an inverse.
        self._powers = next(
            powers
            for reduced in product(range(prime), repeat=degree)
            if len(powers := self._powers_of_x(reduced)) == self.order - 1
        )
        self._exponents = {element: exponent for exponent, element in enumerate(self._powers)}

    def add(self, one: int, other: int) -> int:
        """Returns the sum."""
        pairs = zip(self._polynomials[one], self._polynomials[other], strict=True)
        return self._numbers[tuple((a + b) % self._prime for a, b in pairs)]

    def times(self, one: int, other: int) -> int:
        """Returns the product."""
        if not one or not other:
            return 0
        return self.power(self._exponents[one] + self._exponents[other])

    def power(self, exponent: int) -> int:
        """Returns that power of x; up to the exponent order - 2 they are all different."""
        return self._powers[exponent % (self.order - 1)]

    def _powers_of_x(self, reduced: Polynomial) -> list[int]:
        """Returns the powers of x from 1 on, until one is 0 or comes again. `reduced`: what
        x^degree is."""
        found: list[int] = []
        power = self._polynomials[1]
        while (number := self._numbers[power]) not in (0, *found):
            found.append(number)
            shifted = (*power[1:], 0)
            power = tuple(
                (a + power[0] * b) % self._prime for a, b in zip(shifted, reduced, strict=True)
            )
        return found


@cache
def finite_field(order: int) -> FiniteField | None:
    """Returns the field of that order; None if the order is not a power of a prime."""
    prime = next((divisor for divisor in range(2, order + 1) if order % divisor == 0), 0)
    for degree in range(1, order.bit_length()):
        if prime and prime**degree == order:
            return FiniteField(prime, degree)
    return None
