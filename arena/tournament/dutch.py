"""The FIDE Dutch system, for two at a table: a library pairs by the rules of chess.

Colours are assigned as in chess, and white is named first at a table. They count for nothing but
the pairings that follow: a table plays each deal in both seatings, unless its matches are single.
Importing this fails where the library, an optional dependency, is not installed.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from itertools import combinations

from py4swiss.engines import DutchEngine
from py4swiss.engines.common import PairingError
from py4swiss.trf import ParsedTrf
from py4swiss.trf.codes import PlayerCode
from py4swiss.trf.results import ColorToken, ResultToken, RoundResult
from py4swiss.trf.sections import PlayerSection, XSection

from arena.tournament.course import TournamentCourse
from arena.tournament.meeting import MeetingResult, Pairing, meetings_of

COLOURS = (ColorToken.WHITE, ColorToken.BLACK)
PLAYED = {1.0: ResultToken.WIN, 0.5: ResultToken.DRAW, 0.0: ResultToken.LOSS}
NOT_PLAYED = {1.0: ResultToken.FORFEIT_WIN, 0.0: ResultToken.FORFEIT_LOSS}


def pair_dutch(course: TournamentCourse, number: int, rounds: int) -> Pairing | None:
    """Returns a round, or None if the Dutch system has none: without a repeat, owners and colours
    leave no pairing.

    `rounds`: of the tournament; in the last one colours matter less.
    """
    history = ParsedTrf(
        player_sections=_players(course, number),
        x_section=XSection(
            number_of_rounds=rounds,
            zeroed_ids={one.number for one in course.entrants if not one.plays_in(number)},
            forbidden_pairs=set(_of_one_owner(course)),
        ),
    )
    try:
        pairs = DutchEngine.generate_pairings(history)
    except PairingError:
        return None
    tables = [(pair.white, pair.black) for pair in pairs if pair.black]
    byes = tuple(pair.white for pair in pairs if not pair.black)
    method = f"FIDE Dutch system, by py4swiss {version('py4swiss')}"
    return Pairing(number, meetings_of(number, tables), byes, method=method)


def _players(course: TournamentCourse, number: int) -> list[PlayerSection]:
    rounds = [_results(course, pairing) for pairing in course.rounds[: number - 1]]
    return [
        PlayerSection(
            code=PlayerCode.PLAYER,
            starting_number=one,
            rank=one,
            points_times_ten=5 * tally.half_points,
            results=[results.get(one, _absent(ResultToken.ZERO_POINT_BYE)) for results in rounds],
        )
        for one, tally in course.tallies(number).items()
    ]


def _results(course: TournamentCourse, pairing: Pairing) -> dict[int, RoundResult]:
    """Returns what a round brought to those who were paired in it, by number."""
    results = {one: _absent(ResultToken.PAIRING_ALLOCATED_BYE) for one in pairing.byes}
    for meeting in pairing.meetings:
        if result := course.result_of(meeting):
            results |= _of_meeting(result)
    return results


def _of_meeting(result: MeetingResult) -> dict[int, RoundResult]:
    """A table that was left before it finished a group counts as not played."""
    white, black = result.meeting.entrants
    tokens = PLAYED if result.groups else NOT_PLAYED
    return {
        one: RoundResult(id=other, color=colour, result=tokens[result.points[one]])
        for one, other, colour in zip((white, black), (black, white), COLOURS, strict=True)
    }


def _absent(token: ResultToken) -> RoundResult:
    return RoundResult(id=0, color=ColorToken.BYE_OR_NOT_PAIRED, result=token)


def _of_one_owner(course: TournamentCourse) -> Iterator[tuple[int, int]]:
    for one, other in combinations(course.entrants, 2):
        if one.owner is not None and one.owner == other.owner:
            yield one.number, other.number
