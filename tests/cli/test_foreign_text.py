"""No command passes on what strangers wrote so that it could control a terminal."""

from __future__ import annotations

import builtins
import collections.abc
import dataclasses
import io
import json
import logging
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
import typer
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from pydantic import BaseModel
from typer.core import TyperGroup

from arena.cli.app import ARENA
from arena.cli.command_loader import Command, LazyCommand
from arena.cli.log_format import LogFormatter
from arena.cli.output import ForeignTextConsole, print_traceback, table
from arena.client.arena import FolderArena
from arena.client.http_arena import HttpArena
from arena.client.league_service import LeagueService
from arena.errors import ArenaError, Kind
from arena.operations.operation import Operation
from arena.records.private_log import Note, PrivateLog, SeatLog
from arena.records.record import load_file, seal
from sevens.league.v1 import league_service_pb2
from tests.support.command_line import Arena, ran
from tests.support.played_ladder import play_ladder
from tests.support.run_folder import data_folder

# A colour, the clipboard, a hyperlink, a title; bidi controls and other hidden characters; Rich's
# markup and emoji; line breaks before a false sentence; the one-byte forms of ESC [ and of DEL.
ARGUMENT = (
    "\x1b[31m\x1b]52;c;aGk=\x07\x1b]8;;http://x.test\x1b\\\u202e\u2066\u200f\u061c\u200b\u2028\ue000"
    "[bold red]x[/] [/nothing] :x: \x9b1m\x7f\r\nerror: false"
    + "a\u0301\u0301\u0301\u0301\u0301\u0301"
)
HOSTILE = ARGUMENT + "\x00"
SAMPLES = Path(__file__).parents[2] / "sample_bots"
SERVICE = league_service_pb2.DESCRIPTOR.services_by_name["LeagueService"]
REFERENCE = "builtin:random"

