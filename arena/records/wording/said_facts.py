"""The facts of an observation, as people are shown them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from arena.records.wording.patterns import Words
from sevens.bot.v1.decision_pb2 import Decision
from sevens.bot.v1.observation_pb2 import Fact
from sevens_games.engine import FactValue, FactWords

if TYPE_CHECKING:
    from arena.records.wording.wording import Wording

SaidValue: TypeAlias = str | list[str | None]


class SaidFact(NamedTuple):
    """A fact in words.

    `place`: where it is shown, as in `sevens_games.engine.fact_words.FactWords`.
    `value`: of the table, a text; of seats or teams, a text for each, empty if the label says it
        all, and None where nothing is shown.
    """

    name: str
    place: str
    label: str
    value: SaidValue


def said_fact(
    wording: Wording, name: str, facts: Mapping[str, FactValue], viewer: int | None
) -> SaidFact | None:
    """Returns a fact in words; None if people are not shown it. `facts`: all facts of the
    observation, `viewer`: the seat whose it is, if any."""
    declared = wording.layout.fact(name)
    others = {other: Words(wording, _words(value)) for other, value in facts.items()}
    value, words = facts[name], _words(facts[name])
    said: SaidValue | None = None
    match declared.place:
        case "table" if value != -1:
            said = _text(wording, declared, words, others)
        case "badge":
            said = ["" if str(seat) in words else None for seat in range(len(wording.names) + 1)]
        case "seat" if viewer is not None and not isinstance(value, tuple):  # its own alone
            said = [*[None] * viewer, _text(wording, declared, words, others)]
        case "seat" | "team":
            said = [_text(wording, declared, [word], others) for word in words]
    is_shown = said is not None and (isinstance(said, str) or said.count(None) < len(said))
    return SaidFact(name, declared.place, declared.label, said) if said and is_shown else None


def _text(
    wording: Wording, declared: FactWords, words: Sequence[str], others: Mapping[str, Words]
) -> str | None:
    """Returns None for what is not shown."""
    if not any(word and (declared.zeros or word != "0") for word in words):
        return None
    text = wording.filled(declared.value, words, others)
    return None if declared.value and not text else text


def _words(value: FactValue) -> list[str]:
    return [str(one) for one in value] if isinstance(value, tuple) else [str(value)]


def facts_of(sent: Decision) -> dict[str, FactValue]:
    """Returns the facts that a seat was sent, by name."""
    return {fact.name: _value(fact) for fact in sent.observation.facts}


def _value(fact: Fact) -> FactValue:
    values = (*fact.numbers, *fact.words)
    return values if fact.is_list else values[0]  # type: ignore[return-value] # of one type
