"""The rules as a process, for bots in other languages: `python -m sevens_games.serve`.

It answers lines of JSON on its standard input with lines of JSON on its standard output, in order;
with `--socket PATH` on a Unix socket instead, each connection with matches of its own. A question
has a verb in `do`, and the number in `match` by which the bot calls a match:

    {"do": "restore", "match": 1, "game": "xeri", "players": 2, "seat": 0, "observation": {…}}
    {"do": "redeal", "match": 1, "to": 2, "seat": 0}      as the seat may believe it to be
    {"do": "copy", "match": 2, "to": 3}
    {"do": "legal", "match": 3, "seat": 0}                → {"legal": ["play 7S", …]}
    {"do": "apply", "match": 3, "seat": 0, "action": "play 7S"}
    {"do": "playout", "match": 3}                         plays it on to the end of the deal
    {"do": "forget", "match": 3}

`observation` is the JSON form of the protocol's message `Observation`; `options` and
`rules_version`, which `restore` takes too, are those of the match. With a `seed`, all answers from
there on repeat themselves. Every answer but that of `legal` and `forget` says how the match is:
`to_act`, `scores`, `ranks`, and `over`. What cannot be done is answered with a sentence in `error`,
and changes nothing.
"""

from __future__ import annotations

import json
import socketserver
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from io import BufferedIOBase
from random import Random
from typing import Any, BinaryIO, TypeAlias, TypeVar

from sevens_games import Facts, Match, Observation, UnknownGame, Zone, load
from sevens_games.engine import FactValue, GameOf, OptionValue
from sevens_games.search import Experience

LONGEST = 1 << 20  # bytes of a question, as of a frame
MATCHES = 10_000  # that one connection may hold
SHOWN = 80  # characters of a wrong value
KINDS = {str: "a text", int: "a number", dict: "an object"}

Question: TypeAlias = Mapping[str, Any]
Stream: TypeAlias = BinaryIO | BufferedIOBase
T = TypeVar("T")


class Refused(ValueError):
    """A question that cannot be answered. The text says what is wrong with which field."""


class Table:
    """The matches of one connection, and what playouts in them have taught."""

    def __init__(self, rng: Random) -> None:
        self._random = rng
        self._matches: dict[int, Match] = {}
        self._experience: dict[tuple[int, ...], Experience] = {}
        self._verbs: dict[str, Callable[[Question], dict[str, Any]]] = {
            "restore": self._restore,
            "redeal": self._redeal,
            "copy": self._copy,
            "legal": self._legal,
            "apply": self._apply,
            "playout": self._playout,
            "forget": self._forget,
        }

    def answer(self, line: bytes) -> bytes:
        """Returns the line that answers a line."""
        try:
            question = question_of(line)
            verb = self._verbs.get(field(question, "do", str))
            if verb is None:
                raise Refused(f"do: one of {', '.join(self._verbs)}, not {question['do']!r}.")
            told = verb(question)
        except (UnknownGame, ValueError) as refused:
            told = {"error": str(refused)}
        return json.dumps(told, separators=(",", ":")).encode() + b"\n"

    def _restore(self, question: Question) -> dict[str, Any]:
        if "seed" in question:
            self._random = Random(field(question, "seed", str))
            self._experience.clear()
        game = load(field(question, "game", str))
        match = game.restore(
            observation_of(field(question, "observation", dict)),
            field(question, "seat", int),
            self._random,
            players=question.get("players"),
            options=options_of(game, question.get("options", {})),
            rules_version=question.get("rules_version"),
        )
        return self._keep(field(question, "match", int), match)

    def _redeal(self, question: Question) -> dict[str, Any]:
        match = self._match(question)
        seat = seat_of(question, match)
        return self._keep(field(question, "to", int), match.redeal(seat, self._random))

    def _copy(self, question: Question) -> dict[str, Any]:
        return self._keep(field(question, "to", int), self._match(question).clone())

    def _legal(self, question: Question) -> dict[str, Any]:
        match = self._match(question)
        return {"legal": [*map(str, match.legal_actions(seat_of(question, match)))]}

    def _apply(self, question: Question) -> dict[str, Any]:
        match = self._match(question)
        match.apply(field(question, "seat", int), field(question, "action", str))
        return state_of(match)

    def _playout(self, question: Question) -> dict[str, Any]:
        match = self._match(question)
        teams = match.game.teams(match.players)
        experience = self._experience.setdefault(teams, Experience(teams))
        experience.learn([experience.playout(match, self._random)])
        return state_of(match)

    def _forget(self, question: Question) -> dict[str, Any]:
        self._match(question)
        del self._matches[question["match"]]
        return {}

    def _match(self, question: Question) -> Match:
        number = field(question, "match", int)
        if number not in self._matches:
            raise Refused(f"match: there is no match {number}.")
        return self._matches[number]

    def _keep(self, number: int, match: Match) -> dict[str, Any]:
        if number not in self._matches and len(self._matches) == MATCHES:
            raise Refused(f"match: {MATCHES:,} matches are there; forget some, or use them again.")
        self._matches[number] = match
        return state_of(match)