# Of each command, the arguments of its runs. HOSTILE stands wherever it reaches the output.
COMMANDS: dict[str, list[list[str]]] = {
    "demo": [[ARGUMENT]],
    "games show": [[ARGUMENT], ["xeri"]],
    "games new": [[ARGUMENT]],
    "doctor": [[]],
    "version": [[]],
    "bot new": [["go", ARGUMENT]],
    "bot check": [["bot.py", "--game", "xeri", "--sandbox", "none"]],
    "bot list": [[]],
    "bot faults": [[], [ARGUMENT], ["--all"]],
    "bot history": [[ARGUMENT], [ARGUMENT, "--ladder", ARGUMENT]],
    "bot retire": [[ARGUMENT, "1"]],
    "bot readmit": [[ARGUMENT, "1", "--ladder", ARGUMENT]],
    "bot delete": [[ARGUMENT, "--yes"]],
    "play": [["xeri", "bot.py", REFERENCE, "--sandbox", "none"], ["xeri", ARGUMENT, REFERENCE]],
    "submit": [
        ["bot.py", "--ladder", ARGUMENT, "--server", "127.0.0.1:1"],
        ["remote:mine", "--ladder", ARGUMENT, "--server", "127.0.0.1:1"],
        [ARGUMENT, "--ladder", "main"],
    ],
    "ratings": [[ARGUMENT], [ARGUMENT, "--explain", ARGUMENT], ["main", "--calibration"]],
    "matches": [
        [],
        ["--ladder", ARGUMENT],
        ["--bot", ARGUMENT, "--against", ARGUMENT, "--lost"],
        ["--against", ARGUMENT],
    ],
    "invitation create": [["--expires", ARGUMENT]],
    "invitation list": [[]],
    "invitation revoke": [[ARGUMENT]],
    "join": [[ARGUMENT, "--owner", "Ann"], ["inv_x", "--owner", ARGUMENT]],
    "announce create": [[ARGUMENT], ["Hello.", "--until", ARGUMENT]],
    "announce list": [[]],
    "announce remove": [["7"]],
    "webhook add": [[ARGUMENT, "http://127.0.0.1:1"], ["hook", ARGUMENT]],
    "webhook list": [[]],
    "webhook remove": [[ARGUMENT]],
    "webhook try": [[ARGUMENT]],
    "log": [["match.json"], [ARGUMENT], ["match", "--server", "127.0.0.1:1"]],
    "replay": [["match.json"], [ARGUMENT]],
    "rewind": [
        ["match.json", "bot.py", "--seat", "0", "--sandbox", "none"],
        [ARGUMENT, "bot.py"],
        ["match.json", ARGUMENT],
    ],
    "analyse": [["match.json", "--budget", "1"], [ARGUMENT], ["match.json", "--budget", "0"]],
    "review": [["match.json", "--budget", "1"], [ARGUMENT]],
    "verify": [["match.json"], [ARGUMENT]],
    "disk": [[], ["--keep-records", ARGUMENT]],
    "queue show": [[]],
    "queue retry": [[ARGUMENT], ["--all"]],
    "queue drop": [[ARGUMENT], ["--all"]],
    "fleet list": [[]],
    "fleet block": [[ARGUMENT, "--reason", ARGUMENT], [ARGUMENT, "--reason", "A fan."]],
    "fleet unblock": [[ARGUMENT]],
    "ladder create": [[ARGUMENT, "xeri"], ["new", "xeri", ARGUMENT]],
    "ladder run": [[ARGUMENT]],
    "ladder list": [[]],
    "ladder show": [[ARGUMENT]],
    "ladder enter": [["main", ARGUMENT], [ARGUMENT, REFERENCE]],
    "ladder leave": [["main", ARGUMENT]],
    "ladder pause": [[ARGUMENT]],
    "ladder resume": [[ARGUMENT]],
    "ladder delete": [[ARGUMENT]],
    "ladder schedule": [[ARGUMENT, "--ends", "2030-01-01"], ["main", "--ends", ARGUMENT]],
    "ladder live-delay": [[ARGUMENT, "0"], ["main", ARGUMENT]],
    "ladder freeze": [[ARGUMENT]],
    "ladder close": [[ARGUMENT]],
    "ladder reset": [[ARGUMENT], ["main", ARGUMENT]],
    "tournament create": [[ARGUMENT, "xeri"], ["new", "xeri", ARGUMENT]],
    "tournament enter": [["cup", ARGUMENT], [ARGUMENT, REFERENCE]],
    "tournament leave": [["cup", ARGUMENT], [ARGUMENT, "bot"]],
    "tournament start": [[ARGUMENT, "--server", "127.0.0.1:1"]],
    "tournament check-in": [["cup", ARGUMENT], [ARGUMENT, "bot"]],
    "tournament draw": [[ARGUMENT, "5f0c"], ["cup", ARGUMENT]],
    "tournament list": [[]],
    "tournament show": [[ARGUMENT]],
    "tournament standings": [[ARGUMENT]],
    "tournament export": [[ARGUMENT, "cup.jsonl"], ["cup", ARGUMENT]],
    "tournament verify": [[ARGUMENT]],
    "tournament pause": [[ARGUMENT]],
    "tournament replay": [[ARGUMENT, "1", "--reason", ARGUMENT], ["cup", "1", "--reason", "Why."]],
    "tournament cancel": [[ARGUMENT]],
    "compare run": [
        ["bot.py", ARGUMENT, "--game", "xeri"],
        [ARGUMENT, "bot.py", "--game", "xeri"],
        ["bot.py", "bot@1", "--game", ARGUMENT],
        ["bot", "bot@1", "--game", "xeri", "--name", ARGUMENT, "--server", "127.0.0.1:1"],
    ],
    "compare list": [[]],
    "compare show": [[ARGUMENT]],
    "compare export": [[ARGUMENT, "duel.jsonl"], ["duel", ARGUMENT]],
    "compare verify": [[ARGUMENT]],
    "compare resume": [[ARGUMENT, "--server", "127.0.0.1:1"]],
    "compare pause": [[ARGUMENT]],
    "compare cancel": [[ARGUMENT]],
    "void": [[ARGUMENT, "--reason", "R."], ["--bot", ARGUMENT, "--reason", ARGUMENT]],
    "unvoid": [[ARGUMENT], ["--ladder", ARGUMENT]],
    "owner ban": [[ARGUMENT, "--reason", "R."], ["Ann", "--reason", ARGUMENT]],
    "owner bans": [[]],
    "owner delete": [[ARGUMENT, "--yes"]],
    "owner rename": [[ARGUMENT, "Ann"], ["Ann", ARGUMENT]],
    "owner hand-over": [[ARGUMENT, "Ann"], ["bot", ARGUMENT]],
    "token roster": [[ARGUMENT, "tokens.csv"], ["names.csv", ARGUMENT]],
    "owner readmit": [[ARGUMENT]],
    "audit": [[], ["--caller", ARGUMENT], ["--since", ARGUMENT]],
    "serve": [["--listen", ARGUMENT], ["--no-web", "--web-origin", ARGUMENT]],
    "web": [["--listen", ARGUMENT], ["--origin", ARGUMENT], ["--data", ARGUMENT]],
    "worker": [["--redis", ARGUMENT]],
    "token create": [["--owner", ARGUMENT, "--role", "owner"]],
    "token list": [[]],
    "token revoke": [[ARGUMENT]],
    "recount": [[ARGUMENT]],
    "backup": [[ARGUMENT], ["copy", "--data", ARGUMENT]],
    "top": [["--data", ARGUMENT], ["--server", ARGUMENT]],
    "prune": [["--keep-records", ARGUMENT], ["--keep-logs", ARGUMENT], ["--data", ARGUMENT]],
    "restore": [[ARGUMENT, "--data", "new"], ["copy", "--data", ARGUMENT]],
    "upgrade": [["--data", ARGUMENT]],
}
RUNS = [(name, arguments) for name, runs in COMMANDS.items() for arguments in runs]
BOT = f"""
import sys
from sevens_sdk import Bot, run

class Hostile(Bot):
    def choose(self, decision):
        print({HOSTILE!r}, file=sys.stderr, flush=True)
        decision.note = {HOSTILE!r}
        return {HOSTILE!r}

run(Hostile)
"""


