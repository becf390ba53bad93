"""`arena analyse`, `arena review`: what the decisions of a match were worth."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from arena.analysis import BUDGET, SEED
from arena.analysis import analyse as analysed
from arena.cli.commands.records import MatchArgument
from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import JsonOption, print_view, stderr, stdout, table
from arena.client.arena import arena_at
from arena.client.matches import file_named, find_match
from arena.errors import ArenaError, Kind
from arena.operations.matches import request_analysis, show_analysis
from arena.records import check_seat
from arena.records.wording import Wording
from arena.store.data_folder import DataFolder
from arena.views.matches.analysis import (
    Analysis,
    AnalysisState,
    Estimate,
    Mark,
    Play,
    WeighedAction,
    WeighedDecision,
)
from sevens.record.v1.match_record_pb2 import MatchRecord
from sevens_games import load

SHOWN = 5  # actions of a decision
ASK_EVERY_S = 2.0  # the arena

SeatOption = Annotated[
    int | None, typer.Option(min=0, help="Analyse only this seat's decisions. [default: all]")
]
BudgetOption = Annotated[int, typer.Option(help="Playouts for each decision.")]
SeedOption = Annotated[str, typer.Option(help="Seed of the guesses; another one gives others.")]


def analyse(
    match: MatchArgument,
    seat: SeatOption = None,
    budget: BudgetOption = BUDGET,
    seed: SeedOption = SEED,
    on_arena: Annotated[
        bool,
        typer.Option("--on-arena", help="Have a worker of the arena do it, for its page too."),
    ] = False,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Estimate what the decisions of a match were worth, by search.

    It prints the accuracy of each seat and the decisions that lost most, as far as chance does not
    explain them.

    Examples:
        arena analyse 3f2a91c07e-0
        arena analyse match.json --seat 1 --budget 1000
        arena analyse 3f2a91c07e-0 --on-arena --server http://arena.example
    """
    record = find_match(match, data, server).record
    if on_arena:
        if (seat, budget, seed) != (None, BUDGET, SEED):
            raise ArenaError(
                Kind.WRONG_INPUT,
                "An arena analyses all seats, at the default budget: give --seat, --budget and"
                " --seed without --on-arena.",
                "on_arena",
            )
        found = _by_arena(record.match_id, data, server)
    else:
        found = analysed(record, budget=budget, seed=seed, seat=seat)
    if as_json:
        print_view(found)
        return
    stdout.print(_plays(found.plays))
    wording = Wording(load(record.game).layout, record.seats)
    for decision in found.decisions:
        if decision.mark:
            stdout.say(_sentence(decision, wording))


def review(
    match: MatchArgument,
    seat: SeatOption = None,
    worst: Annotated[int, typer.Option(min=1, help="Decisions to show.")] = 5,
    budget: BudgetOption = BUDGET,
    seed: SeedOption = SEED,
    server: ServerOption = "",
    data: DataOption = DEFAULT_DATA,
    as_json: JsonOption = False,
) -> None:
    """Show the decisions that lost most, with the better actions.

    Those come first whose loss is largest by what chance does not explain. If the arena has
    analysed the match with this budget and seed, they are those of its analysis.

    Examples:
        arena review 3f2a91c07e-0 --seat 1
        arena review match.json --worst 1 --budget 1000
    """
    record = find_match(match, data, server).record
    check_seat(seat, len(record.seats))
    found = None if file_named(match) else _stored_by_arena(record.match_id, data, server)
    if found is None or (found.budget, found.seed) != (budget, seed):
        found = analysed(record, budget=budget, seed=seed, seat=seat)
    decisions = worst_of(one for one in found.decisions if seat in (None, one.seat))[:worst]
    if as_json:
        plays = tuple(play for play in found.plays if seat in (None, play.seat))
        print_view(found.model_copy(update={"plays": plays, "decisions": decisions}))
        return
    if not decisions:
        stdout.say("No decision lost more than its error.")
    wording = Wording(load(record.game).layout, record.seats)
    for decision in decisions:
        stdout.say(_sentence(decision, wording), style="bold")
        stdout.print(_actions(decision, wording))
        stdout.say(_again(match, decision, record))
        stdout.print()


