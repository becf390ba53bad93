"""Sample bots at the seats of a match in this process, without gRPC."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from time import monotonic
from typing import NamedTuple, TypeAlias

from arena.protocol import DecisionWriter, decision_in, start_message
from sevens_games import Match
from sevens_sdk import Bot, Decision
from sevens_sdk.match import Match as MatchFacts
from sevens_sdk.randomness import Randomness

SAMPLES = Path(__file__).parents[2] / "sample_bots"
BANK_MS = 600_000  # no sample bot looks at its clock
SEARCHER = "xeri_searcher"
"""It is compared with itself in `bench.budgets`; Xeri's bot here is the faster one."""

MakeBot: TypeAlias = Callable[[], Bot]


def sample_bot(slug: str) -> MakeBot:
    """Returns the class of the sample bot with a strategy for this game alone."""
    [folder] = [
        manifest.parent.name
        for manifest in SAMPLES.glob("*/bot.toml")
        if tomllib.loads(manifest.read_text()).get("games") == [slug]
        and manifest.parent.name != SEARCHER
    ]
    return bot_class(folder)


@cache
def bot_class(folder: str) -> type[Bot]:
    """Returns the class of the sample bot in this folder."""
    name = f"sample_bots.{folder}.bot"
    spec = spec_from_file_location(name, SAMPLES / folder / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    [made] = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Bot) and value.__module__ == name
    ]
    return made


class Player(NamedTuple):
    """A bot, and the share of its decisions, from 0 to 1, that are random instead."""

    make_bot: MakeBot
    noise: float = 0.0


class SampleSeat:
    """A player at one seat of one match. For a decision that is random the bot is not asked. One
    whose action the rules forbid is random too.

    The same sample bot at several levels of noise is a family of bots of known order of strength.
    """

    def __init__(self, match: Match, seat: int, player: Player, seed: bytes) -> None:
        self._match = match
        self._seat = seat
        self._noise = player.noise
        self._random = Random(seed)
        self._writer = DecisionWriter("bench")
        self._randomness = Randomness(seed)
        self._decisions = self._heard = 0
        self._bot = player.make_bot()
        start = start_message(
            match_id="bench",
            game=match.game,
            options=match.options,
            seat=seat,
            teams=match.game.teams(match.players),
            bank_ms=BANK_MS,
            increment_ms=0,
            commitment=b"",
            seed=seed,
        )
        self._bot.match = MatchFacts.of(start)
        self._bot._randomness = self._randomness
        self._bot.on_start()

    def choose(self) -> str:
        """Returns one of the seat's legal actions."""
        legal = self._match.legal_actions(self._seat)
        self._decisions += 1
        if len(legal) == 1:
            return legal[0]
        if self._random.random() < self._noise:
            return self._random.choice(legal)
        # A bot may have planned several decisions, and the random one was none of its plan: then
        # its choice is illegal, or the plan has no such step.
        try:
            choice = str(self._bot.choose(self._decision(legal)))
        except LookupError:
            choice = ""
        return choice if choice in legal else self._random.choice(legal)

    def _decision(self, legal: Sequence[str]) -> Decision:
        """Returns what the arena would send, with the events since the bot was last asked."""
        events = self._match.events(self._seat, self._heard)
        self._heard += len(events)
        self._randomness.turn_to(self._decisions)
        frame = self._writer.frame(
            number=self._decisions,
            seat=self._seat,
            time_left_ms=BANK_MS,
            legal=legal,
            observation=self._match.observe(self._seat),
            events=events,
        )
        return Decision(decision_in(frame), self._bot.match, self._randomness, monotonic())