def commands(group: TyperGroup, path: tuple[str, ...] = ()) -> Iterator[str]:
    """Yields the words of every command, in groups of groups."""
    for name, found in group.commands.items():
        command = found.load() if isinstance(found, LazyCommand) else found
        if isinstance(command, TyperGroup):
            yield from commands(command, (*path, name))
        else:
            yield " ".join((*path, name))


def filled(kind: Any) -> Any:
    """Returns a value of a type whose every text is hostile; lists have two elements."""
    match get_origin(kind) or kind:
        case origin if origin is Annotated:
            return filled(get_args(kind)[0])
        case origin if origin in (Union, UnionType):
            return filled(next(one for one in get_args(kind) if one is not type(None)))
        case origin if origin is Literal:
            return get_args(kind)[0]
        case builtins.dict:
            return {filled(one): filled(other) for one, other in [get_args(kind)]}
        case builtins.tuple | builtins.list | builtins.frozenset | collections.abc.Sequence:
            return _several(kind)
        case origin if origin is Any:
            return HOSTILE
        case type() as plain if plain not in PLAIN:
            return _made(plain)
        case plain:
            return PLAIN.get(plain, HOSTILE)


def _made(kind: type[Any]) -> Any:
    """Returns an object of a class; it need not be one that the class allows."""
    if issubclass(kind, Enum):
        return next(iter(kind))
    fields = get_type_hints(kind, include_extras=True)
    if issubclass(kind, BaseModel):
        values = {name: filled(fields[name]) for name in kind.model_fields}
        return kind.model_construct(**values | {"next": None})  # there is one page
    if not dataclasses.is_dataclass(kind):
        return kind(*map(filled, fields.values()))
    made = object.__new__(kind)
    for name, field in fields.items():
        object.__setattr__(made, name, filled(field))
    return made


PLAIN: dict[Any, Any] = {
    str: HOSTILE,
    bool: False,
    int: 1,
    float: 1.0,
    datetime: datetime(2027, 1, 15, tzinfo=UTC),
}


def _several(kind: Any) -> Any:
    given = [one for one in get_args(kind) if one is not Ellipsis]
    several = map(filled, given if len(given) > 1 else given * 2)
    return list(several) if get_origin(kind) is list else tuple(several)


