"""The report of `arena play`: results on screen, records in a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.table import Table

from arena.bots import ArenaFailure, BotLost, cause_of_fault
from arena.cli.output import indented, print_json, stdout, table
from arena.disk import disk_trouble
from arena.match import Played
from arena.protocol import rank_points
from arena.records import PRIVATE_SUFFIX, PrivateLog
from arena.statistics import PointDifference, point_differences
from sevens.record.v1.match_record_pb2 import MatchRecord
from sevens_games.engine import GameOf, OptionValue

Row = dict[str, Any]
FAULTS_SHOWN = 5
LINES_SHOWN = 12


class PlayReport:
    """Collects the results of a series; saves records and private logs in `folder`.

    `interrupted`: the planned number of matches of an interrupted series; otherwise 0.
    """

    def __init__(
        self,
        game: GameOf,
        options: Mapping[str, OptionValue],
        players: int,
        folder: Path,
        seed: str,
    ) -> None:
        self.folder = folder
        self.interrupted = 0
        self._seed = seed
        self._game = game
        self._options = {o.name: options.get(o.name, o.default) for o in game.options.values()}
        self._players = players
        self._matches: list[Row] = []
        self._logs: dict[str, PrivateLog] = {}
        self._warnings: list[Row] = []

    @property
    def has_faults(self) -> bool:
        """Returns whether any bot was at fault in any match."""
        return bool(self._faults())

    def add(self, played: Played) -> None:
        """Saves the record and the private log of a match. Raises ArenaFailure."""
        record = played.record
        path = self.folder / f"{record.match_id}.json"
        try:
            played.sealed.save(path)
            path.with_suffix(PRIVATE_SUFFIX).write_text(played.private_log.to_json())
        except OSError as error:
            for unfinished in (path, path.with_suffix(PRIVATE_SUFFIX)):
                unfinished.unlink(missing_ok=True)
            raise ArenaFailure(
                f"{disk_trouble(error, path.parent) or f'{error}.'} The record of a match was not"
                f" saved; those of earlier matches are in {path.parent}."
            ) from None
        self._matches.append(
            {
                "match": record.match_id,
                "seats": _seat_rows(record, played.private_log),
                "reason": record.result.reason,
                "record": str(path),
                "digest": record.digest,
            }
        )
        if record.faults:
            self._logs[record.match_id] = played.private_log

    def add_losses(self, bot: str, losses: Sequence[BotLost]) -> None:
        """Adds a warning for each process that a bot lost while no answer was due, mostly after its
        last match. That is not a fault, but the author should know of it."""
        reported = {(fault["sentence"], fault["words"]) for _, _, fault in self._faults()}
        for loss in losses:
            if (loss.sentence, loss.words) not in reported:
                self._warnings.append({"bot": bot, "sentence": loss.whole})

    def tidy(self) -> None:
        """Removes the folder if it has no records."""
        with suppress(OSError):
            self.folder.rmdir()

    def show(self, *, as_json: bool) -> None:
        """Prints the results."""
        self._matches.sort(key=lambda row: [int(n) for n in row["match"].rsplit("-", 2)[1:]])
        if as_json:
            print_json(self._document())
            return
        if self.interrupted:
            played = f"{len(self._matches)} of {self.interrupted} matches played; interrupted."
            stdout.print(played, style="yellow")
        if not self._matches:
            return
        first = self._matches[0]
        if len(self._matches) == 1:
            stdout.print(_match_table(first))
            stdout.print()
        columns = ("bot", "matches", "wins", "mean rank", "mean score", "faults")
        stdout.print(table(columns, [list(total.values()) for total in self._totals()]))
        self._show_comparisons()
        self._show_faults()
        self._show_warnings()
        at_fault = [match for match, _, _ in self._faults()]
        next_command = ("log", at_fault[0]) if at_fault else ("replay", first)
        stdout.print(f"\nseed {self._seed} · records in {self.folder}", style="dim")
        stdout.print(
            f"read one: arena {next_command[0]} {next_command[1]['record']}",
            style="dim",
        )

    def _document(self) -> Row:
        return {
            "game": self._game.slug,
            "rules_version": self._game.rules_version,
            "players": self._players,
            "options": self._options,
            "seed": self._seed,
            "matches": self._matches,
            "totals": self._totals(),
            "comparisons": [
                asdict(comparison) | {"verdict": comparison.verdict}
                for comparison in self._comparisons()
            ],
            "warnings": self._warnings,
            "interrupted": bool(self.interrupted),
        }

    def _totals(self) -> list[Row]:
        """Returns a row for each bot, best first. Its seats in one team of a match count once."""
        by_bot: dict[str, dict[tuple[str, int], list[Row]]] = {}
        for match in self._matches:
            for seat in match["seats"]:
                sides = by_bot.setdefault(seat["bot"], {})
                sides.setdefault((match["match"], seat["team"]), []).append(seat)
        totals = [_total(bot, list(sides.values())) for bot, sides in by_bot.items()]
        return sorted(totals, key=lambda total: (total["mean_rank"], total["bot"]))

    def _comparisons(self) -> list[PointDifference]:
        """Compares the first bot with the others, if deal sets were played in several seatings."""
        if self._players == 1:
            return []
        deal_sets: dict[str, dict[str, list[float]]] = {}
        for match in self._matches:
            deal_set = match["match"].rpartition("-")[0]
            points = deal_sets.setdefault(deal_set, {})
            seats = match["seats"]
            gained = rank_points([seat["rank"] for seat in seats], [seat["team"] for seat in seats])
            for seat, each in zip(seats, gained, strict=True):
                points.setdefault(seat["bot"], []).append(each)
        in_several = len(self._matches) > len(deal_sets)
        return point_differences(list(deal_sets.values())) if in_several else []

    def _show_comparisons(self) -> None:
        comparisons = self._comparisons()
        if not comparisons:
            return
        columns = ("bot", "against", "difference in points", "95 % interval", "verdict")
        rows = [
            (c.bot, c.against, c.difference, f"{c.low:+.3f} to {c.high:+.3f}", c.verdict)
            for c in comparisons
        ]
        stdout.print()
        stdout.print(table(columns, rows, title=f"over {comparisons[0].deal_sets} deal sets"))

    def _faults(self) -> list[tuple[Row, Row, Row]]:
        """Returns every fault as (match, seat, fault)."""
        return [
            (match, seat, fault)
            for match in self._matches
            for seat in match["seats"]
            for fault in seat["faults"]
        ]

    def _show_faults(self) -> None:
        alike = self._faults_alike()
        for (match, seat, fault), *others in alike[:FAULTS_SHOWN]:
            where = f"{match['match']}, seat {seat['seat']} ({seat['bot']})"
            stdout.print()
            stdout.say(f"{where}, decision {fault['decision']}: {fault['kind']}.", style="red")
            stdout.say(fault["sentence"])
            if fault["words"]:
                stdout.print(indented(fault["words"]))
            written = self._logs[match["match"]].seats[seat["seat"]].stderr.strip().splitlines()
            if written and written[-1] not in fault["words"]:
                stdout.print("Its last output on stderr:")
                stdout.print(indented("\n".join(written[-LINES_SHOWN:])))
            if others:
                more = "another match" if len(others) == 1 else f"{len(others)} more matches"
                stdout.print(f"The same fault in {more}.", style="red")
        if len(alike) > FAULTS_SHOWN:
            hidden = len(alike) - FAULTS_SHOWN
            more = "1 more fault of another kind is" if hidden == 1 else f"{hidden} others are"
            stdout.print(f"\n{more} not shown.", style="red")

    def _faults_alike(self) -> list[list[tuple[Row, Row, Row]]]:
        """Returns the faults; those of a bot that have one cause share a list."""
        alike: dict[tuple[str, ...], list[tuple[Row, Row, Row]]] = {}
        for match, seat, fault in self._faults():
            cause = cause_of_fault(fault["sentence"], fault["words"])
            alike.setdefault((seat["bot"], fault["kind"], cause), []).append((match, seat, fault))
        return list(alike.values())

    def _show_warnings(self) -> None:
        for warning in self._warnings:
            stdout.print(f"\n{warning['bot']}, while no answer was due:", style="yellow")
            stdout.print(indented(warning["sentence"]))


def _seat_rows(record: MatchRecord, log: PrivateLog) -> list[dict[str, Any]]:
    """Returns a row for each seat of a record."""
    return [
        {
            "seat": i,
            "bot": seat.bot,
            "version": seat.version,
            "team": seat.team,
            "score": record.result.scores[i],
            "rank": record.result.ranks[i],
            "faults": [
                {
                    "kind": fault.kind,
                    "decision": fault.decision,
                    "sentence": fault.sentence,
                    "words": log.seats[i].fault_words,
                }
                for fault in record.faults
                if fault.seat == i
            ],
        }
        for i, seat in enumerate(record.seats)
    ]


def _match_table(match: Row) -> Table:
    columns = ("seat", "bot", "team", "score", "rank")
    rows = [[seat[column] for column in columns] for seat in match["seats"]]
    return table(columns, rows, title=f"{match['match']}: {match['reason']}")


def _total(bot: str, sides: Sequence[Sequence[Row]]) -> Row:
    """Returns a bot's row. `sides`: its seats by match and team, which share score and rank."""
    results = [seats[0] for seats in sides]
    return {
        "bot": bot,
        "matches": len(results),
        "wins": sum(seat["rank"] == 1 for seat in results),
        "mean_rank": sum(seat["rank"] for seat in results) / len(results),
        "mean_score": sum(seat["score"] for seat in results) / len(results),
        "faults": sum(len(seat["faults"]) for seats in sides for seat in seats),
    }
