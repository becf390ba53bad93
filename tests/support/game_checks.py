"""Invariants of decisions and observations at every moment of every match."""

import json
import re
from collections import Counter

from sevens_games import Match, Observation, Zone
from tests.support.game_formats import viewers

CANONICAL = re.compile(r"[a-z]+(-[a-z]+)*( \S+)*")


def check_decision(match: Match) -> None:
    """Checks the seats that owe a decision, and their legal actions."""
    assert type(match.to_act) is tuple
    assert list(match.to_act) == sorted(set(match.to_act))
    assert set(match.to_act) <= set(range(match.players))
    assert (match.to_act == ()) == (match.result is not None)
    for seat in range(-1, match.players + 1):
        legal = match.legal_actions(seat)
        assert bool(legal) == (seat in match.to_act)
        assert len(set(legal)) == len(legal), "texts are all different"
        for text in map(str, legal):
            assert CANONICAL.fullmatch(text), f"not canonical: {text!r}"
            assert text.isprintable()


def check_form(match: Match, seen: Observation) -> None:
    """Checks that an observation is immutable plain data with one canonical text."""
    for zone in seen.zones:
        assert type(zone) is Zone
        assert type(zone.name) is str
        assert zone.owner is None or (type(zone.owner) is int and 0 <= zone.owner < match.players)
        assert type(zone.cards) is tuple
        assert all(type(card) is str for card in zone.cards)
        assert type(zone.hidden) is int
        assert zone.hidden >= 0
        assert seen.zone(zone.name, zone.owner) is zone, "one zone of a name and owner"
    for value in seen.facts.values():
        assert type(value) in (int, str, tuple)
        if isinstance(value, tuple):
            assert {type(item) for item in value} in ({int}, {str}, set())
    text = seen.to_json()
    read = json.loads(text)
    assert read.keys() == {"zones", "facts"}
    assert [zone.keys() for zone in read["zones"]] == [set(Zone._fields)] * len(seen.zones)
    assert text == json.dumps(read, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def check_truth(match: Match) -> None:
    """Checks that the spectator sees all cards, and a seat nothing untrue."""
    everything = match.observe(None)
    assert all(zone.hidden == 0 for zone in everything.zones)
    all_seen = Counter(card for zone in everything.zones for card in zone.cards)
    decks = [Counter(shuffle) for shuffle in match.deals.shuffles]
    assert all_seen.keys() == set().union(*decks), "all cards lie somewhere, and no others"
    for deck in decks:
        assert deck <= all_seen, "no copy of a card is lost"
    for seat in range(match.players):
        for zone in match.observe(seat).zones:
            truth = everything.zone(zone.name, zone.owner)
            assert len(zone.cards) + zone.hidden == len(truth.cards), zone
            assert Counter(zone.cards) <= Counter(truth.cards), zone


def check_observations(match: Match) -> None:
    check_truth(match)
    for viewer in viewers(match):
        seen = match.observe(viewer)
        check_form(match, seen)
        again = match.clone().observe(viewer)
        assert (again, hash(again), again.to_json()) == (seen, hash(seen), seen.to_json())
