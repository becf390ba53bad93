"""Every game: searches in matches that it restores from its observation, and knows no game.

The search is that of the package `sevens_games`. It uses a share of the time that is left, and
stops before the longest playout so far could exceed it. `--playouts` and `--ms` are bounds in
addition.

Every decision begins with the same experience, that of a rehearsal of `--rehearsal` choices, so
with `--playouts` a decision is repeated alone, in another process.
"""

from __future__ import annotations

from argparse import ArgumentParser
from functools import cache
from time import monotonic

from sevens_games import Experience, Search, load
from sevens_sdk import Bot, Decision, run

SHARE_OF_TIME = 1 / 25
FORGETTING = 0.9  # of the longest playout so far, so that one pause is not feared for ever


@cache
def rehearsed(
    slug: str, players: int, options: tuple[tuple[str, bool | int | str], ...], choices: int
) -> Experience:
    """Returns the experience with which every decision of such matches begins."""
    match = load(slug).start(players=players, options=dict(options))
    experience = Experience(match.game.teams(players), looks=True)
    experience.rehearse(match, choices)
    return experience


class Searcher(Bot):
    """`playouts`, `ms`: bounds of the search for a decision; None: only the clock is one.
    `rehearsal`: choices made before the first match."""

    playouts: int | None = None
    ms: int | None = None
    rehearsal: int = 20_000

    def on_start(self) -> None:
        self._longest = 0.0  # seconds of a playout of this match
        facts = self.match
        options = tuple(facts.options.items())
        self._lessons = rehearsed(facts.game, facts.players, options, self.rehearsal)

    def choose(self, decision: Decision) -> str:
        if len(decision.legal) == 1:
            return decision.legal[0]
        seconds = decision.time_left * SHARE_OF_TIME
        deadline = monotonic() + min(seconds, self.ms / 1000 if self.ms is not None else seconds)
        facts = decision.match
        position = load(facts.game).restore(
            decision.observation,
            decision.seat,
            self.random,
            players=facts.players,
            options=facts.options,
            rules_version=facts.rules_version,
        )
        search = Search(position, decision.seat, self.random, self._lessons.copy())
        number = 0
        self._longest *= FORGETTING
        while number != self.playouts and (began := monotonic()) + self._longest < deadline:
            search.playout()
            self._longest, number = max(self._longest, monotonic() - began), number + 1
        best = search.best()
        decision.note(f"{best}: {search.mean(best):.3f} after {number} playouts")
        return best


if __name__ == "__main__":
    arguments = ArgumentParser()
    arguments.add_argument("--playouts", type=int)
    arguments.add_argument("--ms", type=int)
    arguments.add_argument("--rehearsal", type=int, default=Searcher.rehearsal)
    given = arguments.parse_args()
    Searcher.playouts, Searcher.ms = given.playouts, given.ms
    Searcher.rehearsal = given.rehearsal
    run(Searcher)
