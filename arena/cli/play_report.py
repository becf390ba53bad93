"""What `arena play` tells of its matches, and the records it keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rich.table import Table

from arena.cli.comparison import Comparison, compared
from arena.cli.output import print_json, stdout, table
from arena.cli.seats import seat_rows
from arena.games.engine.game import GameOf
from arena.games.engine.options import OptionValue
from arena.match.play import Played
from arena.records.private import PRIVATE_SUFFIX
from arena.records.record import save_file

Row = dict[str, Any]
FAULTS_SHOWN = 5


class PlayReport:
    """The results of a series; every record and private log is kept in `folder`."""

    def __init__(
        self,
        game: GameOf,
        options: Mapping[str, OptionValue],
        players: int,
        data: Path,
        seed: str,
    ) -> None:
        self.seed = seed
        self.folder = data / "played" / f"{game.slug}-{quote(seed, safe='')}"
        self._game = game
        self._options = {o.name: options.get(o.name, o.default) for o in game.options.values()}
        self._players = players
        self._matches: list[Row] = []

    @property
    def has_faults(self) -> bool:
        """Whether any bot was at fault in any match."""
        return bool(self._faults())

    def add(self, played: Played) -> None:
        """Keeps the record and the private log of a match."""
        self.folder.mkdir(parents=True, exist_ok=True)
        record = played.record
        path = self.folder / f"{record.match_id}.json"
        save_file(record, path)
        path.with_suffix(PRIVATE_SUFFIX).write_text(played.private_log.to_json())
        self._matches.append(
            {
                "match": record.match_id,
                "seats": seat_rows(record),
                "reason": record.result.reason,
                "record": str(path),
                "digest": record.digest,
            }
        )

    def show(self, *, as_json: bool) -> None:
        """Prints the results."""
        self._matches.sort(key=lambda row: [int(n) for n in row["match"].rsplit("-", 2)[1:]])
        if as_json:
            print_json(self._document())
            return
        first = self._matches[0]
        if len(self._matches) == 1:
            stdout.print(_match_table(first))
            stdout.print()
        columns = ("bot", "matches", "wins", "mean rank", "mean score", "faults")
        stdout.print(table(columns, [list(total.values()) for total in self._totals()]))
        self._show_comparisons()
        self._show_faults()
        stdout.print(f"\nseed {self.seed} · records in {self.folder}", style="dim")
        stdout.print(f"look at one: arena replay {first['record']}", style="dim")

    def _document(self) -> Row:
        return {
            "game": self._game.slug,
            "rules_version": self._game.rules_version,
            "players": self._players,
            "options": self._options,
            "seed": self.seed,
            "matches": self._matches,
            "totals": self._totals(),
            "comparisons": [asdict(comparison) for comparison in self._comparisons()],
        }

    def _totals(self) -> list[Row]:
        """A row for each bot, the best first. Its seats in one team of a match count once."""
        by_bot: dict[str, dict[tuple[str, int], list[Row]]] = {}
        for match in self._matches:
            for seat in match["seats"]:
                sides = by_bot.setdefault(seat["bot"], {})
                sides.setdefault((match["match"], seat["team"]), []).append(seat)
        totals = [_total(bot, list(sides.values())) for bot, sides in by_bot.items()]
        return sorted(totals, key=lambda total: (total["mean_rank"], total["bot"]))

    def _comparisons(self) -> list[Comparison]:
        """The first bot against the others, where every deal set was played in several seatings."""
        deal_sets: dict[str, dict[str, list[int]]] = {}
        for match in self._matches:
            deal_set = match["match"].rpartition("-")[0]
            ranks = deal_sets.setdefault(deal_set, {})
            for seat in match["seats"]:
                ranks.setdefault(seat["bot"], []).append(seat["rank"])
        in_several = len(self._matches) > len(deal_sets)
        return compared(list(deal_sets.values())) if in_several else []

    def _show_comparisons(self) -> None:
        comparisons = self._comparisons()
        if not comparisons:
            return
        columns = ("bot", "against", "mean rank difference", "95 % interval", "so")
        rows = [
            (c.bot, c.against, c.difference, f"{c.low:+.3f} to {c.high:+.3f}", c.verdict)
            for c in comparisons
        ]
        stdout.print()
        stdout.print(table(columns, rows, title=f"over {comparisons[0].deal_sets} deal sets"))

    def _faults(self) -> list[tuple[Row, Row, Row]]:
        """Every fault as (match, seat, fault)."""
        return [
            (match, seat, fault)
            for match in self._matches
            for seat in match["seats"]
            for fault in seat["faults"]
        ]

    def _show_faults(self) -> None:
        faults = self._faults()
        for match, seat, fault in faults[:FAULTS_SHOWN]:
            where = f"{match['match']}, seat {seat['seat']} ({seat['bot']})"
            stdout.print(f"\n{where}, decision {fault['decision']}: {fault['kind']}.", style="red")
            stdout.print(fault["sentence"], markup=False)
        if len(faults) > FAULTS_SHOWN:
            stdout.print(f"\nand {len(faults) - FAULTS_SHOWN} more faults.", style="red")


def _match_table(match: Row) -> Table:
    columns = ("seat", "bot", "team", "score", "rank")
    rows = [[seat[column] for column in columns] for seat in match["seats"]]
    return table(columns, rows, title=f"{match['match']}: {match['reason']}")


def _total(bot: str, sides: Sequence[Sequence[Row]]) -> Row:
    """`sides`: by match and team, the bot's seats, which share score and rank."""
    results = [seats[0] for seats in sides]
    return {
        "bot": bot,
        "matches": len(results),
        "wins": sum(seat["rank"] == 1 for seat in results),
        "mean_rank": sum(seat["rank"] for seat in results) / len(results),
        "mean_score": sum(seat["score"] for seat in results) / len(results),
        "faults": sum(len(seat["faults"]) for seats in sides for seat in seats),
    }
