"""Normal distributions over several quantities, many at once."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]


class Evidence(NamedTuple):
    """A factor of the form of a normal distribution, by its inverse covariance and the product of
    that with its mean: these add where factors multiply, and 0 says nothing."""

    precision: Floats
    shift: Floats

    def seen_through(self, noise: Floats) -> Evidence:
        """Returns what it says of a quantity if it is about that quantity with added noise of this
        covariance."""
        gain = inverse(np.eye(len(noise)) + self.precision @ noise)
        return Evidence(gain @ self.precision, times(gain, self.shift))


class Normal(NamedTuple):
    """A normal distribution, by mean and covariance; leading axes index several of them."""

    mean: Floats
    covariance: Floats

    def given(self, evidence: Evidence) -> Normal:
        """Returns the distribution once the evidence is multiplied in."""
        gain = inverse(np.eye(self.mean.shape[-1]) + self.covariance @ evidence.precision)
        mean = self.mean + times(self.covariance, evidence.shift)
        return Normal(times(gain, mean), gain @ self.covariance)

    def without(self, evidence: Evidence) -> Normal:
        """Returns the distribution before the evidence was multiplied in."""
        return self.given(Evidence(-evidence.precision, -evidence.shift))


def times(matrices: Floats, vectors: Floats) -> Floats:
    """Returns the product of each matrix with its vector."""
    return (matrices @ vectors[..., None])[..., 0]


def diagonal_matrices(values: Floats) -> Floats:
    """Returns a diagonal matrix for each row of values."""
    return values[..., None] * np.eye(values.shape[-1])


def diagonals(matrices: Floats) -> Floats:
    """Returns the values on the diagonal of each matrix."""
    return np.diagonal(matrices, axis1=-2, axis2=-1)


def summed(places: Integers, amounts: Floats, size: int) -> Floats:
    """Returns the sum of the amounts at each place, from 0 to `size` - 1."""
    sums = np.bincount(places.ravel(), amounts.ravel(), size)
    return sums.astype(np.float64, copy=False)


def inverse(matrices: Floats) -> Floats:
    """Returns the inverse of each matrix. LAPACK would take its time for a million numbers."""
    if matrices.shape[-1] == 1:
        return 1 / matrices
    return np.linalg.inv(matrices).astype(np.float64, copy=False)
