"""The commands of the documents, run as they are printed, where they apply."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.command_line import ran
from tests.support.whole_arena.arena import Part, WholeArena
from tests.support.whole_arena.strangers import address, token_of

TOP = Path(__file__).parents[2]
PAGES = (
    *("README.md", "CONTRIBUTING.md", "sample_bots/README.md"),
    *(f"docs/{page.name}" for page in sorted((TOP / "docs").glob("*.md"))),
)
COMMAND = re.compile(r"^    (arena .+?)(?: +#.*)?$", re.MULTILINE)
A_MATCH = re.compile(r"\bMATCH\b|\b[0-9a-f]{10}-[01]\b")

AT_FIRST = (
    "arena ladder create main xeri sample_bots/random_bot sample_bots/xeri_fisher",
    "arena submit my_bot --ladder main",
)
# Parts of pages, in the order in which they are run: against an arena that is served, on its data
# folder when it has stopped, and by a contestant who has a data folder of their own.
SERVED = (
    ("README.md", "I want to look around"),
    ("docs/web.md", ""),
    ("docs/submitting.md", "Following your bot"),
    ("docs/submitting.md", "Faults on the ladder"),
    ("docs/submitting.md", "Managing your bots"),
)
ON_ITS_FOLDER = (("docs/ratings.md", ""),)
AT_HOME = (
    ("README.md", "I want to write a bot"),
    ("sample_bots/README.md", ""),
    ("docs/analysis.md", ""),
    ("docs/tournaments.md", ""),
    ("docs/comparing.md", ""),
)
FOLLOWED = (("docs/tutorial.md", ""),)  # by `test_tutorial.py`
NOT_RUN = {
    r"arena serve|arena ladder create main xeri$|arena token create|arena ratings main$": (
        "other tests of this page's arena do the same with ports of their own"
    ),
    r"arena serve --web-origin": "the test of nginx serves so",
    r"arena demo|arena worker": "it runs until it is stopped; the end-to-end tests start them",
    r"arena bot new fisher|arena submit fisher": "a bot in Go: the end-to-end tests of new bots",
    r"arena submit remote:": "the end-to-end tests of remote bots register theirs so",
    r"arena play xeri my-bot builtin:random --wait": "a person starts the bot: the tests of --wait",
    r"arena play .*--watch": "it runs until it is stopped; its test does so",
    r"arena (rewind|bot check .*--deterministic)": "their tests ask bots again",
    r"arena analyse .*--on-arena": "the test of its operation asks an arena so",
    r"arena top": "its tests do so, with an arena that plays",
    r"arena tournament replay": "the tests of its operation do so, in a round that is played",
    r"arena (fleet|queue) ": "their tests do so, with machines and parked jobs",
    r"arena (backup|restore|prune|disk) ": "the tests of backups do so",
    r"arena (announce|invitation|webhook) ": "the tests of these operations ask for the same",
    r"arena .*odd-trick": "the end-to-end tests of new games build that game, and play it",
    r"arena .*(image:|mybot$)": "the tests of containers and of SDKs try images and bots so",
    r"arena play xeri sample_bots/searcher ": "the tests of the searcher play a match so",
    r"arena .*searcher-": "hours; the nightly test of search budgets plays a part of it",
    r"arena bot delete": "it waits for queued matches; the tests of deleting do so",
    r"arena compare .*--against": "minutes; the tests of comparisons play such groups",
    r"arena (ladder create main xeri /opt|doctor$)": "in the image; the tests of the image do so",
}


def commands_of(page: str, heading: str = "") -> list[str]:
    """Returns the commands below a heading of a page, or all of them."""
    text = (TOP / page).read_text().replace("\\\n        ", "")
    if heading:
        [text] = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return COMMAND.findall(text)


def reasons(command: str) -> list[str]:
    """Returns why a command is not run here."""
    return [reason for beginning, reason in NOT_RUN.items() if re.match(beginning, command)]


def test_every_command_of_the_documents_is_run_or_named_with_the_reason() -> None:
    run = {*AT_FIRST}
    for part in (*SERVED, *ON_ITS_FOLDER, *AT_HOME, *FOLLOWED):
        run |= {*commands_of(*part)}
    every = [command for page in PAGES for command in commands_of(page)]
    assert len(every) > 50
    assert [one for one in every if one not in run and not reasons(one)] == []
    unused = [one for one in NOT_RUN if not any(re.match(one, command) for command in every)]
    assert unused == []


def test_every_alert_is_explained() -> None:
    alerts = (TOP / "deploy" / "monitoring" / "alerts.yaml").read_text()
    [rows] = re.findall(
        r"^## Alarms\n(.*?)^## ", (TOP / "docs/running.md").read_text(), re.M | re.S
    )
    assert re.findall(r"^\| (Arena\w+) ", rows, re.M) == re.findall(r"alert: (\w+)", alerts)


class Reader:
    """A reader who tries what they read. `home`: their folder, with the bots of the documents."""

    def __init__(self, home: Path, arena: WholeArena) -> None:
        self.home = home
        self.arena = arena
        self.failed: list[str] = []
        self._way: Mapping[str, str] = {}
        self._comparison = ""
        self.arena.data = home / "arena-data"
        self._make_bots()

    def serve(self) -> Part:
        server = self.arena.server(workers=0)
        token = token_of(self.arena, "Ann")
        self._way = {"server": address(server), "token": token}
        return server

    def leave(self, server: Part) -> None:
        server.stop()
        self._way = {}

    @contextmanager
    def at_home(self) -> Iterator[None]:
        """Puts the arena's data folder aside for a while."""
        aside = self.home / "aside"
        self.arena.data.rename(aside)
        yield
        shutil.rmtree(self.arena.data)
        aside.rename(self.arena.data)

    def changes(self, bot: str, version: int) -> None:
        program = self.home / bot / "bot.py"
        program.write_text(f"{program.read_text()}\n# {version}\n")

    def plays_at_random(self, bot: str) -> None:
        """A worse bot, so that the comparison is soon over."""
        shutil.copy(TOP / "sample_bots" / "random_bot" / "bot.py", self.home / bot)

    def tries(self, *parts: tuple[str, str]) -> None:
        for part in parts:
            for command in commands_of(*part):
                if not reasons(command):
                    self.does(command)

    def does(self, command: str) -> None:
        match = self._match() if A_MATCH.search(command) else ""
        typed = A_MATCH.sub(match, command).replace(" NAME ", f" {self._comparison} ")
        _, *arguments = shlex.split(typed)
        done = ran(*arguments, folder=self.home, **self._way)
        if found := re.search(r"^comparison: (\S+)", done.out + done.err, re.MULTILINE):
            self._comparison = found[1]
        if done.code:
            self.failed.append(f"{command}: exit code {done.code}: {done.out}{done.err}")

    def told(self) -> str:
        return "\n\n".join(self.failed)

    def _match(self) -> str:
        """Returns the latest match of Ann's bot."""
        listed = ran("matches", "--bot", "my-bot", "--json", "--data", self.arena.data).json
        return str(listed["matches"][0]["match"])

    def _make_bots(self) -> None:
        readme = (TOP / "README.md").read_text()
        [snippet] = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
        (self.home / "sample_bots").symlink_to(TOP / "sample_bots")
        for name in ("my-bot", "third-bot", "fisher"):
            made = ran("bot", "new", name, "--language", "python", folder=self.home)
            assert made.code == 0, made.err
        shutil.copytree(self.home / "my-bot", self.home / "my_bot")
        for file in ("mybot.py", "other.py", "my-bot/bot.py"):
            (self.home / file).write_text(snippet)


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    with WholeArena(tmp_path) as arena:
        home = tmp_path / "home"
        home.mkdir()
        yield Reader(home, arena)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_commands_of_the_documents_do_what_they_say(reader: Reader) -> None:
    create, submit = AT_FIRST
    reader.does(create)
    reader.does(create.replace(" main ", " xeri "))
    server = reader.serve()
    reader.does(submit.replace("my_bot", "fisher"))
    for version in range(3):
        reader.changes("my_bot", version)
        reader.does(submit)
    reader.does(submit.replace(" main", " xeri"))
    assert not reader.failed, reader.told()
    worker = reader.arena.worker()
    reader.arena.until_recorded(30)
    worker.stop()
    reader.tries(*SERVED)
    reader.leave(server)
    reader.tries(*ON_ITS_FOLDER)
    with reader.at_home():
        reader.does(create)
        reader.plays_at_random("my_bot")
        for version in range(3):
            reader.changes("my_bot", version)
            reader.does("arena ladder enter main my_bot")
        reader.tries(*AT_HOME)
    assert not reader.failed, reader.told()
    reader.arena.assert_nothing_runs()
