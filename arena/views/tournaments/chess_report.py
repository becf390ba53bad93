"""A tournament of two at a table as a chess federation's report, which other software reads: the
Tournament Report File of FIDE (C.04 A, Annex 2, TRF16)."""

from __future__ import annotations

from collections.abc import Iterator

from arena.foreign_text import visible
from arena.store.schema import TournamentEventKind
from arena.tournament import MeetingResult, Pairing, TournamentCourse, rounds_to_play
from arena.views.tournaments.tournament import Tournament
from arena.views.view import Moment

NAME_WIDTH = 33
NOT_PAIRED = "0000 - Z"
BYE = "0000 - U"
PLAYED = {1.0: "1", 0.5: "=", 0.0: "0"}
NOT_PLAYED = {1.0: "+", 0.0: "-"}


def chess_report(found: Tournament) -> str:
    """Returns the lines of a report. The tournament has two at a table.

    Who is named first at a table has white. A round that counts for nobody, since one of the two
    has its results annulled, is one without a pairing, so that the points add up.
    """
    return "".join(f"{line.rstrip()}\n" for line in _lines(found))


def _lines(found: Tournament) -> Iterator[str]:
    course = found.course()
    at = {kind: _date(moment) for kind, moment in _moments(found).items()}
    yield f"012 {visible(found.tournament)}"
    yield f"042 {at.get(TournamentEventKind.STARTED, '')}"
    yield f"052 {at.get(TournamentEventKind.OVER, '')}"
    yield f"062 {len(found.entrants)}"
    yield "072 0"
    yield "082 0"
    yield f"092 {found.plays}, {found.game}"
    yield f"122 {found.bank_ms} ms a match and seat, {found.increment_ms} ms a decision"
    paired = [one.at for one in found.events if one.kind is TournamentEventKind.PAIRED]
    yield f"132{'':88}" + "  ".join(_date(one)[2:] for one in paired)
    yield f"XXR {_number_of_rounds(found, course)}"
    rounds = [_round(course, pairing) for pairing in course.rounds]
    standing = {one.number: one for one in found.standings}
    for one in found.entrants:
        own = standing[one.number]
        yield (
            f"001 {one.number:4} {'':4} {visible(one.bot)[:NAME_WIDTH]:{NAME_WIDTH}} {'':4} {'':3}"
            f" {'':11} {'':10} {own.points:4.1f} {own.place:4}"
            + "".join(f"  {results.get(one.number, NOT_PAIRED)}" for results in rounds)
        )


def _number_of_rounds(found: Tournament, course: TournamentCourse) -> int:
    """Returns the rounds that are planned; in an elimination those that have been paired. Pairing
    software asks for them, in a line that is not FIDE's."""
    if found.is_elimination:
        return len(found.rounds)
    return rounds_to_play(found.terms, len(course.first_field))


def _moments(found: Tournament) -> dict[TournamentEventKind, Moment]:
    return {one.kind: one.at for one in found.events}


def _date(moment: Moment) -> str:
    return f"{moment:%Y/%m/%d}"


def _round(course: TournamentCourse, pairing: Pairing) -> dict[int, str]:
    """Returns a round's entry of each entrant that was paired or had a bye, by number."""
    entries = {one: BYE for one in pairing.byes if course.bye_points(one, pairing)}
    for meeting in pairing.meetings:
        if course.annulled.isdisjoint(meeting.entrants):
            result = course.result_of(meeting)
            white, black = meeting.entrants
            entries[white] = f"{black:4} w {_token(result, white)}"
            entries[black] = f"{white:4} b {_token(result, black)}"
    return entries


def _token(result: MeetingResult | None, one: int) -> str:
    """Returns the code of a result; a blank before there is one."""
    if result is None:
        return " "
    both_left = len(result.forfeited) == 2
    codes = PLAYED if result.groups and not both_left else NOT_PLAYED
    return codes[result.points[one]]
