"""Runs a bot in the process started by an arena or by the bot's author."""

import asyncio
import gc
import os
import sys
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from inspect import isabstract, iscoroutinefunction
from pathlib import Path
from typing import NamedTuple

from sevens_sdk.bot import BatchBot, Bot
from sevens_sdk.connection import Place, Unreachable
from sevens_sdk.leaving import Leaving, end_interrupted
from sevens_sdk.session import Refused, Session
from sevens_sdk.trace import hide_own_frames

EXIT_USAGE = 2
EXIT_NO_ARENA = 3


class Settings(NamedTuple):
    place: Place
    token: str
    matches_at_once: int


class WrongSettings(Exception):
    """The environment does not say where the arena is; the text names what is missing or wrong."""


def run(
    bot_class: type[Bot] | type[BatchBot],
    *,
    games: Iterable[str] = (),
    matches_at_once: int = 1,
) -> None:
    """Plays until the arena says goodbye. At the first Ctrl-C or SIGTERM the bot asks for that, and
    plays its matches to their end; the second one ends the process at once.

    `games`: the slugs of the games that the bot plays; every game if empty.
    `matches_at_once`: the number of matches it takes at a time; ARENA_MATCHES_AT_ONCE in the
    environment takes precedence.

    An exception raised by the bot's code passes through, so that the process ends with its
    traceback.
    """
    hide_own_frames()
    if not (isinstance(bot_class, type) and issubclass(bot_class, Bot | BatchBot)):
        raise TypeError(f"run() expects a class derived from Bot or BatchBot, not {bot_class!r}")
    if isabstract(bot_class):
        lacking = ", ".join(sorted(bot_class.__abstractmethods__))
        raise TypeError(f"the class {bot_class.__name__} lacks the method {lacking}")
    if isinstance(games, str):
        raise TypeError(f'run() expects a list of games: games=["{games}"]')
    check_that_no_loop_runs(bot_class)
    try:
        settings = settings_from(os.environ, matches_at_once)
        session = Session(
            bot_class, token=settings.token, games=games, matches_at_once=settings.matches_at_once
        )
        play(session, settings.place, asynchronously=is_asynchronous(bot_class))
    except WrongSettings as error:
        leave(EXIT_USAGE, str(error))
    except (Refused, Unreachable) as error:
        leave(EXIT_NO_ARENA, str(error))
    except KeyboardInterrupt:
        end_interrupted()


def check_that_no_loop_runs(bot_class: type) -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise RuntimeError(
        "run() lasts until the arena says goodbye, so it cannot be called where an event loop runs,"
        " as in a notebook. Start it in a thread of its own there:"
        f" threading.Thread(target=run, args=({bot_class.__name__},), daemon=True).start()"
    )


def play(session: Session, place: Place, *, asynchronously: bool) -> None:
    configure_grpc()
    from sevens_sdk import aio, sync

    # For a plain bot, the loop does not become the thread's current one: setting that is up to it.
    new_loop = None if asynchronously else asyncio.new_event_loop
    playing = aio.play if asynchronously else sync.play
    with Leaving(session) as leaving:
        try:
            with asyncio.Runner(loop_factory=new_loop) as runner:
                leaving.run(playing(session, place, leaving), runner.get_loop())
        finally:
            # A cycle may still hold gRPC's call, and with it a thread, when the process ends.
            gc.collect()


def configure_grpc() -> None:
    """Sets what gRPC reads from the environment when it is imported, unless that is set already."""
    # The arena stores only part of a bot's stderr, and whatever gRPC logs ends in a sentence too.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    # The newer of gRPC's two engines, its default, passes whatever arrives through one more thread.
    # Releases later than those that are known may lack the older one, and would complain.
    major, minor, *_ = version("grpcio").split(".")
    if (1, 82) <= (int(major), int(minor)) <= (1, 85):
        os.environ.setdefault("GRPC_EXPERIMENTS", "-event_engine_client,-event_engine_listener")


def settings_from(variables: Mapping[str, str], matches_at_once: int) -> Settings:
    # A file of variables that was written on Windows leaves a carriage return behind each.
    environment = {name: text.strip() for name, text in variables.items()}
    missing = [name for name in ("ARENA_ADDRESS", "ARENA_TOKEN") if not environment.get(name)]
    if missing:
        program = Path(sys.argv[0]).name or "mybot.py"
        raise WrongSettings(
            "This bot is started by the arena; to try it:"
            f" arena play xeri {program} builtin:random\n"
            f"(Not set in the environment: {', '.join(missing)}.)"
        )
    text = environment.get("ARENA_MATCHES_AT_ONCE") or str(matches_at_once)
    if not text.isdecimal() or int(text) < 1:
        raise WrongSettings(f"The number of matches at once has to be 1 or more, not {text!r}.")
    return Settings(place_from(environment), environment["ARENA_TOKEN"], int(text))


def place_from(environment: Mapping[str, str]) -> Place:
    address, tls = environment["ARENA_ADDRESS"], environment.get("ARENA_TLS", "")
    if tls not in ("", "0", "1"):
        # Going on without TLS would send the token in clear text.
        raise WrongSettings(f"ARENA_TLS has to be 1 (with TLS) or 0 (without), not {tls!r}.")
    file = environment.get("ARENA_TLS_CA")
    if tls != "1" or not file:
        return Place(address, tls == "1")
    try:
        return Place(address, tls=True, roots=Path(file).read_bytes())
    except OSError as error:
        raise WrongSettings(f"ARENA_TLS_CA names a file that cannot be read: {error}.") from None


def is_asynchronous(bot_class: type[Bot] | type[BatchBot]) -> bool:
    names = ("choose", "choose_all", "on_start", "on_end")
    return any(iscoroutinefunction(getattr(bot_class, name, None)) for name in names)


def leave(code: int, sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)
    sys.exit(code)
