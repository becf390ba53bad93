"""The rules as a process: `python -m sevens_games.serve` answers lines of JSON."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from google.protobuf.json_format import MessageToDict

from arena.protocol import observation_message
from sevens_games import SeededDeals, load, slugs
from sevens_games.serve import LONGEST, MATCHES, Table

SERVE = (sys.executable, "-m", "sevens_games.serve")
XERI = load("xeri").start(players=2, options={"deals": 5}, deals=SeededDeals("serve"))


def seen(match: Any, seat: int) -> dict[str, Any]:
    """Returns the JSON form of the message in which a bot has its observation."""
    return MessageToDict(observation_message(match.observe(seat)))


def restore(number: int = 1, **changes: Any) -> dict[str, Any]:
    """Returns the question that restores a match of Xeri as a bot of another language asks it:
    options are texts there."""
    options = {"deals": "5"}
    facts = {"game": "xeri", "players": 2, "options": options, "seat": 0, "rules_version": 1}
    asked = {"do": "restore", "match": number, "observation": seen(XERI, 0), **facts}
    return {**asked, **changes}


@pytest.fixture
def table() -> Table:
    return Table(Random(7))


def ask(table: Table, question: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(table.answer(json.dumps(question).encode()))
    return answer


@pytest.mark.parametrize("slug", slugs())
def test_it_plays_a_restored_match_of_every_game_to_the_end_of_the_deal(
    table: Table, slug: str
) -> None:
    game = load(slug)
    match = game.start(deals=SeededDeals(slug))
    seat = match.to_act[0]
    question = {"do": "restore", "match": 1, "game": slug, "players": match.players}
    told = ask(table, {**question, "seat": seat, "observation": seen(match, seat)})
    assert seat in told["to_act"], told
    legal = ask(table, {"do": "legal", "match": 1, "seat": seat})["legal"]
    assert legal == [str(action) for action in match.legal_actions(seat)]
    ask(table, {"do": "copy", "match": 1, "to": 2})
    applied = ask(table, {"do": "apply", "match": 2, "seat": seat, "action": legal[0]})
    assert applied.keys() == {"to_act", "scores", "ranks", "over"}
    played = ask(table, {"do": "playout", "match": 2})
    assert len(played["ranks"]) == match.players
    assert ask(table, {"do": "legal", "match": 1, "seat": seat})["legal"] == legal


def test_a_redealt_match_looks_the_same_to_its_seat(table: Table) -> None:
    ask(table, restore())
    ask(table, {"do": "redeal", "match": 1, "to": 2, "seat": 0})
    hands = [ask(table, {"do": "legal", "match": number, "seat": 0}) for number in (1, 2)]
    assert hands[0] == hands[1]


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ({"do": "guess"}, "do: one of restore, "),
        ({"match": 1}, "do: a text is needed, not null"),
        (restore(game="bridge"), "There is no game 'bridge'"),
        (restore(options={"deals": "many"}), "deals"),
        (restore(options={"cards": "4"}), "There is no option 'cards'"),
        (restore(rules_version=99), "rules version 99"),
        (restore(seat=5), "There is no seat 5"),
        (restore(seat=True), "seat: a number is needed, not true"),
        (restore(observation={}), "observation"),
        (restore(observation={"zones": [{"cards": ["7S"]}]}), "observation: not the JSON form"),
        (restore(observation={"zones": 7}), "observation: not the JSON form"),
        (restore(observation=[]), "observation: an object is needed"),
        (restore(players="two"), "players"),
        ({"do": "legal", "match": 9, "seat": 0}, "match: there is no match 9"),
        ({"do": "legal", "match": 1, "seat": -1}, "seat: 0 to 1, not -1"),
        ({"do": "apply", "match": 1, "seat": 0, "action": "play XX"}, "play XX"),
    ],
)
def test_what_cannot_be_done_is_answered_with_a_sentence(
    table: Table, question: dict[str, Any], sentence: str
) -> None:
    ask(table, restore())
    before = ask(table, {"do": "legal", "match": 1, "seat": 0})
    assert sentence in ask(table, question)["error"]
    assert ask(table, {"do": "legal", "match": 1, "seat": 0}) == before


@pytest.mark.parametrize("line", [b"hello\n", b"[]\n", b"\xff\n", b"[" * 100_000 + b"\n"])
def test_other_bytes_are_answered_too(table: Table, line: bytes) -> None:
    assert "A question is" in json.loads(table.answer(line))["error"]


def test_a_table_has_room_for_a_number_of_matches(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sevens_games.serve.MATCHES", 2)
    assert MATCHES > 2
    ask(table, restore())
    ask(table, {"do": "copy", "match": 1, "to": 2})
    assert "forget some" in ask(table, {"do": "copy", "match": 1, "to": 3})["error"]
    assert "error" not in ask(table, {"do": "copy", "match": 1, "to": 2})
    assert ask(table, {"do": "forget", "match": 2}) == {}
    assert "error" not in ask(table, {"do": "copy", "match": 1, "to": 3})


def test_a_process_answers_each_line_and_skips_what_is_too_long() -> None:
    lines = [json.dumps(restore()), "x" * (3 * LONGEST), json.dumps({"do": "copy"})]
    asked = "".join(f"{line}\n" for line in lines).encode()
    done = subprocess.run(SERVE, input=asked, capture_output=True, check=True)
    restored, too_long, incomplete = map(json.loads, done.stdout.splitlines())
    assert restored["to_act"] == [*XERI.to_act]
    assert "at most 1,048,576 bytes" in too_long["error"]
    assert incomplete["error"].startswith("to: a number is needed")


@pytest.fixture
def listening(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "rules"
    with subprocess.Popen([*SERVE, "--socket", str(path)], stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"Listening.\n"
        yield path
        server.terminate()


def test_each_connection_of_a_socket_has_its_own_matches(listening: Path) -> None:
    answers = []
    for question in (restore(), {"do": "legal", "match": 1, "seat": 0}):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(listening))
            with connection.makefile("rwb") as stream:
                stream.write(json.dumps(question).encode() + b"\n")
                stream.flush()
                answers.append(json.loads(stream.readline()))
    assert answers[0]["over"] is False
    assert answers[1] == {"error": "match: there is no match 1."}
