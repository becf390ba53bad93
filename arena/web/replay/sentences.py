"""A frame as sentences, for pages without JavaScript, and the end of a match as one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from arena.records.wording import SaidFact, Wording, counted
from arena.web.formats import seconds
from arena.web.replay.frame import Frame, frame_at
from sevens.record.v1 import match_record_pb2 as pb
from sevens_games import load
from sevens_games.engine import GameOf


@dataclass(frozen=True)
class Sentences:
    """The content of a frame.

    `step`: the decision with its seat and its choice, or the end.
    `events`: all since the frame before.
    `zones`, `facts`: a title and a text each.
    `legal`: the actions that were legal, as sentences; empty at the end.
    """

    step: str
    events: list[str]
    zones: list[tuple[str, str]]
    facts: list[tuple[str, str]]
    legal: list[str]


def sentences_of(record: pb.MatchRecord, document: Mapping[str, Any], index: int) -> Sentences:
    """Returns the sentences of the frame at a place."""
    wording = Wording(load(record.game).layout, record.seats)
    frame = frame_at(document, index)
    return Sentences(
        step=_step(document, frame),
        events=[event["says"] for event in frame.entry["events"] if event["says"]],
        zones=list(_zones(document, frame, wording)),
        facts=list(_facts(document, frame, wording)),
        legal=[wording.choice(action) for action in frame.entry.get("legal", ())],
    )


def _step(document: Mapping[str, Any], frame: Frame) -> str:
    entry = frame.entry
    if "action" not in entry:
        return str(document["result"]["says"])
    by = {
        "bot": f"in {seconds(entry['milliseconds'])}",
        "forced": "forced",
        "at fault": "chosen by the arena",
    }[entry["chosen_by"]]
    fault = f" Fault: {entry['fault']['kind']}." if entry["fault"] else ""
    return f"Decision {entry['decision']}: {entry['says']} ({by}).{fault}"


def _zones(
    document: Mapping[str, Any], frame: Frame, wording: Wording
) -> Iterator[tuple[str, str]]:
    for place, (cards, hidden) in frame.zones.items():
        zone = document["zones"][place]
        owner = "" if zone["owner"] is None else f" of {wording.names[zone['owner']]}"
        yield f"{zone['title']}{owner}", wording.held(cards, hidden)


def _facts(
    document: Mapping[str, Any], frame: Frame, wording: Wording
) -> Iterator[tuple[str, str]]:
    for name, value in frame.said.items():
        fact = document["facts"][name]
        said = SaidFact(name, fact["place"], fact["label"], value)
        yield said.label, wording.sentence_of(said)


def end_sentence(record: pb.MatchRecord, game: GameOf, wording: Wording) -> str:
    """Returns who won, the scores, best first, and why the match ended; of a match in play, that it
    goes on."""
    if not record.HasField("result"):
        return "The match goes on."
    reason = game.reasons.get(record.result.reason, "")
    scores = _scores(record, wording)
    return f"The end: {_winners(record, wording)}, {scores}. {reason}".rstrip()


def _winners(record: pb.MatchRecord, wording: Wording) -> str:
    seats = [seat for seat, rank in enumerate(record.result.ranks) if rank == 1]
    teams = {record.seats[seat].team for seat in seats}
    names = " and ".join(wording.names[seat] for seat in seats)
    if len(teams) > 1:
        return f"{names} tie"
    return f"{names} {'wins' if len(seats) == 1 else 'win'}"


def _scores(record: pb.MatchRecord, wording: Wording) -> str:
    """Returns the scores of two teams as 3 : 2, of more by their names."""
    ranks, scores = record.result.ranks, record.result.scores
    order = sorted(range(len(ranks)), key=lambda seat: (ranks[seat], seat))
    first_of_team = {record.seats[seat].team: seat for seat in reversed(order)}
    best_first = sorted(first_of_team.values(), key=order.index)
    if len(best_first) == 2:
        first, second = best_first
        return f"{scores[first]} : {scores[second]} {wording.layout.scores_unit}"
    first, *others = order
    said = [counted(scores[first], wording.layout.score), *(str(scores[seat]) for seat in others)]
    return ", ".join(f"{wording.names[seat]} {s}" for seat, s in zip(order, said, strict=True))
