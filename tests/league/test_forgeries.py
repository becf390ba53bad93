"""Public files that somebody has changed, and made consistent again by the published rules: every
change is named, unless nothing but a published digest binds it, which is said."""

from __future__ import annotations

import copy
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict, ParseError
from pydantic import ValidationError

from arena.errors import ArenaError
from arena.league import record_claims
from arena.league.comparison import comparison_verification
from arena.league.comparison.certificate_check import BadCertificate, read_certificate
from arena.league.deal_secret import lot_text
from arena.league.ladder import enter
from arena.league.ladder.ladders import create_ladder
from arena.league.tournament import (
    TournamentJobs,
    change_state,
    check,
    draw,
    enter_tournament,
    leave_tournament,
    tournament_document,
)
from arena.records import BadRecord, canonical, seal, verify_record
from arena.store.open import open_store
from arena.store.queries import comparison_named, ladder_named, tournament_named
from arena.store.schema import CompetitionState, Format, Partners, TournamentEventKind
from arena.store.session import Store
from arena.store.texts import record_text
from arena.tournament import FORMATS, PAIRINGS, TIE_BREAKS, TournamentTerms, place_probabilities
from arena.views.comparisons.certificate import Certificate, certificate_of
from arena.views.tournaments.event import PlannedEntrant, chain
from arena.views.tournaments.tournament import Tournament, placed, placed_in_pools
from arena.views.view import canonical_json
from sevens.record.v1.match_record_pb2 import MatchRecord
from sevens_games import slugs
from tests.support.extent import by_extent
from tests.support.new_tournament import new_tournament
from tests.support.played_competitions import (
    DUEL,
    add_comparison,
    comparison_jobs,
    play,
    record,
    tournament_jobs,
    version,
)

CUP = "cup"
State = CompetitionState
MOST = 3
"""So many changes of a field are tried, except at night."""
WORDS = [
    *map(str, (*State, *Format, *Partners, *TournamentEventKind)),
    *(*FORMATS, *PAIRINGS, *TIE_BREAKS, *slugs()),
]
"""The words that a document may have."""
NOT_BY_THE_RULES = (ValueError, LookupError)
"""What the rules raise for tournaments that cannot have been."""
ASSERTED_OF_A_CUP = re.compile(r"events\b.*")
ASSERTED_OF_A_COMPARISON = re.compile(r"comparison|not_counted|earlier|replayed")
ASSERTED_OF_A_RECORD = {
    *("arena", "match_id", "job_id", "attempt", "started_at"),
    *("clock.bank_ms", "clock.increment_ms", "choices.N.milliseconds"),
    *("seats.N.bot", "seats.N.version"),
}
"""The bots, the clock, the times and the ids, which the verdict names."""