def _stored_by_arena(match: str, data: Path, server: str) -> Analysis | None:
    """Returns the arena's analysis if it has one. Raises ArenaError."""
    with arena_at(server, data) as arena:
        return arena.ask(show_analysis, match).analysis


def _by_arena(match: str, data: Path, server: str) -> Analysis:
    """Asks for an analysis, and waits for it. Raises ArenaError."""
    if not server and not DataFolder(data).door():
        raise ArenaError(
            Kind.NOT_NOW,
            f"No arena runs on {data}, so that no worker can analyse the match: start it, or leave"
            " out --on-arena.",
            "on_arena",
        )
    with arena_at(server, data) as arena:
        stored = arena.ask(request_analysis, match)
        if stored.state is not AnalysisState.DONE:
            stderr.say("Waiting for a worker. Ctrl-C ends only the wait: the arena goes on.")
        while stored.state in (AnalysisState.WAITING, AnalysisState.RUNNING):
            time.sleep(ASK_EVERY_S)
            stored = arena.ask(show_analysis, match)
    if stored.analysis is None:
        reason = stored.reason or "The record of the match has been pruned."
        raise ArenaError(Kind.UNUSABLE, f"The arena cannot analyse the match. {reason}", "match")
    return stored.analysis


def worst_of(decisions: Iterable[WeighedDecision]) -> tuple[WeighedDecision, ...]:
    """Returns those that lost more than their error, by how much more."""
    lost = [decision for decision in decisions if beyond_error(decision.loss) > 0]
    return tuple(sorted(lost, key=lambda decision: -beyond_error(decision.loss)))


def beyond_error(loss: Estimate) -> float:
    return loss.mean - loss.error


def _plays(plays: Sequence[Play]) -> Table:
    columns = ("seat", "bot", "decisions", "accuracy", "ranks lost", "luck", "blunders", "mistakes")
    rows = [
        (
            play.seat,
            play.bot,
            play.decisions,
            _percent(play.accuracy),
            _with_error(play.loss),
            _with_error(play.luck) if play.luck else "",
            *(play.marks[mark] for mark in Mark),
        )
        for play in plays
    ]
    return table((*columns, "inaccuracies"), rows)


def _sentence(decision: WeighedDecision, wording: Wording) -> str:
    best = decision.actions[0]
    loss = f"{_with_error(decision.loss)} of a rank"
    return (
        f"Decision {decision.decision}, {wording.names[decision.seat]} (seat {decision.seat}): "
        f"{wording.choice(decision.action)} lost {loss} on {wording.choice(best.action)}"
        + (f": {decision.mark}." if decision.mark else ".")
    )


def _actions(decision: WeighedDecision, wording: Wording) -> Table:
    columns = ("action", "expected rank", "behind", "expected score", "guesses")
    return table(columns, [_row(decision, action, wording) for action in _shown(decision)])


def _shown(decision: WeighedDecision) -> Iterator[WeighedAction]:
    """Yields the best actions, and the one that was chosen."""
    for place, action in enumerate(decision.actions):
        if place < SHOWN or action.action == decision.action:
            yield action


def _row(decision: WeighedDecision, action: WeighedAction, wording: Wording) -> tuple[object, ...]:
    return (
        wording.choice(action.action),
        _with_error(action.rank),
        _with_error(action.behind),
        _with_error(action.score),
        "exact" if decision.exact else action.guesses,
    )


def _again(match: str, decision: WeighedDecision, record: MatchRecord) -> str:
    """Returns the command that shows the decision as its bot saw it."""
    named = match if Path(match).is_file() else record.match_id
    return f"Seen by its bot: arena replay {named} --seat {decision.seat} --at {decision.decision}"


def _with_error(estimate: Estimate) -> str:
    return f"{estimate.mean:.2f} ± {estimate.error:.2f}"


def _percent(accuracy: Estimate | None) -> str:
    if accuracy is None:
        return ""
    return f"{accuracy.mean:.0%} ± {accuracy.error:.0%}"
