"""Plays a short match and writes out the frames that one bot and the arena exchange.

`protocol_page.py` prints it. Every run gives the same match.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from google.protobuf import text_format
from google.protobuf.message import Message

from arena.bots import InProcessBot, choose_at_random
from arena.match import Entry, SeededSet, Terms, Timekeeper, play_match
from arena.protocol import FRAME_LIMIT_BYTES
from arena.records import frames_of
from sevens.bot.v1.bot_service_pb2 import ArenaFrame, BotFrame, Goodbye, Hello, Welcome
from sevens.bot.v1.decision_pb2 import Answer
from sevens.bot.v1.match_pb2 import MatchAccept
from sevens.record.v1.match_record_pb2 import MatchRecord
from sevens_games import load

LINE = 100
TEXT_FIELD = re.compile(r'(\s*\w+): (".*")')
# A match with few decisions, and the time recorded for each of them.
GAME, OPTIONS, SEED, SEAT, MILLISECONDS = "trash", {"start": 3}, "t/0", 0, 3


def dialogue() -> str:
    """Returns all frames of one match, in the order in which they were sent."""
    record = asyncio.run(played())
    start, decisions, end = frames_of(record, SEAT)
    match_id = record.match_id
    said: list[Message] = [
        BotFrame(hello=Hello(token="…", protocol=1, sdk="python 0.1.0", matches_at_once=1)),
        ArenaFrame(
            welcome=Welcome(
                protocol=1, arena="sevens-arena 0.1.0", frame_limit_bytes=FRAME_LIMIT_BYTES
            )
        ),
        ArenaFrame(starts=[start]),
        BotFrame(accepts=[MatchAccept(match_id=match_id, nonce=b"seven")]),
    ]
    chosen = [choice.action for choice in record.choices if choice.seat == SEAT]
    for decision in decisions:
        # The numbers also count the decisions that the arena makes for the seat.
        answer = Answer(match_id=match_id, number=decision.number, text=chosen[decision.number - 1])
        said += [ArenaFrame(decisions=[decision]), BotFrame(answers=[answer])]
    said += [
        ArenaFrame(ends=[end]),
        ArenaFrame(goodbye=Goodbye(sentence="The match is over.")),
    ]
    return "".join(map(shown, said))


async def played() -> MatchRecord:
    """Plays the match and returns its record, always the same."""
    timekeeper = Timekeeper()
    keeping = asyncio.create_task(timekeeper.run())
    game = load(GAME)
    terms = Terms(
        match_id="example",
        game=game,
        options=OPTIONS,
        bank_ms=60_000,
        increment_ms=200,
        start_grace=20.0,
    )
    bots = [
        Entry(InProcessBot(choose_at_random), "builtin:random", "", seat)
        for seat in range(game.ladder_players)
    ]
    record = (await play_match(terms, bots, SeededSet(SEED), timekeeper)).record
    keeping.cancel()
    asked = {(SEAT, decision.number) for decision in frames_of(record, SEAT).decisions}
    number = 0
    for choice in record.choices:
        number += choice.seat == SEAT
        choice.milliseconds = MILLISECONDS if (choice.seat, number) in asked else 0
    return record


def shown(frame: Message) -> str:
    sign = ">" if isinstance(frame, BotFrame) else "<"
    told = text_format.MessageToString(frame, use_short_repeated_primitives=True, as_utf8=True)
    lines = folded(iter(told.splitlines()))
    return f"{sign} " + "\n  ".join(lines) + "\n"


def folded(lines: Iterator[str]) -> list[str]:
    """Returns the text format up to the end of a message, with each inner message on one line if it
    fits."""
    told: list[str] = []
    for line in lines:
        if line.endswith("}"):
            break
        told.append(line)
        if line.endswith("{"):
            within = folded(lines)
            alone = " ".join([line, *map(str.strip, within), "}"])
            indent = " " * (len(line) - len(line.lstrip()))
            told[-1:] = [alone] if len(alone) <= LINE else [line, *within, f"{indent}}}"]
    return list(listed(told))


def listed(lines: Sequence[str]) -> Iterator[str]:
    """Yields the lines, with consecutive texts of one name joined into a list."""
    for name, group in groupby(lines, key=name_of_text):
        same = list(group)
        if name and len(same) > 1:
            yield f"{name}: [{', '.join(line.removeprefix(f'{name}: ') for line in same)}]"
        else:
            yield from same


def name_of_text(line: str) -> str:
    """Returns the name of a field with its indent if the line is a text."""
    found = TEXT_FIELD.fullmatch(line)
    return found[1] if found else ""