def hostile_answer(_: object, operation: Operation[..., Any], *__: object, **___: object) -> Any:
    return filled(operation.answer)


def filled_message(kind: Descriptor, depth: int = 0) -> Message:
    """Returns a message whose every text is hostile; lists have two elements."""
    from google.protobuf.message_factory import GetMessageClass

    message = GetMessageClass(kind)()
    for field in kind.fields:
        if field.message_type is not None:
            part = filled_message(field.message_type, depth + 1)
            if field.is_repeated:
                getattr(message, field.name).extend([part, part])
            else:
                getattr(message, field.name).CopyFrom(part)
        else:
            setattr(message, field.name, scalar(field))
    return message


def scalar(field: FieldDescriptor) -> Any:
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_STRING:
            return HOSTILE if field.type == FieldDescriptor.TYPE_STRING else HOSTILE.encode()
        case FieldDescriptor.CPPTYPE_BOOL:
            return False
        case _:
            return 1


def hostile_call(_: object, method: str, request: object) -> Message:
    return filled_message(SERVICE.methods_by_name[method].output_type)


def hostile_stream(_: object, method: str, request: object) -> Iterator[Message]:
    """Yields a response of each kind that the method has."""
    list(request)  # type: ignore[call-overload]
    kind = SERVICE.methods_by_name[method].output_type
    for field in kind.oneofs[0].fields:
        response = filled_message(kind)
        part = field.message_type
        assert part is not None
        getattr(response, field.name).CopyFrom(filled_message(part))
        yield response


def write_hostile_folder(folder: Path) -> None:
    data = folder / "arena-data"
    play_ladder(SAMPLES, data, 1, deals=1)
    [match] = ran("matches", "--json", folder=folder).json["matches"]
    assert ran("log", match["match"], "--json", folder=folder).json["decisions"]
    write_hostile_match(data, match["match"], folder)
    (folder / "bot.py").write_text(BOT)


hostile_folder = data_folder(write_hostile_folder)


