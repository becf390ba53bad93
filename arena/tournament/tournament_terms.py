"""Terms and entrants of a tournament, which are fixed when it is created."""

from __future__ import annotations

from dataclasses import dataclass

PAIRINGS = ("cost", "dutch")
FORMATS = ("auto", "round-robin", "swiss", "single-elimination", "double-elimination")
TIE_BREAKS = (
    "direct-encounter",
    "buchholz-cut-1",
    "buchholz",
    "sonneborn-berger",
    "score-sum",
    "wins",
    "lot",
    "board-points",
)
USUAL_TIE_BREAKS = (*TIE_BREAKS[:4], "wins", "lot")
MOST_ENTRANTS = 1024
MOST_ROUNDS = 1024
MOST_AT_A_TABLE = 16
MOST_GROUPS = 100
LONGEST_BEACON = 200
SMALLEST_POOL = 3  # smaller ones could leave an entrant alone


class TournamentError(ValueError):
    """Raised for invalid terms or results, and for a round that cannot be paired.

    `sentence`: what was wrong and what to do.
    `field`: the term or value that was wrong.
    """

    def __init__(self, sentence: str, field: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.field = field


class NoDutchLibrary(TournamentError):
    """The library that pairs by the Dutch system is not installed here."""


@dataclass(frozen=True)
class TournamentTerms:
    """The rules of a tournament.

    `format`: one of FORMATS; `auto` is a round robin if `rounds` suffice for one, else Swiss.
    `rounds`: of a round robin or a Swiss; 0: as many as format and field suggest.
    `pairing`: of a Swiss: by the published cost, or by the Dutch system of chess.
    `per_table`: entrants that meet at one table; a team is one entrant.
    `groups`: the groups of matches that a table plays, each with its own deals.
    `most_groups`: a tie in an elimination is continued up to this number of groups; then the
      smaller number advances.
    `tie_breaks`: names from TIE_BREAKS that order equal points, the first one first.
    `by_boards`: a table is decided by who has the better score in more groups, not by the sum.
    `third_place`: in a single elimination of two at a table, the losers of the semi-finals meet.
    `pool_size`: before an elimination of two at a table, pools of at most so many entrants play
      round robins; 0: there are none.
    `advance`: how many of each pool go on.
    `seed_from`: the ladder whose standing orders the field at the start; empty: as entered.
    `seed_by_lot`: the seeds follow from the secret, as the deals do.
    `beacon`: names a public value that nobody can choose or know yet; deals and lots follow from it
      too. Empty: from the secret and the plan alone.
    """

    format: str = "auto"
    rounds: int = 0
    per_table: int = 2
    groups: int = 2
    most_groups: int = 10
    tie_breaks: tuple[str, ...] = USUAL_TIE_BREAKS
    pairing: str = PAIRINGS[0]
    by_boards: bool = False
    third_place: bool = False
    pool_size: int = 0
    advance: int = 2
    seed_from: str = ""
    seed_by_lot: bool = False
    beacon: str = ""

    def __post_init__(self) -> None:
        if self.format not in FORMATS:
            raise TournamentError(
                f"`format` is {self.format!r}; choose one of: {', '.join(FORMATS)}.", "format"
            )
        self._check_pairing()
        if self.third_place and (self.format != "single-elimination" or self.per_table != 2):
            raise TournamentError(
                "`third_place` is true, which only a single elimination with two at a table can"
                f" have; the format is {self.format}, with {self.per_table} at a table.",
                "third_place",
            )
        self._check_pools()
        if self.seed_from and self.seed_by_lot:
            raise TournamentError(
                f"`seed_from` is {self.seed_from} and `seed_by_lot` is true; choose one of them.",
                "seed_by_lot",
            )
        if len(self.beacon) > LONGEST_BEACON or not self.beacon.isprintable():
            raise TournamentError(
                f"`beacon` must be a name of one line and of at most {LONGEST_BEACON} characters.",
                "beacon",
            )
        _check_between("rounds", self.rounds, 0, MOST_ROUNDS)
        _check_between("per_table", self.per_table, 2, MOST_AT_A_TABLE)
        _check_between("groups", self.groups, 1, MOST_GROUPS)
        _check_between("most_groups", self.most_groups, 1, MOST_GROUPS)
        if self.rounds and self.is_elimination:
            raise TournamentError(
                "`rounds` cannot be chosen in an elimination: it takes as many as it needs.",
                "rounds",
            )
        if unknown := [name for name in self.tie_breaks if name not in TIE_BREAKS]:
            raise TournamentError(
                f"`tie_breaks` has {unknown[0]!r}; choose from: {', '.join(TIE_BREAKS)}.",
                "tie_breaks",
            )
        if len(set(self.tie_breaks)) < len(self.tie_breaks):
            raise TournamentError(
                "`tie_breaks` has a name twice; give each name once.", "tie_breaks"
            )

    def _check_pairing(self) -> None:
        if self.pairing not in PAIRINGS:
            raise TournamentError(
                f"`pairing` is {self.pairing!r}; choose one of: {', '.join(PAIRINGS)}.", "pairing"
            )
        if self.pairing == "dutch" and self.format not in ("swiss", "auto"):
            raise TournamentError(
                f"`pairing` is dutch, which pairs a Swiss; the format is {self.format}.", "pairing"
            )
        if self.pairing == "dutch" and self.per_table != 2:
            raise TournamentError(
                f"`pairing` is dutch, which pairs two at a table; here {self.per_table} meet.",
                "pairing",
            )

    def _check_pools(self) -> None:
        if not self.pool_size:
            return
        if not self.is_elimination or self.per_table != 2:
            raise TournamentError(
                f"`pool_size` is {self.pool_size}, but pools come before an elimination with two at"
                f" a table; the format is {self.format}, with {self.per_table} at a table.",
                "pool_size",
            )
        _check_between("pool_size", self.pool_size, SMALLEST_POOL, MOST_ENTRANTS)
        _check_between("advance", self.advance, 1, self.pool_size - 1)

    @property
    def bye(self) -> float:
        """The points of a bye: with two at a table those of a win, as in chess; else those of an
        average table, where a win would be worth more than playing is."""
        return 1.0 if self.per_table == 2 else (self.per_table - 1) / 2

    @property
    def is_elimination(self) -> bool:
        """True if losers leave."""
        return self.format.endswith("elimination")


@dataclass(frozen=True)
class Entrant:
    """A bot or a team in a tournament.

    `number`: from 1, in the order of the seeds.
    `owner`: entrants of one owner never meet; None for the organiser, whose entrants may meet.
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
        """Returns True if the entrant is to be paired in a round."""
        left = self.withdrawn_round is not None and self.withdrawn_round <= round_number
        return self.entered_round <= round_number and not left


def _check_between(field: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise TournamentError(
            f"`{field}` is {value}; it must be between {least} and {most}.", field
        )
