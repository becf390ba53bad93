"""Pairs a round again from what was before it, to see whether it was paired by the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from arena.tournament.course import TournamentCourse
from arena.tournament.meeting import Pairing
from arena.tournament.steps import Over, Pair, Play, needs_more, next_step, pair_round
from arena.tournament.tournament_terms import Entrant, NoDutchLibrary, TournamentError

VERSION = re.compile(r"py4swiss [0-9.]+")
"""Other versions of the library for the Dutch system may pair alike."""


def wrong_pairings(course: TournamentCourse, is_over: bool) -> Iterator[str]:
    """Yields a sentence for each round that differs from the pairing by the rules, and for each
    table that played more groups than they ask for.

    `is_over`: True if nothing may be missing. Raises NoDutchLibrary.
    """
    for pairing in course.rounds:
        yield from _wrong(course, pairing)
        yield from _needless_groups(course, pairing)
    if not is_over:
        return
    match next_step(course):
        case Pair(number):
            yield f"Round {number} is missing."
        case Play([(meeting, number), *_]):
            yield f"Round {meeting.round}, table {meeting.table}: group {number} is missing."


def _wrong(course: TournamentCourse, pairing: Pairing) -> Iterator[str]:
    present = {one for meeting in pairing.meetings for one in meeting.entrants} | {*pairing.byes}
    entrants = [_as_then(one, pairing.round, one.number in present) for one in course.entrants]
    before = TournamentCourse(
        course.terms,
        entrants,
        course.rounds[: pairing.round - 1],
        {place: scores for place, scores in course.scores.items() if place[0] < pairing.round},
    )
    for one in course.entrants:
        absent = one.plays_in(pairing.round) and one.number not in present
        if absent and not course.terms.is_elimination:
            yield f"Round {pairing.round}: {one.name} is neither at a table nor has a bye."
        if one.number in present and not _could_play(one, pairing.round):
            yield f"Round {pairing.round}: {one.name} is paired, but was not in the tournament."
    step = next_step(before)
    if step != Pair(pairing.round):
        yield f"Round {pairing.round} is paired although {_instead(step)}."
        return
    try:
        right = pair_round(before, pairing.round)
    except NoDutchLibrary:
        raise
    except TournamentError as error:
        yield str(error)
        return
    if (right.meetings, right.byes) != (pairing.meetings, pairing.byes):
        yield f"Round {pairing.round}: the rules pair {_tables(right)}, not {_tables(pairing)}."
    elif right.costs != pairing.costs:
        yield f"Round {pairing.round}: the stated cost is not the cost of this pairing."
    elif VERSION.sub("", right.method) != VERSION.sub("", pairing.method):
        yield f"Round {pairing.round}: the method is {right.method!r}, not {pairing.method!r}."


def _needless_groups(course: TournamentCourse, pairing: Pairing) -> Iterator[str]:
    entrants = [_as_then(one, pairing.round, True) for one in course.entrants]
    for meeting in pairing.meetings:
        scores = course.scores_at(meeting)
        for played in range(course.terms.groups, len(scores)):
            place = (meeting.round, meeting.table)
            so_far = replace(course, entrants=entrants, scores={place: scores[:played]})
            if not needs_more(so_far, meeting):
                yield f"Round {meeting.round}, table {meeting.table}: {played} groups suffice."
                break


def _as_then(entrant: Entrant, round_number: int, present: bool) -> Entrant:
    """Returns an entrant as it was when the round was paired: it may have left during the round."""
    if present and entrant.withdrawn_round == round_number:
        return replace(entrant, withdrawn_round=None)
    return entrant


def _could_play(entrant: Entrant, round_number: int) -> bool:
    left = entrant.withdrawn_round
    return entrant.entered_round <= round_number and (left is None or left >= round_number)


def _instead(step: object) -> str:
    if isinstance(step, Over):
        return "the tournament was over"
    return "the round before it was not"


def _tables(pairing: Pairing) -> str:
    tables = ", ".join("-".join(map(str, meeting.entrants)) for meeting in pairing.meetings)
    return f"{tables} with byes {list(pairing.byes)}" if pairing.byes else tables
