"""Many kinds of strangers submit at once: the ladder continues, and each failed bot's owner can
read the reason."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from arena.cli.app import run
from tests.support.command_line import Ran, ran, ran_apart
from tests.support.patience import until
from tests.support.whole_arena.arena import SAMPLE_BOTS, WholeArena
from tests.support.whole_arena.strangers import address, token_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

SANDBOXES = [
    pytest.param("bubblewrap", marks=pytest.mark.needs("bubblewrap")),
    pytest.param("none", marks=pytest.mark.nightly),
]
BANK_MS = 90_000

BASE = """
import os, socket, sys, threading
from sevens_sdk import Bot, run
class Plays(Bot):
    def choose(self, decision):
        {choose}
        return self.random.choice(decision.legal)
{begin}
run(Plays)
"""
# In every second match of a process, so that its trial goes well.
FALLS_LATER = """
        self.seen.add(self.match.id)
        if len(self.seen) % 2 == 0 and decision.number == 2:
            decision.note("all is lost")
            return self.fall()
"""
FALL = """
def fall(self):
    print("no luck today", file=sys.stderr, flush=True)
    os._exit(7)
Plays.fall, Plays.seen = fall, set()
"""
DIALS = """
def dial():
    address = os.environ["ARENA_ADDRESS"].removeprefix("unix:")
    held = []
    for _ in range(500):
        one = socket.socket(socket.AF_UNIX)
        try:
            one.connect(address)
            one.sendall(b"PRI * HTTP/2.0" + b"7" * 1000)
        except OSError:
            pass
        held.append(one)
threading.Thread(target=dial, daemon=True).start()
"""
BOTS = {
    # what it does: (choose, begin, the step at which it is refused, words of the reason)
    # At fault only if it is faster than the arena takes its connections. It must harm nobody.
    "dials": ("pass", DIALS, "", ""),
    "falls-later": (FALLS_LATER, FALL, "", ""),
    "crashes": ("pass", "sys.exit('I cannot begin')", "start", "I cannot begin"),
    "cheats": ("return 10_000", "", "match", "illegal-action"),
    "eats-memory": ("pass", "food = bytearray(os.urandom(1)) * (700 << 20)", "", "memory"),
    "leaves": ("os._exit(3)", "", "match", "ended with exit code 3"),
}


@pytest.fixture(params=SANDBOXES)
def arena(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[WholeArena]:
    with WholeArena(tmp_path, request.param) as arena:
        create = ("ladder", "create", "main", "xeri", "--set", "deals=1", "--fault-quota", "1")
        assert run([*create, "--bank-ms", str(BANK_MS), "--data", str(arena.data)]) == 0
        yield arena
        arena.assert_nothing_runs()


def written(folder: Path, name: str) -> Path:
    choose, begin, *_ = BOTS[name]
    bot = folder / "bots" / name
    bot.mkdir(parents=True)
    (bot / "bot.py").write_text(BASE.format(choose=choose, begin=begin))
    (bot / "bot.toml").write_text(f'name = "{name}"\nrun = ["python", "bot.py"]\n')
    return bot


def test_each_owner_learns_what_became_of_their_bot(arena: WholeArena) -> None:
    server = arena.server(workers=1)
    at = address(server)
    paths = {name: written(arena.folder, name) for name in BOTS}
    paths |= {"random": SAMPLE_BOTS / "random_bot", "xeri-fisher": SAMPLE_BOTS / "xeri_fisher"}
    tokens = {name: token_of(arena, f"owner of {name}") for name in paths}

    def submit(name: str) -> Ran:
        words = ("submit", paths[name], "--ladder", "main", "--json")
        return ran_apart(*words, server=at, token=tokens[name])

    with ThreadPoolExecutor(len(paths)) as crowd:
        told = dict(zip(paths, [each.json for each in crowd.map(submit, paths)], strict=True))
    for name in ("random", "xeri-fisher", "falls-later"):
        assert told[name]["accepted"], told[name]
    for name, (_, _, step, words) in BOTS.items():
        if words:
            last = told[name]["steps"][-1]
            assert not told[name]["accepted"]
            assert step in ("", last["step"]), last
            assert words in last["sentence"] + last["output"], last

    # The ladder continues, and a bot that fails only there is suspended from it.
    def state(name: str) -> str:
        rows = ran("ratings", "main", "--data", arena.data, "--json").json["ratings"]
        return str({row["bot"]: row["state"] for row in rows}[name])

    until(lambda: state("falls-later") == "suspended", "falls-later is suspended")
    shown = ran("ladder", "show", "main", "--data", arena.data).out
    assert (
        "falls-later version 1 is suspended: it was at fault in more than 1 of its last 50 matches"
        in shown
    )
    recorded = arena.recorded()
    until(lambda: arena.recorded() > recorded + 3, "the others play on")
    assert {state(name) for name in ("random", "xeri-fisher")} == {"active"}

    # Only its owner can read the reason.
    own = tokens["falls-later"]
    [fault, *_] = ran("bot", "faults", "falls-later", "--json", server=at, token=own).json["faults"]
    assert (fault["kind"], fault["decision"]) == ("crashed", 2)
    mine = ran("log", fault["match"], "--mine", server=at, token=own)
    assert "no luck today" in mine.out.partition("For the owner of")[2], mine.err
    other = ran("log", fault["match"], "--mine", server=at, token=tokens["crashes"])
    assert (other.code, "None of the bots of this match belongs to you" in other.err) == (2, True)
    public = ran("log", fault["match"], server=at, token=tokens["crashes"])
    assert "For the owner of" not in public.out
    assert "no luck today" not in public.out
    assert "no luck today" in fault["words"]
    others = ran("bot", "faults", "falls-later", "--json", server=at, token=tokens["crashes"])
    assert "no luck today" not in others.out
    assert ran("verify", fault["match"], server=at, token=tokens["crashes"]).code == 0

    # An organiser forgives it once; with its old faults forgiven, it needs two new ones.
    readmit = ("bot", "readmit", "falls-later", 1, "--ladder", "main")
    assert ran(*readmit, server=at, token=own).code == 3
    organiser = token_of(arena, "Org", "organiser")
    assert ran(*readmit, server=at, token=organiser).code == 0
    until(lambda: state("falls-later") == "suspended", "falls-later is suspended again")
    assert ran("bot", "delete", "crashes", "--yes", server=at, token=own).code == 2
    server.stop()