@pytest.fixture(autouse=True)
def verified_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The records stay as they are, so each is replayed once for all changes of documents."""
    verdicts: dict[str, Any] = {}

    def verify(record: Any) -> Any:
        if record.digest not in verdicts:
            verdicts[record.digest] = verify_record(record)
        return verdicts[record.digest]

    monkeypatch.setattr(record_claims, "verify_record", verify)


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory, seed: int) -> tuple[Tournament, list[str]]:
    """A Swiss with everything that can happen: a withdrawal before the start, byes, a pause, a late
    entry, and a withdrawal in play."""
    store, rng = open_store(tmp_path_factory.mktemp("cup"), "write"), Random(seed)
    with store.writing() as session:
        terms = TournamentTerms(format="swiss", rounds=3, groups=1)
        row = new_tournament(session, CUP, terms=terms)
        for bot in ("ann", "bob", "cy", "dan"):
            enter_tournament(session, row, version(session, bot))
        leave_tournament(session, row, version(session, "dan"), "Its owner withdrew it.")
        change_state(session, row, State.RUNNING)
        source = TournamentJobs(session, row)
    over = False
    while not over:
        with store.writing() as session:
            row = tournament_named(session, CUP)
            rounds = len(tournament_document(session, row).rounds)
            if rounds == 1 and row.state is State.RUNNING and version(session, "eve"):
                enter_tournament(session, row, version(session, "eve"))
                change_state(session, row, State.PAUSED)
                change_state(session, row, State.RUNNING)
            if rounds == 2:
                leave_tournament(session, row, version(session, "bob"), "Its owner withdrew it.")
            due = source.make(session, 4)
            over = row.state is State.OVER
        record(store, due, rng)
    document, records = public_file(store)
    store.close()
    return document, records


def public_file(store: Store) -> tuple[Tournament, list[str]]:
    """Returns the document of the cup, and its records."""
    with store.reading() as session:
        document = tournament_document(session, tournament_named(session, CUP))
        matches = [
            match
            for played in document.rounds
            for table in played.tables
            for group in table.groups
            for match in group.matches
        ]
        return document, [record_text(session, match.match) for match in matches]


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory, seed: int) -> tuple[Certificate, list[str]]:
    """A decided comparison."""
    store, rng = open_store(tmp_path_factory.mktemp("duel"), "write"), Random(seed)
    add_comparison(store, DUEL, most_groups=6)
    play(store, comparison_jobs(store, DUEL), rng)
    with store.reading() as session:
        certificate = certificate_of(session, comparison_named(session, DUEL))
        matches = [match for group in certificate.groups for match in group.matches]
        records = [record_text(session, match.match) for match in matches]
    store.close()
    return certificate, records


def other_values(value: Any) -> Iterator[Any]:
    """Yields values that a forger may put in the place of a scalar."""
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1, None)
        case float():
            yield from (value + 0.125, value - 0.125)
        case None:
            yield from (1, "x", 0.5)
        case str():
            if re.fullmatch("[0-9a-f]{64}", value):
                yield from (("0" if value[0] != "0" else "1") + value[1:], "")
            elif value in WORDS:
                yield from (word for word in WORDS if word != value)
            elif re.fullmatch(r"\d{4}-.*Z", value):
                yield value.replace("20", "19", 1)
            else:
                yield from (f"{value}1", "1" if value else "x", "")


def changes(document: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[Any, Any]]:
    """Yields paths, each with another value: for a scalar another scalar; for a list one that is
    reversed, shortened at either end, or longer."""
    if isinstance(document, dict):
        for name, value in document.items():
            yield from changes(value, (*path, name))
    elif isinstance(document, list):
        for index, value in enumerate(document):
            yield from changes(value, (*path, index))
        if document:
            others = (document[::-1], document[1:], document[:-1], [*document, document[-1]])
            yield from ((path, other) for other in others if other != document)
    else:
        yield from ((path, value) for value in other_values(document))


def some_of_each_field(
    all_changes: Iterable[tuple[Any, Any]], rng: Random
) -> Iterator[tuple[Any, Any]]:
    """Yields some changes of each field and list, whichever of the rounds, tables or matches it is
    in; at night all."""
    of_fields: dict[str, list[tuple[Any, Any]]] = defaultdict(list)
    for path, value in all_changes:
        field = ".".join("N" if isinstance(part, int) else part for part in path)
        of_fields[field].append((path, value))
    for found in of_fields.values():
        yield from rng.sample(found, min(len(found), by_extent(MOST, MOST, len(found))))


def changed(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    *parents, last = path
    other = copy.deepcopy(document)
    place = other
    for name in parents:
        place = place[name]
    place[last] = value
    return other


def made_consistent(cup: Tournament) -> Tournament:
    """Recomputes all that follows by the published rules, as a forger would."""
    started = bool(cup.events or cup.rounds)
    digest = cup.plan().digest if started else ""
    cup = cup.model_copy(update={"plan_digest": digest, "chain": chain(digest, cup.events)})
    course = cup.course()
    return cup.model_copy(
        update={
            "standings": placed(course, cup.rounds, lot_text(cup.secret, digest)),
            "pools": placed_in_pools(course, cup.rounds),
            "places": place_probabilities(course, cup.commitment),
        }
    )


def read_cup(document: Any) -> Tournament:
    return Tournament.model_validate_json(json.dumps(document), strict=True, extra="forbid")


def forged_cup(document: Any) -> Tournament:
    """Returns a forged tournament, consistent unless the rules make nothing of it. Raises
    ValidationError if it cannot be read."""
    cup = read_cup(document)
    try:
        return made_consistent(cup)
    except NOT_BY_THE_RULES:
        return cup


def problems(cup: Tournament, records: list[str], published: str = "") -> tuple[str, ...]:
    """Returns what is found wrong, also if the check gives up."""
    try:
        return check(cup, records, published).problems
    except ArenaError as refused:
        return (refused.sentence,)


def test_a_true_cup_has_no_problems_and_says_what_is_asserted(
    cup: tuple[Tournament, list[str]],
) -> None:
    document, records = cup
    found = check(document, records)
    assert found.problems == ()
    assert [event.kind for event in document.events].count(TournamentEventKind.WITHDRAWN) == 1
    assert {one.bot for one in document.entrants if one.entered_round > 1} == {"eve"}
    assert document.plan().withdrawn == {4: "Its owner withdrew it."}
    assert "2 entries and withdrawals" in found.asserted[0]
    assert check(document, records, document.chain).asserted == ()
    assert check(document, records, document.chain).problems == ()


@pytest.mark.slow
def test_no_change_of_a_cup_passes_silently(cup: tuple[Tournament, list[str]], seed: int) -> None:
    assert silent_changes(*cup, Random(seed)) == []


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("bots", "terms"),
    [
        pytest.param(
            3,
            {"format": "single-elimination", "beacon": "round 7", "seed_by_lot": True},
            marks=pytest.mark.slow,
        ),
        pytest.param(4, {"format": "double-elimination"}, marks=pytest.mark.slow),
        pytest.param(
            4,
            {"format": "single-elimination", "pool_size": 3, "advance": 1},
            marks=pytest.mark.slow,
        ),
        pytest.param(
            4,
            {"format": "single-elimination", "third_place": True, "seed_from": "main"},
            marks=pytest.mark.slow,
        ),
    ],
)
def test_no_change_of_a_bracket_passes_silently(
    store: Store, seed: int, bots: int, terms: dict[str, Any]
) -> None:
    create_ladder(store, "main", "xeri", draw_probability=0.05)
    with store.writing() as session:
        enter(session, ladder_named(session, "main"), version(session, "cy").digest)
        row = new_tournament(session, CUP, terms=TournamentTerms(groups=1, **terms))
        for bot in ("ann", "bob", "cy", "dan")[:bots]:
            enter_tournament(session, row, version(session, bot))
        change_state(session, row, State.RUNNING)
        if "beacon" in terms:
            draw(session, row, "5f0c")
    play(store, tournament_jobs(store, CUP), Random(seed))
    document, records = public_file(store)
    assert check(document, records, document.chain).problems == ()
    assert silent_changes(document, records, Random(seed)) == []


def silent_changes(document: Tournament, records: list[str], rng: Random) -> list[tuple[str, Any]]:
    """Returns the changes that nothing finds wrong, with their places."""
    original = json.loads(document.model_dump_json())
    silent = []
    for path, value in some_of_each_field(changes(original), rng):
        try:
            forged = forged_cup(changed(original, path, value))
        except ValueError:
            continue  # such a file is refused
        if canonical_json(forged) == canonical_json(document):
            continue  # recomputing what follows has undone the change
        where = ".".join(map(str, path))
        if not problems(forged, records) and not ASSERTED_OF_A_CUP.fullmatch(where):
            silent.append((where, value))
        if not problems(forged, records, document.chain):
            silent.append((f"{where}, although the chain was published", value))
    return silent


def swapped(cup: Any) -> None:
    """The bots of two entrants change places."""
    one, other, *_ = cup["entrants"]
    for name in ("bot", "version", "version_number", "owner"):
        one[name], other[name] = other[name], one[name]


def withdrawn(cup: Any) -> None:
    """The best that is still there leaves in the last round, with an event that says so."""
    by_place = [cup["entrants"][one["number"] - 1] for one in cup["standings"]]
    winner = next(one for one in by_place if one["withdrawn_round"] is None)
    winner |= {"withdrawn_round": 3, "reason": "It was at fault in every match of round 3."}
    planned = {name: winner[name] for name in PlannedEntrant.model_fields}
    about = {"round": 3, "entrant": planned, "sentence": winner["reason"], "kind": "withdrawn"}
    cup["events"].insert(-1, cup["events"][-1] | about)


def other_tie_breaks(cup: Any) -> None:
    cup["terms"]["tie_breaks"] = ["lot"]


def slower(cup: Any) -> None:
    cup["increment_ms"] += 1000


def without_its_secret(cup: Any) -> None:
    cup["secret"] = ""


def cancelled_without_its_secret(cup: Any) -> None:
    cup |= {"secret": "", "state": "paused"}
    cup["events"][-1]["kind"] = "paused"


def with_a_group_more(cup: Any) -> None:
    table = cup["rounds"][0]["tables"][0]
    table["groups"].append(table["groups"][0] | {"group": 2})


@pytest.mark.parametrize(
    ("forge", "sentence"),
    [
        (swapped, "the bots at the seats is"),
        (other_tie_breaks, "seed_text is"),
        (slower, "increment_ms is"),
        (without_its_secret, "It has ended, but its secret is missing."),
        (with_a_group_more, "1 groups suffice."),
    ],
)
def test_forgeries_are_named(
    cup: tuple[Tournament, list[str]], forge: Callable[[Any], None], sentence: str
) -> None:
    document, records = cup
    forged = json.loads(document.model_dump_json())
    forge(forged)
    found = problems(forged_cup(forged), records)
    assert any(sentence in problem for problem in found), found


@pytest.mark.parametrize("forge", [withdrawn, cancelled_without_its_secret])
def test_what_the_chain_alone_binds_is_asserted(
    cup: tuple[Tournament, list[str]], forge: Callable[[Any], None]
) -> None:
    document, records = cup
    changed_cup = json.loads(document.model_dump_json())
    forge(changed_cup)
    forged = made_consistent(read_cup(changed_cup))
    found = check(forged, records)
    assert found.problems == ()
    assert found.asserted
    assert found.chain != document.chain
    assert check(forged, records, document.chain).problems


def test_no_change_of_a_certificate_passes_silently(duel: tuple[Certificate, list[str]]) -> None:
    certificate, records = duel
    original = json.loads(certificate.to_json())
    silent = []
    for path, value in changes(original):
        where = ".".join(map(str, path))
        try:
            forged = read_certificate(
                Certificate.model_validate_json(
                    json.dumps(changed(original, path, value))
                ).to_json()
            )
        except (ValidationError, BadCertificate):
            continue
        forged = forged.model_copy(update={"plan_digest": forged.plan.digest})
        if forged == certificate:
            continue
        wrong = list(comparison_verification.problems_of(forged, records))
        if not wrong and not ASSERTED_OF_A_COMPARISON.fullmatch(where):
            silent.append((where, value))
    assert silent == []


def test_no_change_of_a_record_passes_silently(cup: tuple[Tournament, list[str]]) -> None:
    """Its digest is made anew; a document that has the former digest names every change."""
    _, (text, *_) = cup
    original = json.loads(text)
    silent = set()
    for path, value in changes(original):
        where = ".".join(map(str, path))
        if where == "digest":
            continue
        try:
            forged = seal(parsed(changed(original, path, value))).record
        except (BadRecord, ParseError):
            continue
        if verify_record(forged).ok and canonical(forged) != text:
            silent.add(re.sub(r"\d+", "N", where))
    assert silent == ASSERTED_OF_A_RECORD


def parsed(document: Any) -> MatchRecord:
    return ParseDict(document, MatchRecord())