@pytest.fixture
def hostile(
    arena: Arena, hostile_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Arena:
    """Arenas whose every text is hostile, with a match and a bot that are, too."""
    shutil.copytree(hostile_folder, tmp_path, dirs_exist_ok=True)
    monkeypatch.setenv("ARENA_USER_TOKEN", "sat_x")
    monkeypatch.setattr("arena.client.league_service.wait_until_ready", lambda *_: None)
    monkeypatch.setattr(FolderArena, "ask", hostile_answer)
    monkeypatch.setattr(HttpArena, "ask", hostile_answer)
    monkeypatch.setattr(LeagueService, "call", hostile_call)
    monkeypatch.setattr(LeagueService, "stream", hostile_stream)
    return arena


def write_hostile_match(data: Path, match: str, folder: Path) -> None:
    """Writes a match that can be replayed, with hostile text wherever the rules say nothing."""
    from arena.store.open import open_store
    from arena.store.texts import record_text

    store = open_store(data, "read")
    with store.reading() as session:
        (folder / "match.json").write_text(record_text(session, match))
    store.close()
    record = load_file(folder / "match.json")
    record.match_id = record.arena = record.started_at = HOSTILE
    for seat in record.seats:
        seat.bot = HOSTILE
    record.faults.add(seat=0, kind="crashed", decision=1000, sentence=HOSTILE)
    seal(record).save(folder / "match.json")
    logs = [
        SeatLog(
            bot=HOSTILE,
            notes=[Note(decision=1, text=HOSTILE)],
            stderr=HOSTILE,
            fault_words=HOSTILE,
        )
        for _ in record.seats
    ]
    (folder / "match.private.json").write_text(PrivateLog(match_id=HOSTILE, seats=logs).to_json())


def assert_harmless(text: str) -> None:
    raw = {character for character in text if not character.isprintable()} - {"\n"}
    assert not raw, text
    assert "\u274c" not in text  # :x:
    assert "a" + "\u0301" * 6 not in text
    assert "\nerror: false" not in text, text


def test_every_command_is_run_here() -> None:
    assert set(commands(ARENA)) == set(COMMANDS)


@pytest.mark.slow
@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
@pytest.mark.parametrize(("name", "arguments"), RUNS, ids=[name for name, _ in RUNS])
def test_no_command_prints_what_could_control_a_terminal(
    hostile: Arena, name: str, arguments: list[str], as_json: bool
) -> None:
    told = hostile(*name.split(), *arguments, *(["--json"] if as_json else []))
    assert_harmless(told.out)
    assert_harmless(told.err)
    if as_json and told.out:
        json.loads(told.out)


@pytest.mark.parametrize(
    "name",
    ["bot faults", "bot list", "ladder list", "ladder show", "matches", "ratings", "token list"],
)
def test_what_strangers_wrote_is_shown_as_it_is(hostile: Arena, name: str) -> None:
    arguments = ["main"] if name in ("ladder show", "ratings") else []
    told = hostile(*name.split(), *arguments)
    assert "\\x1b]52;c;aGk=\\x07" in told.out
    assert "[bold red]x[/] [/nothing] :x:" in told.out
    exact = json.dumps(hostile(*name.split(), *arguments, "--json").json, ensure_ascii=False)
    assert json.dumps(HOSTILE, ensure_ascii=False) in exact


def test_a_failure_that_a_server_words_is_harmless(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ArenaError(Kind.WRONG_INPUT, HOSTILE.replace("\n", ""), HOSTILE)

    monkeypatch.setattr(FolderArena, "ask", fail)
    for option in ([], ["--json"]):
        told = arena("matches", *option)
        assert_harmless(told.err)
        assert "\\u202e" in told.err


def test_what_a_person_typed_wrong_is_shown_as_it_is(arena: Arena) -> None:
    for typed in (":x:", "[red]x[/red]", "[/nothing]"):
        runs = [(*path.split(), typed) for path in ("", "bot", "ladder", "token", "games show")]
        runs += [(*name.split(), f"--{typed}") for name in COMMANDS]
        for words in runs:
            told = arena(*words)
            assert typed in told.err, words
            assert_harmless(told.err)


def test_help_is_printed_as_it_is_written(arena: Arena, capsys: pytest.CaptureFixture[str]) -> None:
    def shown(text: Annotated[str, typer.Option(help="An :x:, [red] [default: :y:]")] = "") -> None:
        """A :x: and a [red]."""

    app = typer.Typer()
    app.command(cls=Command)(shown)
    app(["--help"], standalone_mode=False)
    told = capsys.readouterr().out
    assert "A :x: and a [red]." in told
    assert "An :x:, [red]" in told
    assert "[default: bubblewrap;" in arena("play", "--help").out


def test_a_lone_surrogate_is_shown_too(arena: Arena) -> None:
    told = arena("games", "show", "\ud800")
    assert "\\ud800" in told.err


def test_a_terminal_receives_only_the_consoles_own_controls(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = io.StringIO()
    console = ForeignTextConsole(errors=False)
    console.file = written
    monkeypatch.setattr(console, "_color_system", 1)
    console.print(HOSTILE, style="dim")
    console.print(table(("name",), [(HOSTILE,)], title=HOSTILE))
    shown = written.getvalue()
    assert shown.startswith("\x1b[2m\\x1b[31m")  # dim, then what the stranger wrote
    for number in (1, 2, 3, 0, 22):
        shown = shown.replace(f"\x1b[{number}m", "")
    assert {c for c in shown if not c.isprintable()} == {"\n"}


def test_a_log_line_is_one_line_and_a_traceback_is_indented(
    capsys: pytest.CaptureFixture[str],
) -> None:
    try:
        raise ValueError(HOSTILE)
    except ValueError as error:
        raised = error
    info = (ValueError, raised, raised.__traceback__)
    record = logging.LogRecord("x", logging.ERROR, "f", 1, "it is %s", (HOSTILE,), info)
    lines = LogFormatter("%(levelname)s %(message)s").format(record).split("\n")
    assert lines[0].startswith("ERROR it is \\x1b[31m")
    assert all(line.startswith("    ") for line in lines[1:])
    for line in lines:
        assert_harmless(line)
    print_traceback(*info)
    assert not {c for c in capsys.readouterr().err if not c.isprintable()} - {"\n"}
