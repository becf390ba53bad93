"""The chess report, read by the parser of software for chess tournaments."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli.app import run
from arena.league.tournament import read_file
from arena.store.open import open_store
from arena.tournament import TournamentTerms
from arena.views.tournaments.tournament import Tournament
from tests.support.fetched import fetched
from tests.support.new_tournament import new_tournament

trf = pytest.importorskip("py4swiss.trf")

WORTH = {"1": 10, "+": 10, "U": 10, "=": 5, "0": 0, "-": 0, "Z": 0}


def document_of(busy: Path, file: Path, name: str) -> Tournament:
    assert run(["tournament", "export", name, str(file), "--data", str(busy)]) == 0
    document, _ = read_file(file)
    return document


@pytest.mark.parametrize("name", ["robin", "bracket", "to-come"])
def test_it_is_read_back(busy: Path, busy_site: str, tmp_path: Path, name: str) -> None:
    document = document_of(busy, tmp_path / "cup.jsonl", name)
    file = tmp_path / "cup.trf"
    assert run(["tournament", "export", name, str(file), "--trf", "--data", str(busy)]) == 0
    assert fetched(f"{busy_site}/tournaments/{name}/report.trf").html == file.read_text()
    lines = file.read_text().splitlines()
    [dates] = [line for line in lines if line.startswith("132")]
    # The parser reads the dates nine columns apart; the report has ten, as for results.
    columns = [dates[at : at + 8] for at in range(91, len(dates), 10)]
    assert columns == [
        f"{event.at:%y/%m/%d}" for event in document.events if event.kind == "paired"
    ]
    file.write_text("\n".join(line for line in lines if line != dates))
    parsed = trf.TrfParser.parse(file)
    standing = {one.number: one for one in document.standings}
    assert [one.starting_number for one in parsed.player_sections] == [*sorted(standing)]
    for section in parsed.player_sections:
        own = standing[section.starting_number]
        assert section.name == own.bot[:33]
        assert (section.rank, section.points_times_ten) == (own.place, 10 * own.points)
        tokens = [one.result.value for one in section.results]
        assert sum(WORTH[token.upper()] for token in tokens) == section.points_times_ten
        for played, entry in zip(document.rounds, section.results, strict=True):
            at = [one for one in played.tables if section.starting_number in one.entrants]
            met = {one for table in at for one in table.entrants} - {section.starting_number}
            assert {entry.id} == (met or {0})
    assert lines[0] == f"012 {name}"
    assert parsed.x_section.number_of_rounds == len(document.rounds)
    assert f"062 {len(document.entrants)}" in lines


def test_one_with_more_at_a_table_has_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = open_store(tmp_path / "data", "write")
    with store.writing() as session:
        new_tournament(session, "cup", "dingo", terms=TournamentTerms(), seats=4)
    store.close()
    file = tmp_path / "cup.trf"
    data = str(tmp_path / "data")
    assert run(["tournament", "export", "cup", str(file), "--trf", "--data", data]) != 0
    assert "has 4 at a table; a chess report has two." in " ".join(capsys.readouterr().err.split())
    assert not file.exists()
