"""Questions: shown in place of a form whose values a link gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from arena.operations.competitions.ladders import begin_season, change_ladder
from arena.operations.competitions.tournaments import check_in
from arena.operations.competitions.voids import unvoid_matches, void_matches
from arena.operations.operation import Operation
from arena.operations.owners import ban_owner, delete_owner, readmit_owner
from arena.operations.versions import readmit_version, retire_version
from arena.store.schema import CompetitionState


@dataclass(frozen=True)
class Question:
    """A question, its explanation, and the words of the button.

    `given`: the parameters whose values a link gives; `text` has their names in braces.
    `fixed`: those that must have certain values.
    """

    text: str
    explanation: str
    button: str
    given: tuple[str, ...]
    fixed: Mapping[str, str] = field(default_factory=dict)


QUESTIONS: Mapping[str, Question] = {
    retire_version.name: Question(
        text="Retire version {number} of {bot}?",
        explanation="It leaves all ladders and plays no further matches. Its past matches stay,"
        " nothing is deleted, and submitting the same files again brings it back.",
        button="Retire it",
        given=("bot", "number"),
    ),
    readmit_version.name: Question(
        text="Readmit version {number} of {bot} to the ladder {ladder}?",
        explanation="It plays there again, and its faults so far no longer count.",
        button="Readmit it",
        given=("bot", "number", "ladder"),
    ),
    check_in.name: Question(
        text="Check {bot} in to the tournament {tournament}?",
        explanation="Only entrants that have checked in before the start play.",
        button="Check it in",
        given=("tournament", "bot"),
    ),
    void_matches.name: Question(
        text="Declare the match {match} void?",
        explanation="Everybody can still read it, with your reason, but it counts for nothing, and"
        " so do all matches of its duplicate group. A table of a tournament plays again. You can"
        " let matches of ladders count again later.",
        button="Declare it void",
        given=("match",),
    ),
    unvoid_matches.name: Question(
        text="Let the match {match} count again?",
        explanation="Ratings and figures are then as if it had never been void.",
        button="Let it count",
        given=("match",),
    ),
    ban_owner.name: Question(
        text="Ban {owner}?",
        explanation="All versions of their bots are retired and leave ladders and tournaments,"
        " their tokens end, and submissions are refused with your reason.",
        button="Ban them",
        given=("owner",),
    ),
    readmit_owner.name: Question(
        text="Readmit {owner}?",
        explanation="They may take part again. Their tokens stay revoked and their versions"
        " retired: create a new token, by which they submit their bots again.",
        button="Readmit them",
        given=("owner",),
    ),
    delete_owner.name: Question(
        text="Delete {owner} and all their bots for good?",
        explanation="Their tokens end, and the files, manifests and private logs of their bots are"
        " deleted. Their matches stay, with the bots' names, which can never be used again.",
        button="Delete them",
        given=("owner",),
    ),
    change_ladder.name: Question(
        text="Close the ladder {ladder} for good?",
        explanation="Matches that are not over yet are given up, and its standings are final. It"
        " keeps its page, and leaves the home page and the forms.",
        button="Close it",
        given=("ladder",),
        fixed={"state": CompetitionState.OVER},
    ),
    begin_season.name: Question(
        text="Begin the next season of the ladder {ladder}?",
        explanation="This ladder is closed for good, and keeps its final standings. A new one has"
        " the same terms and versions, with new ratings.",
        button="Begin it",
        given=("ladder",),
    ),
}


def question_of(operation: Operation[..., Any], values: Mapping[str, str]) -> Question | None:
    """Returns the question for an operation with these values; None if they call for the form."""
    question = QUESTIONS.get(operation.name)
    if question is None or not all(values.get(name) for name in question.given):
        return None
    fits = all(values.get(name) == value for name, value in question.fixed.items())
    return question if fits else None