def state_of(match: Match) -> dict[str, Any]:
    """Returns how a match is now."""
    standing = match.standing
    return {
        "to_act": match.to_act,
        "scores": standing.scores,
        "ranks": standing.ranks,
        "over": match.result is not None,
    }


def question_of(line: bytes) -> Question:
    if len(line) > LONGEST:
        raise Refused(f"A question has at most {LONGEST:,} bytes.")
    try:
        question = json.loads(line)
    except (ValueError, RecursionError) as wrong:
        raise Refused(f"A question is one line of JSON: {wrong}.") from None
    if not isinstance(question, dict):
        raise Refused("A question is a JSON object.")
    return question


def field(question: Question, name: str, kind: type[T]) -> T:
    """Returns a field that must be there, and of that kind. True is no number."""
    value = question.get(name)
    if type(value) is not kind:
        raise Refused(f"{name}: {KINDS[kind]} is needed, not {json.dumps(value)[:SHOWN]}.")
    return value


def seat_of(question: Question, match: Match) -> int:
    seat = field(question, "seat", int)
    if not 0 <= seat < match.players:
        raise Refused(f"seat: 0 to {match.players - 1}, not {seat}.")
    return seat


def observation_of(message: Mapping[str, Any]) -> Observation:
    """Returns the observation that the JSON form of a message is; defaults may be left out."""
    try:
        zones = tuple(map(zone_of, message.get("zones", ())))
        facts = {fact["name"]: value_of(fact) for fact in message.get("facts", ())}
        return Observation(zones, Facts(facts))
    except (KeyError, TypeError, AttributeError, IndexError) as wrong:
        raise Refused(f"observation: not the JSON form of the message ({wrong!r}).") from None


def zone_of(zone: Mapping[str, Any]) -> Zone:
    cards, hidden = tuple(zone.get("cards", ())), zone.get("hidden", 0)
    return Zone(zone["name"], zone.get("owner"), cards, hidden)


def value_of(fact: Mapping[str, Any]) -> FactValue:
    values = tuple(fact.get("words") or fact.get("numbers", ()))
    return values if fact.get("isList") or fact.get("is_list") else values[0]


def options_of(game: GameOf, given: Mapping[str, Any]) -> dict[str, OptionValue]:
    """Returns options by their types; the start of a match has them as texts."""
    return {
        name: game.options[name].parse(value)
        if name in game.options and isinstance(value, str)
        else value
        for name, value in given.items()
    }


def serve(questions: Stream, answers: Stream) -> None:
    """Answers line by line until the questions end."""
    table = Table(Random())
    while line := questions.readline(LONGEST + 1):
        answers.write(table.answer(line))
        answers.flush()
        while len(line) > LONGEST and not line.endswith(b"\n"):  # the rest is skipped
            line = questions.readline(LONGEST + 1)


class Connection(socketserver.StreamRequestHandler):
    """Answers one connection of the socket."""

    def handle(self) -> None:
        serve(self.rfile, self.wfile)


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True


def main() -> None:
    parser = ArgumentParser(prog="python -m sevens_games.serve", description="Serves the rules.")
    parser.add_argument("--socket", help="a Unix socket to listen on, instead of standard input")
    path = parser.parse_args().socket
    if path is None:
        serve(sys.stdin.buffer, sys.stdout.buffer)
        return
    with Server(path, Connection) as server:
        print("Listening.", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
