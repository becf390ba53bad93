"""The analysis of a match."""

from __future__ import annotations

from enum import StrEnum

from sqlalchemy.orm import Session

from arena.errors import Kind
from arena.store import schema
from arena.store.texts import DamagedText, LostText, unpacked
from arena.views.view import View


class Estimate(View):
    """A mean over playouts, and its standard error."""

    mean: float
    error: float


class Mark(StrEnum):
    """The size of a loss that is more than chance explains."""

    BLUNDER = "blunder"
    MISTAKE = "mistake"
    INACCURACY = "inaccuracy"


class WeighedAction(View):
    """A legal action.

    `rank`, `score`: those of its seat at the end of the match.
    `behind`: its rank less that of the best action, guess by guess.
    `guesses`: the number of guesses on which it was played on.
    """

    action: str
    rank: Estimate
    score: Estimate
    behind: Estimate
    guesses: int


class WeighedDecision(View):
    """A bot's choice among several actions.

    `decision`: counts within the match from 1, `number` within the seat.
    `actions`: all legal actions, the best first.
    `loss`: the expected rank after the chosen action less that after the best one.
    `sampled`: the loss on the action that half of the budget chose, by the other half; sums are of
      these.
    `at_random`: the loss of an action chosen at random, on the same action and guesses.
    `expected`: by seat, the expected rank after the chosen action, by all that this seat knows.
    `exact`: True if each action was followed by the best play of both sides to the end of the deal,
      because nothing was hidden from them; False if by playouts.
    """

    decision: int
    seat: int
    number: int
    action: str
    actions: tuple[WeighedAction, ...]
    loss: Estimate
    sampled: Estimate
    at_random: Estimate
    mark: Mark | None
    expected: tuple[Estimate, ...]
    exact: bool = False  # stored analyses from before exact play lack it


class Play(View):
    """The play of a seat.

    `loss`: the sum of `sampled` over its decisions.
    `accuracy`: 1 if it lost nothing, 0 if it lost as much as by choosing at random, more than 1 if
      it chose better than the search; None if choices at random might lose nothing either.
    `luck`: the ranks that the cards gave it, negative if they took some; None if not all seats were
      analysed, or one was at fault.
    """

    seat: int
    bot: str
    decisions: int
    loss: Estimate
    accuracy: Estimate | None
    marks: dict[Mark, int]
    luck: Estimate | None = None


class Analysis(View):
    """`budget`: playouts for each decision. `plays`: of the seats that were analysed."""

    match: str
    game: str
    budget: int
    seed: str
    plays: tuple[Play, ...]
    decisions: tuple[WeighedDecision, ...]


class AnalysisState(StrEnum):
    NONE = "none"
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class StoredAnalysis(View):
    """The analysis of a match by its arena.

    `state`: none if nobody has asked for one. `reason`: why it failed, else empty.
    `analysis`: if it is done.
    """

    state: AnalysisState
    reason: str = ""
    analysis: Analysis | None = None


def stored_analysis(session: Session, match: str) -> StoredAnalysis:
    """Returns the analysis of a match, given by its whole id. Raises LostText if it is damaged."""
    row = session.get(schema.Analysis, match)
    if row is None:
        return StoredAnalysis(state=AnalysisState.NONE)
    if row.reason:
        return StoredAnalysis(state=AnalysisState.FAILED, reason=row.reason)
    if row.body is None:
        state = AnalysisState.RUNNING if row.running else AnalysisState.WAITING
        return StoredAnalysis(state=state)
    try:
        analysis = Analysis.model_validate_json(unpacked(row.body))
    except (DamagedText, ValueError) as error:
        raise LostText(
            Kind.UNUSABLE,
            f"The analysis of match {match} is damaged ({error}); only a backup of the arena may"
            " still have it.",
        ) from None
    return StoredAnalysis(state=AnalysisState.DONE, analysis=analysis)
