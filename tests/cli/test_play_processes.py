"""`arena play` as a process of its own, with bots that are processes: how many matches each of them
gets, what Ctrl-C does, and a bot that its author starts."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.command_line import Arena
from tests.support.patience import PATIENCE_S, until
from tests.support.processes import end_by_two

RANDOM = "builtin:random"
WAITING, CONNECTED = "Waiting for the program to dial in …", "Connected."
THINKING = """
import os, sys, time
from sevens_sdk import Bot, run

class Thinking(Bot):
    in_play = 0

    def on_start(self):
        Thinking.in_play += 1
        print("at once:", Thinking.in_play, file=sys.stderr, flush=True)

    def choose(self, decision):
        time.sleep({seconds})
        return decision.legal[0]

    def on_end(self, end):
        Thinking.in_play -= 1

run(Thinking)
"""
SHORT = ("--set", "deals=1", "--sandbox", "none")


def bot(folder: Path, seconds: float, limits: str = "") -> Path:
    folder.mkdir()
    (folder / "bot.py").write_text(THINKING.format(seconds=seconds))
    (folder / "bot.toml").write_text(
        f'name = "thinking"\nrun = ["python", "bot.py"]\nlanguage = "python"\n{limits}'
    )
    return folder


def test_a_thinking_bot_gets_one_match_at_a_time(arena: Arena, tmp_path: Path) -> None:
    mine = bot(tmp_path / "mine", 0.05)
    told = arena(
        *("play", "xeri", mine, RANDOM, "-n", 8, "--at-once", 4, *SHORT),
        *("--bank-ms", 0, "--increment-ms", 5000, "--json"),
    )
    assert told.code == 0, told.out
    for match in told.json["matches"]:
        log = json.loads(Path(match["record"]).with_suffix(".private.json").read_text())
        assert log["seats"][0]["stderr"] == "at once: 1\n"
    assert not list(Path("arena-data").rglob("*.output.txt"))


def test_a_bot_that_takes_several_matches_gets_them_in_one_process(
    arena: Arena, tmp_path: Path
) -> None:
    mine = bot(tmp_path / "mine", 0.0, "[limits]\nmatches_at_once = 3\n")
    told = arena("play", "xeri", mine, RANDOM, "-n", 6, "--at-once", 1, *SHORT, "--json")
    assert told.code == 0, told.out
    [output] = Path("arena-data").rglob("*.output.txt")
    assert output.name == "thinking-1.output.txt"
    assert "at once: 3\n" in output.read_text()
    assert "at once: 4\n" not in output.read_text()


def test_equal_faults_are_told_once(arena: Arena, tmp_path: Path) -> None:
    mine = bot(tmp_path / "mine", 0.0)
    (mine / "bot.py").write_text(
        (mine / "bot.py").read_text().replace("time.sleep(0.0)", "raise ValueError('seven')")
    )
    told = arena("play", "xeri", mine, RANDOM, "-n", 4, *SHORT)
    assert told.code == 1
    assert told.out.count("ValueError: seven") == 1
    assert "The same fault in 3 more matches." in told.out


@contextmanager
def playing(tmp_path: Path, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    command = ("from arena.cli.app import main; main()", "play", "xeri", *arguments)
    with subprocess.Popen(
        [sys.executable, "-c", *map(str, command)],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_for(tmp_path: Path, pattern: str) -> Path:
    """Waits until `arena play` has written such a file."""

    def written() -> Path | None:
        files = tmp_path.glob(f"arena-data/{pattern}")
        return next((file for file in files if file.stat().st_size), None)

    return until(written, pattern)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_prints_the_table_so_far(tmp_path: Path, number: signal.Signals) -> None:
    mine = bot(tmp_path / "mine", 0.05)
    with playing(tmp_path, mine, RANDOM, "-n", 500, *SHORT) as process:
        wait_for(tmp_path, "played/*/xeri-1-1.json")
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130, err
    assert " of 500 matches played; interrupted." in out
    assert "mean rank" in out
    assert "Traceback" not in err
    assert len(list(tmp_path.rglob("xeri-*-1.json"))) == int(out.split()[0])


def test_an_interrupted_document_says_so(tmp_path: Path) -> None:
    mine = bot(tmp_path / "mine", 60)
    with playing(tmp_path, mine, RANDOM, "-n", 2, "--wait", "--json", *SHORT) as process:
        wait_for(tmp_path, "wait.env")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130, err
    document = json.loads(out)
    assert (document["interrupted"], document["matches"], document["totals"]) == (True, [], [])


def test_a_second_interrupt_ends_it_at_once_and_its_bots_with_it(tmp_path: Path) -> None:
    mine = bot(tmp_path / "mine", 0.0)
    stubborn = "import os, signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    told = "open('arena-data/pid', 'w').write(str(os.getpid())); time.sleep(600)"
    program = (mine / "bot.py").read_text().replace("time.sleep(0.0)", told)
    (mine / "bot.py").write_text(
        stubborn + program.replace("arena-data", str(tmp_path / "arena-data"))
    )
    with playing(tmp_path, mine, RANDOM, *SHORT) as process:
        bot_id = int(wait_for(tmp_path, "pid").read_text())
        end_by_two(process, signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert "Ended at once." in err
    until(lambda: not Path(f"/proc/{bot_id}").exists(), "the end of the bot")


def test_a_bot_that_its_author_starts_may_be_killed_and_started_again(tmp_path: Path) -> None:
    mine = bot(tmp_path / "mine", 0.2)
    with playing(tmp_path, mine, RANDOM, "--wait", "--json", *SHORT) as process:
        lines = wait_for(tmp_path, "wait.env").read_text().splitlines()
        environment = dict(line.split("=", 1) for line in lines)
        assert set(environment) == {"ARENA_ADDRESS", "ARENA_TOKEN"}

        def start() -> subprocess.Popen[bytes]:
            return subprocess.Popen(
                [sys.executable, str(mine / "bot.py")],
                env=os.environ | environment,
                stderr=subprocess.PIPE,
            )

        with start() as first:
            assert first.stderr is not None
            assert first.stderr.readline() == b"at once: 1\n"
            first.kill()
        with start() as second:
            out, err = process.communicate(timeout=PATIENCE_S)
            assert second.wait(PATIENCE_S) == 0
    assert process.returncode == 0, err
    [match] = json.loads(out)["matches"]
    assert [seat["faults"] for seat in match["seats"]] == [[], []]
    assert not (tmp_path / "arena-data" / "wait.env").exists()
    told = [line.strip() for line in err.splitlines()]
    assert [
        line for line in told if line in ("Connected.", "Waiting for the program to dial in …")
    ] == [
        "Waiting for the program to dial in …",
        "Connected.",
        "Waiting for the program to dial in …",
        "Connected.",
    ]


def test_a_bot_that_is_watched_plays_again_after_each_change(tmp_path: Path) -> None:
    mine = bot(tmp_path / "mine", 0.0)
    manifest = (mine / "bot.toml").read_text()

    def change(text: str) -> None:
        """Replaces the manifest at once, so that no half of it is seen."""
        (tmp_path / "bot.toml").write_text(text)
        (tmp_path / "bot.toml").replace(mine / "bot.toml")

    with playing(tmp_path, mine, RANDOM, "--watch", "--seed", "7", *SHORT) as process:
        assert process.stderr is not None

        def waits() -> str:
            """Returns what is printed until it waits for a change."""
            assert process.stderr is not None
            lines = iter(process.stderr.readline, "")
            return "".join(iter(lambda: next(lines), "Waiting for a change of the bots …\n"))

        waits()
        change('name = "thinking"\nlanguage =')
        assert "bot.toml" in waits()
        change(f"{manifest}# fixed\n")
        waits()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0
    assert out.count("seed 7") == 2
    assert len(list(tmp_path.glob("arena-data/played/xeri-7*/xeri-1-1.json"))) == 2


def test_watching_has_no_document(arena: Arena, tmp_path: Path) -> None:
    told = arena("play", "xeri", bot(tmp_path / "mine", 0.0), RANDOM, "--watch", "--json")
    assert told.code == 2
    assert "--watch goes with neither --wait nor --json" in told.err
