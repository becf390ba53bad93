"""Eliminations: who has lost as often as the format allows is out.

Single elimination for two: a fixed bracket in which the best seeds meet last; seeds that find
nobody in the first round have a bye. Otherwise each round seats those with equally many losses
together, the best seeds at different tables, and the upper half of a table advances without a loss.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from arena.tournament.course import TournamentCourse
from arena.tournament.meeting import Meeting, MeetingResult, Pairing, meetings_of


def pair_elimination(course: TournamentCourse, number: int) -> Pairing | None:
    """Returns a round, or None if the tournament is decided, or if so many have left it that the
    survivors do not fill a table. All earlier rounds are over."""
    alive = survivors(course, number)
    if len(alive) < course.terms.per_table or (number > 1 and was_final(course, number - 1)):
        return None
    if lives(course) == 1 and course.terms.per_table == 2:
        return _bracket_round(course, number, alive)
    return _seated_round(course, number, alive)


def lives(course: TournamentCourse) -> int:
    """Returns the number of losses after which an entrant is out."""
    return 2 if course.terms.format == "double-elimination" else 1


def survivors(course: TournamentCourse, number: int) -> list[int]:
    """Returns the entrants that are not out before a round, the best seed first."""
    losses = losses_before(course, number)
    return [
        one.number
        for one in course.entrants
        if one.plays_in(number) and losses[one.number] < lives(course)
    ]


def losses_before(course: TournamentCourse, number: int) -> Counter[int]:
    """Returns how often each entrant had lost before a round."""
    losses: Counter[int] = Counter()
    for pairing in course.rounds[: number - 1]:
        for meeting in pairing.meetings:
            order = ranking(course, meeting)
            losses.update(order[places_to_go_on(course, pairing) :])
    return losses


def ranking(course: TournamentCourse, meeting: Meeting) -> list[int]:
    """Returns the entrants of a table, the best first: those who left come last, and the smaller
    number decides what is tied."""
    result = course.result_of(meeting)
    if result is None:
        return sorted(meeting.entrants)
    sums = result.score_sums
    return sorted(
        meeting.entrants, key=lambda one: (one in result.forfeited, -round(sums[one], 6), one)
    )


def is_tied(course: TournamentCourse, meeting: Meeting) -> bool:
    """Returns True if it is open who advances from a table, since the last who would and the first
    who would not have equal scores. At a final all places count."""
    result = course.result_of(meeting)
    if result is None:
        return True
    pairing = course.rounds[meeting.round - 1]
    staying = [one for one in ranking(course, meeting) if one not in result.forfeited]
    places = places_to_go_on(course, pairing)
    cuts = range(1, len(staying)) if places == 1 else [places]
    return any(
        _tie(result, staying[cut - 1], staying[cut]) for cut in cuts if 0 < cut < len(staying)
    )


def places_to_go_on(course: TournamentCourse, pairing: Pairing) -> int:
    """Returns how many of each table advance without a loss: the upper half; more if those left
    could not fill a table otherwise; one if it is the only table, with all entrants at it."""
    sides, tables = course.terms.per_table, len(pairing.meetings)
    if tables == 1 and not pairing.byes:
        return 1
    half = sides // 2
    missing = sides - len(pairing.byes) - tables * half
    return half if missing <= 0 else half + -(-missing // tables)


def _tie(result: MeetingResult, one: int, other: int) -> bool:
    return (one, other, 0.5) in result.pairwise()


def was_final(course: TournamentCourse, number: int) -> bool:
    """Returns True if all entrants of that round sat at one table of more than two, which decides.
    Between two, all losses that the format allows are played for."""
    pairing = course.rounds[number - 1]
    return course.terms.per_table > 2 and len(pairing.meetings) == 1 and not pairing.byes


def _bracket_round(course: TournamentCourse, number: int, alive: Sequence[int]) -> Pairing:
    """Pairs those who are left in each part of the bracket; who is alone there has a bye."""
    slots = bracket_order(len(course.entrants))
    tables, byes = [], []
    for start in range(0, len(slots), 2**number):
        here = sorted(one for one in slots[start : start + 2**number] if one in alive)
        if len(here) == 2:
            tables.append((here[0], here[1]))
        else:
            byes += here
    return Pairing(number, meetings_of(number, tables), tuple(sorted(byes)), method="bracket")


def bracket_order(count: int) -> list[int]:
    """Returns the seeds in the order of the bracket, 0 for an empty place: 1 and 2 can only meet in
    the final, 1 to 4 not before the semi-finals, and so on."""
    order = [1]
    while len(order) < count:
        size = 2 * len(order) + 1
        order = [seed for one in order for seed in (one, size - one)]
    return [seed if seed <= count else 0 for seed in order]


def _seated_round(course: TournamentCourse, number: int, alive: Sequence[int]) -> Pairing:
    """Seats groups of equally many losses; those who cannot fill a table join the next group. Who
    has the fewest losses pauses first, then who has paused least, then the best seed."""
    sides, losses = course.terms.per_table, losses_before(course, number)
    paused = course.tallies(number)
    tables: list[tuple[int, ...]] = []
    group: list[int] = []
    byes: list[int] = []
    for lost in range(lives(course)):
        group += [one for one in alive if losses[one] == lost]
        is_last = lost == lives(course) - 1
        if len(group) < sides and not is_last:
            continue  # they meet those who have lost once more
        pausing = sorted(group, key=lambda one: (losses[one], paused[one].byes, one))[
            : len(group) % sides
        ]
        tables += serpentine([one for one in sorted(group) if one not in pausing], sides)
        byes += pausing
        group = []
    return Pairing(number, meetings_of(number, tables), tuple(sorted(byes)), method="by losses")


def serpentine(numbers: Sequence[int], sides: int) -> list[tuple[int, ...]]:
    """Returns tables with the seeds dealt out to and fro: 1 2 3, then 6 5 4, then 7 8 9."""
    count = len(numbers) // sides
    tables: list[list[int]] = [[] for _ in range(count)]
    for turn in range(sides):
        row = numbers[turn * count : (turn + 1) * count]
        for table, one in zip(tables if turn % 2 == 0 else tables[::-1], row, strict=True):
            table.append(one)
    return [tuple(table) for table in tables]
