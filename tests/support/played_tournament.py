"""Tournaments played in thought: the better number wins more often."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from arena.tournament import (
    Entrant,
    Meeting,
    Over,
    Pair,
    Pairing,
    Play,
    TournamentCourse,
    TournamentTerms,
    next_step,
)
from arena.tournament.steps import pair_round

Scores = dict[tuple[int, int], list[tuple[float, ...]]]
Score = Callable[[Meeting, int], tuple[float, ...]]


def field_of(count: int) -> list[Entrant]:
    return [Entrant(number, f"bot-{number}") for number in range(1, count + 1)]


def by_strength(rng: Random, noise: float = 0.3) -> Score:
    """Scores that fall with the number, plus noise."""

    def score(meeting: Meeting, group: int) -> tuple[float, ...]:
        return tuple(-one * 0.1 + rng.gauss(0, noise) for one in meeting.entrants)

    return score


def play_out(
    terms: TournamentTerms,
    entrants: Sequence[Entrant],
    score: Score,
    change: Callable[[TournamentCourse], TournamentCourse] = lambda course: course,
    most_rounds: int = 100,
) -> TournamentCourse:
    """Plays a tournament to its end. `change`: is asked before each step."""
    rounds: list[Pairing] = []
    scores: Scores = {}
    course = TournamentCourse(terms, list(entrants), rounds, scores)
    while True:
        course = change(replace(course, rounds=list(rounds), scores=dict(scores)))
        match next_step(course):
            case Over():
                return course
            case Pair(number):
                assert number == len(rounds) + 1 <= most_rounds
                rounds.append(pair_round(course, number))
            case Play(due):
                assert due
                for meeting, number in due:
                    groups = scores.setdefault((meeting.round, meeting.table), [])
                    assert number == len(groups) + 1
                    groups.append(score(meeting, number))
