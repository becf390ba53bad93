"""The design of a comparison's test, agreed before its first group."""

from __future__ import annotations

from math import log
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

ErrorRate = Annotated[float, Field(gt=0, lt=0.5)]
Standardised = Annotated[float, Field(ge=-2, le=2)]


class StrictModel(BaseModel):
    """A part of a certificate: immutable, without unknown fields, infinities and NaN."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Design(StrictModel):
    """The design of a sequential test: its two hypotheses and error rates.

    The strength of a difference is t: the mean of the group differences over their standard
    deviation. 0.1 is small, 0.2 plain, 0.5 large.

    `alpha`: the largest probability of the verdict "better" if t is `t0`. It holds for differences
      of any distribution if `t0` is 0 and `widest` is known, else if they are not much skewed.
    `beta`: the same of "not better" if t is `t1`, for differences that are not much skewed.
    `most_groups`: after so many groups without a verdict it is "undecided".
    `widest`: the largest possible difference of a group, in points; None if it is not known.
    """

    t0: Standardised = 0.0
    t1: Standardised = 0.2
    alpha: ErrorRate = 0.05
    beta: ErrorRate = 0.05
    most_groups: int = Field(default=1500, ge=1, le=20_000)
    widest: float | None = Field(gt=0)

    @model_validator(mode="after")
    def _in_order(self) -> Design:
        if self.t1 - self.t0 < 0.01:
            raise ValueError(
                f"t1 is {self.t1} and t0 is {self.t0}; t1 must be larger by at least 0.01."
            )
        return self

    @property
    def lower(self) -> float:
        """The log likelihood ratio at which the verdict is "not better" (Wald 1945)."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log likelihood ratio at which the verdict is "better" (Wald 1945)."""
        return log((1 - self.beta) / self.alpha)
