"""Replays a match decision by decision, with the view and the choice of each."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from arena.foreign_text import visible
from arena.protocol import event_message, observation_message
from arena.records.render.log import event_words, seat_named, seconds
from arena.records.replay import frames_of, replay
from arena.records.timeline import Step
from sevens.bot.v1.decision_pb2 import Decision
from sevens.bot.v1.observation_pb2 import Event, Fact, Zone
from sevens.record.v1 import match_record_pb2 as pb

NOTHING = "-"
NAME_COLUMN = 18


def decision_views(record: pb.MatchRecord, seat: int | None = None) -> Iterator[list[Text]]:
    """Yields the lines that show each decision of the match.

    `seat`: only this seat's decisions, exactly as they were sent to its bot; None: all decisions,
    in the view of a spectator who sees everything. Raises BadRecord.
    """
    for step, sent in decisions_shown(record, seat):
        yield [*_lines(record, step, sent)]


def decisions_shown(
    record: pb.MatchRecord, seat: int | None = None
) -> Iterator[tuple[Step, Decision]]:
    """Yields the same decisions, each with the message that was, or could have been, sent.
    Raises BadRecord."""
    return _spectators(record) if seat is None else _seats(record, seat)


def _spectators(record: pb.MatchRecord) -> Iterator[tuple[Step, Decision]]:
    """Yields each choice with the message for a seat that sees everything."""
    heard = 0
    for step in replay(record):
        events = step.match.events(None, heard)
        heard += len(events)
        yield (
            step,
            Decision(
                legal_actions=step.legal,
                observation=observation_message(step.match.observe(None)),
                events=[event_message(event) for event in events],
            ),
        )


def _seats(record: pb.MatchRecord, seat: int) -> Iterator[tuple[Step, Decision]]:
    asked = [step for step in replay(record) if step.seat == seat and step.asked]
    # A decision still open at the end of the match was sent but never made.
    yield from zip(asked, frames_of(record, seat).decisions, strict=False)


def _lines(record: pb.MatchRecord, step: Step, sent: Decision) -> Iterator[Text]:
    place = f"Decision {step.place + 1} of {len(record.choices)}"
    who = f"{seat_named(record, step.seat)}, its own #{step.number}"
    yield Text(f"{place}: {who}, {seconds(step.time_left_ms)} left", style="bold")
    for event in sent.events:
        yield Text(f"  . {_event(event)}", style="dim")
    for zone in sent.observation.zones:
        yield _named(_zone_name(zone), _zone_cards(zone))
    for fact in sent.observation.facts:
        yield _named(fact.name, _fact_value(fact))
    yield _named("legal", _legal(step))
    yield _named("chosen by", _chosen_by(step))


def _named(name: str, value: str | Text) -> Text:
    return Text.assemble((f"  {name:{NAME_COLUMN}} ", "dim"), value)


def _legal(step: Step) -> Text:
    """Returns all actions, the chosen one in brackets."""
    return Text("; ").join(
        Text(f"[{action}]", style="bold") if action == step.action else Text(action)
        for action in step.legal
    )


def _event(event: Event) -> str:
    actor = event.actor if event.HasField("actor") else None
    return event_words(event.verb, actor, event.arguments)


def _zone_name(zone: Zone) -> str:
    return f"{zone.name} of seat {zone.owner}" if zone.HasField("owner") else zone.name


def _zone_cards(zone: Zone) -> str:
    hidden = [f"({zone.hidden} hidden)"] if zone.hidden else []
    return " ".join([*zone.cards, *hidden]) or NOTHING


def _fact_value(fact: Fact) -> str:
    return ", ".join([*map(str, fact.numbers), *fact.words]) or NOTHING


def _chosen_by(step: Step) -> str:
    if step.fault is not None:
        return f"the arena: {step.fault.kind}. {visible(step.fault.sentence)}"
    if step.asked:
        return f"the bot, in {seconds(step.milliseconds)}"
    return f"the arena ({step.chosen_by})"
