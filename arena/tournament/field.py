"""Terms and entrants of a tournament, which are fixed when it is created."""

from __future__ import annotations

from dataclasses import dataclass

from arena.errors import CommandError

FORMATS = ("auto", "swiss", "round_robin", "single")
TIE_BREAKS = (
    "direct_encounter",
    "buchholz_cut_1",
    "buchholz",
    "sonneborn_berger",
    "score_sum",
    "wins",
    "lot",
)
MOST_ENTRANTS = 1024
MOST_ROUNDS = 1024
MOST_AT_A_TABLE = 16


class TournamentError(CommandError):
    """Terms, results or a document that make no tournament, or a round that cannot be paired."""


@dataclass(frozen=True)
class Terms:
    """The rules of a tournament.

    `format`: one of FORMATS; `auto` is a round robin if `rounds` suffice for one, else Swiss.
    `rounds`: the most rounds to play; a single elimination takes as many as it needs.
    `per_table`: entrants that meet at one table.
    `tie_breaks`: names from TIE_BREAKS that order equal points, the first one first.
    `most_played_on`: how often a tied meeting of an elimination is continued; after that, the
    entrant with the smaller number goes on.
    """

    format: str = "auto"
    rounds: int = 5
    per_table: int = 2
    tie_breaks: tuple[str, ...] = TIE_BREAKS
    most_played_on: int = 3

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise TournamentError(
                f"`format` is {self.format!r}; choose one of: {', '.join(FORMATS)}.", "format"
            )
        _check_between("rounds", self.rounds, 1, MOST_ROUNDS)
        _check_between("per_table", self.per_table, 2, MOST_AT_A_TABLE)
        _check_between("most_played_on", self.most_played_on, 0, 100)
        if self.format == "single" and self.per_table != 2:
            raise TournamentError(
                "`per_table` must be 2 in a single elimination; choose swiss or round_robin "
                "for larger tables.",
                "per_table",
            )
        if unknown := [name for name in self.tie_breaks if name not in TIE_BREAKS]:
            raise TournamentError(
                f"`tie_breaks` has {unknown[0]!r}; choose from: {', '.join(TIE_BREAKS)}.",
                "tie_breaks",
            )
        if len(set(self.tie_breaks)) < len(self.tie_breaks):
            raise TournamentError("`tie_breaks` names one twice; name each once.", "tie_breaks")


@dataclass(frozen=True)
class Entrant:
    """A bot or a team in a tournament.

    `number`: from 1, in the order of the seeds.
    `owner`: entrants of one owner never meet; None for those of the organiser, who may.
    `entered_round`: the first round to be paired in; rounds before it count 0 points.
    `withdrawn_round`: the first round not to be paired in; None for those who stay.
    """

    number: int
    name: str
    owner: str | None = None
    entered_round: int = 1
    withdrawn_round: int | None = None

    def __post_init__(self) -> None:
        _check_between("number", self.number, 1, MOST_ENTRANTS)
        _check_between("entered_round", self.entered_round, 1, MOST_ROUNDS)
        if self.withdrawn_round is not None:
            _check_between("withdrawn_round", self.withdrawn_round, 1, MOST_ROUNDS)

    def plays_in(self, round_number: int) -> bool:
        """Returns whether the entrant is to be paired in a round."""
        left = self.withdrawn_round is not None and self.withdrawn_round <= round_number
        return self.entered_round <= round_number and not left


def _check_between(field: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise TournamentError(
            f"`{field}` is {value}; it must be between {least} and {most}.", field
        )
