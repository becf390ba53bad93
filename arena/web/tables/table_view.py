"""A table as its person may see it, in words: all that the page shows follows from this."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from arena.protocol import FaultKind
from arena.records.wording import Wording, facts_of
from arena.web.tables.card_table import CardTable
from arena.web.tables.drawing import Document, drawing_of
from arena.web.tables.transcript import Transcript
from sevens.bot.v1.observation_pb2 import Event, Zone
from sevens.record.v1.match_record_pb2 import Seat

OWN_FAULTS: Mapping[str, str] = {
    FaultKind.DISCONNECTED: "You left the table, and the arena played on for you.",
    FaultKind.TIMEOUT: "Your time was up, and the arena played on for you.",
    FaultKind.START_FAILED: "You were not there when the match began.",
}


class State(StrEnum):
    """The person's part at the moment.

    `BEGINS`: wait for the match to begin. `CHOOSE`: choose. `OTHERS`: wait for the others. `LATE`:
    their time was up, and the arena plays on for them. `OVER`: the match is over. `LOST`: it cannot
    go on for them.
    """

    BEGINS = "begins"
    CHOOSE = "choose"
    OTHERS = "others"
    LATE = "late"
    OVER = "over"
    LOST = "lost"


@dataclass(frozen=True)
class Shown:
    """A zone or a fact in words. `owner`: the seat that it belongs to, if any."""

    title: str
    owner: int | None
    text: str


@dataclass(frozen=True)
class Choice:
    """A legal action. `words`: what a button says."""

    index: int
    action: str
    words: str


@dataclass(frozen=True)
class TableView:
    """A table.

    `sequence`: grows with every change.
    `number`: of the latest decision, `left_ms`: the time left for it.
    `zones`, `facts`: the table as the person saw it when they were asked.
    `since`, `before`: the events after their last decision but one, and those before, as sentences.
    `chosen`, `trouble`, `result`: sentences; empty if there is nothing to say.
    `drawing`: the document that the page draws; None before the first decision.
    """

    state: State
    sequence: int
    names: Sequence[str]
    number: int
    left_ms: int
    zones: Sequence[Shown]
    facts: Sequence[Shown]
    choices: Sequence[Choice]
    since: Sequence[str]
    before: Sequence[str]
    chosen: str
    trouble: str
    result: str
    drawing: Document | None


def names_of(table: CardTable) -> Sequence[str]:
    """Returns the names of the seats: "You", and the bots', with the seat where two are alike."""
    return wording_of(table).names


def wording_of(table: CardTable) -> Wording:
    """Returns the words for a table, in which the person is "you"."""
    seats = [Seat(bot=bot, team=team) for bot, team in zip(table.bots, table.teams, strict=True)]
    return Wording(table.game.layout, seats, own=table.seat)


def view_of(table: CardTable, transcript: Transcript) -> TableView:
    """Returns the view of a table whose match is going on, or has just ended."""
    wording, decision, owed = wording_of(table), transcript.decision, transcript.owed
    facts = wording.facts(facts_of(decision), table.seat) if decision is not None else []
    said = [_event(wording, event) for event in transcript.events]
    return TableView(
        state=state_of(transcript),
        sequence=transcript.sequence,
        names=wording.names,
        number=decision.number if decision is not None else 0,
        left_ms=max(0, transcript.left_ms),
        zones=[_zone(wording, zone) for zone in decision.observation.zones] if decision else [],
        facts=[Shown(fact.label, None, wording.sentence_of(fact)) for fact in facts],
        choices=[
            Choice(index, action, wording.choice(action))
            for index, action in enumerate(owed.legal_actions if owed is not None else ())
        ],
        since=said[transcript.known :],
        before=said[: transcript.known],
        chosen=wording.action(table.seat, transcript.chosen) if transcript.chosen else "",
        trouble=transcript.trouble,
        result=result_sentence(table, transcript) if transcript.end is not None else "",
        drawing=drawing_of(table, wording, transcript),
    )


def waiting_sentence(table: CardTable) -> str:
    """Returns what a table waits for that has not begun."""
    if table.ahead is None:
        return "The arena has not taken up the match yet: it waits for your seat to connect."
    if not table.ahead:
        return "The match is next: it begins as soon as its bots have started."
    matches = "match is" if table.ahead == 1 else "matches are"
    return (
        f"{table.ahead} {matches} in play or waiting before yours, which begins as soon as a worker"
        " is free and its bots have started."
    )


def state_of(transcript: Transcript) -> State:
    """Returns the person's part now."""
    if transcript.end is not None:
        return State.OVER
    if transcript.trouble:
        return State.LOST
    if transcript.decision is None:
        return State.BEGINS
    if transcript.owed is not None:
        return State.CHOOSE
    return State.OTHERS if transcript.chosen else State.LATE


def result_sentence(table: CardTable, transcript: Transcript) -> str:
    """Returns the end of the match for the person, as in "You won 5 : 3."."""
    assert transcript.end is not None
    if transcript.end.reason == "abandoned":
        return "The arena could not finish the match."
    return won_or_lost(table, list(transcript.end.scores), list(transcript.end.ranks))


def won_or_lost(table: CardTable, scores: Sequence[int], ranks: Sequence[int]) -> str:
    """Returns the result for the person: their score first if there are two sides, else all scores
    by name."""
    own = ranks[table.seat]
    others = [rank for seat, rank in enumerate(ranks) if table.teams[seat] != own_team(table)]
    verdict = (
        "You won"
        if all(own < rank for rank in others)
        else "You lost"
        if any(rank < own for rank in others) and len(set(table.teams)) == 2
        else f"You came {place_of(own)}"
        if any(rank < own for rank in others)
        else "You tied"
    )
    sides = {table.teams[seat]: scores[seat] for seat in range(len(scores))}
    if len(sides) == 2:
        [theirs] = [score for team, score in sides.items() if team != own_team(table)]
        return f"{verdict} {sides[own_team(table)]} : {theirs}."
    named = ", ".join(f"{n} {s}" for n, s in zip(names_of(table), scores, strict=True))
    return f"{verdict}: {named}."


def fault_sentence(kind: str, sentence: str, *, own: bool) -> str:
    """Returns a sentence about a fault, for the person. `own`: True if it was theirs."""
    if own:
        return OWN_FAULTS.get(kind, sentence)
    return sentence


def own_team(table: CardTable) -> int:
    """Returns the person's team."""
    return table.teams[table.seat]


def place_of(rank: int) -> str:
    """Returns a rank as an ordinal number."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(rank if rank < 20 else rank % 10, "th")
    return f"{rank}{ending}"


def _event(wording: Wording, event: Event) -> str:
    actor = event.actor if event.HasField("actor") else None
    return wording.event(event.verb, actor, list(event.arguments))


def _zone(wording: Wording, zone: Zone) -> Shown:
    owner = zone.owner if zone.HasField("owner") else None
    return Shown(wording.title(zone.name), owner, wording.held(zone.cards, zone.hidden))
