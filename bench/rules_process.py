"""`python -m bench rules_process`: playouts through `sevens_games.serve`, as bots in other
languages ask for them, compared with playouts in Python, for decisions in the middle of matches."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import cycle
from random import Random
from typing import Any

from google.protobuf.json_format import MessageToDict
from rich.table import Table

from arena.protocol import observation_message
from bench.restore import positions
from bench.side_by_side import measured
from sevens_games import Experience, Match, own_slugs
from sevens_games.search import Made


def tables() -> Iterator[Table]:
    """Yields the table, whose figures `docs/compiled.md` has."""
    table = Table(title="playouts to the end of the deal, each action of a guess")
    for column in ("game", "in Python/s", "through the process/s", "ratio"):
        table.add_column(column, justify="left" if column == "game" else "right")
    serve = [sys.executable, "-m", "sevens_games.serve"]
    with subprocess.Popen(serve, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for slug in sorted(own_slugs()):
            matches = positions(slug)
            figures = measured({"here": here(matches), "there": there(matches, process)})
            ours, theirs = figures["here"], figures["there"]
            ratio = f"{theirs.median / ours.median:.2f}"
            table.add_row(slug, str(ours), str(theirs), ratio)
    yield table


def here(matches: list[Match]) -> Callable[[], int]:
    """Returns the contestant that plays in this process."""
    rng, following = Random(0), cycle(matches)

    def work() -> int:
        match = next(following)
        seat, experience = match.to_act[0], Experience(match.game.teams(match.players))
        guess = match.redeal(seat, rng)
        legal = guess.legal_actions(seat)
        experience.learn(
            [experience.playout(guess.clone(), rng, Made(seat, action, legal)) for action in legal]
        )
        return len(legal)

    return work


def there(matches: list[Match], process: subprocess.Popen[bytes]) -> Callable[[], int]:
    """Returns the contestant that asks the process, after it has restored all matches."""
    known = [match for match in matches if match.to_act]
    ask(process, [restore(number, match) for number, match in enumerate(known)])
    following = cycle(enumerate(known))
    guess, played = len(known), len(known) + 1

    def work() -> int:
        number, match = next(following)
        seat = match.to_act[0]
        questions: list[dict[str, Any]] = [
            {"do": "redeal", "match": number, "to": guess, "seat": seat}
        ]
        legal = match.legal_actions(seat)
        for action in legal:
            questions += (
                {"do": "copy", "match": guess, "to": played},
                {"do": "apply", "match": played, "seat": seat, "action": action},
                {"do": "playout", "match": played},
            )
        ask(process, questions)
        return len(legal)

    return work


def restore(number: int, match: Match) -> dict[str, Any]:
    seat = match.to_act[0]
    return {
        "do": "restore",
        "match": number,
        "game": match.game.slug,
        "players": match.players,
        "options": match.options,
        "seat": seat,
        "observation": MessageToDict(observation_message(match.observe(seat))),
    }


def ask(process: subprocess.Popen[bytes], questions: list[dict[str, Any]]) -> None:
    """Asks all questions at once, and reads the answers."""
    assert process.stdin is not None
    assert process.stdout is not None
    for question in questions:
        process.stdin.write(json.dumps(question).encode() + b"\n")
        process.stdin.flush()
    for question in questions:
        answer = json.loads(process.stdout.readline())
        assert "error" not in answer, (question, answer)
