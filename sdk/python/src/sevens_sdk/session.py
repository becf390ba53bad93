"""The bot's side of the protocol, without input and output.

Takes the arena's frames, and returns calls of the bot's code and frames for the arena.
"""

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from functools import partial
from operator import index
from time import monotonic
from typing import NamedTuple, cast

from sevens.bot.v1 import bot_service_pb2, decision_pb2, match_pb2
from sevens_sdk.bot import BatchBot, Bot
from sevens_sdk.decision import Decision
from sevens_sdk.match import Match, MatchEnd
from sevens_sdk.randomness import Randomness

VERSION = "0.1.0"
PROTOCOL = 1
NONCE_BYTES = 32
NOTE_BYTES = 1024
TEXT_BYTES = 256
# The size of the longest answer: its note, its text, the match's ID and the field tags.
ANSWER_BYTES = 2048
# The limit for a frame, until the arena has sent its own.
FRAME_BYTES = 1 << 20
# The number of legal actions that a warning names.
ACTIONS_NAMED = 20
# Stands for a decision's number: the acceptance of the match, which is owed like an answer.
ACCEPTANCE = 0


class Refused(Exception):
    """The arena has refused this bot; the text says why."""


class Task(Enum):
    START = "start"
    CHOICE = "choice"
    END = "end"


class Call(NamedTuple):
    """A call of the bot's code, which may return an awaitable, and a consumer for the result."""

    task: Task
    seats: Sequence["Seat"]
    begin: Callable[[], object]
    finish: Callable[[object], None]

    def blame(self, error: BaseException) -> None:
        """Adds a note to the traceback that names the match."""
        error.add_note(
            f"This was the bot's {self.task.value} in {'; '.join(map(str, self.seats))}."
        )


class Seat:
    """A seat of a match that this bot plays."""

    __slots__ = ("answer", "bot", "match", "number", "randomness", "ready", "stream")

    def __init__(self, match: Match) -> None:
        self.match = match
        self.randomness = Randomness(match.seed)
        self.bot: Bot | None = None
        # True once `on_start` is done.
        self.ready = False
        # The latest stream on which the arena named the match.
        self.stream = 0
        # The latest decision asked for, and the answer to it once there is one.
        self.number = ACCEPTANCE
        self.answer: decision_pb2.Answer | None = None

    def __str__(self) -> str:
        return f"{self.match}, decision {self.number}" if self.number else str(self.match)


class Session:
    """The conversation of this process with the arena, on one stream after another. `clock`: tells
    the time in seconds."""

    def __init__(
        self,
        bot_class: type[Bot] | type[BatchBot],
        *,
        token: str,
        games: Iterable[str] = (),
        matches_at_once: int = 1,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.clock = clock
        self._hello = bot_service_pb2.Hello(
            token=token,
            protocol=PROTOCOL,
            sdk=f"python {VERSION}",
            games=games,
            matches_at_once=matches_at_once,
        )
        self._bots: type[Bot] | BatchBot = (
            bot_class() if issubclass(bot_class, BatchBot) else bot_class
        )
        self._seats: dict[str, Seat] = {}
        # True from the moment at which the bot wants no further match.
        self.leaving = False
        # The time at which the bot last had a match.
        self.idle_since = clock()
        self._notices: set[str] = set()
        self._stream = 0
        self._frame_bytes = FRAME_BYTES
        self.open()

    def open(self) -> bot_service_pb2.BotFrame:
        """Returns the first frame for a new stream, and forgets what was due on the previous one.
        The matches stay: the arena will say which of them go on."""
        self.welcomed_at: float | None = None
        self.goodbye = False
        # True while there is no stream on which the arena has answered.
        self.dialling = True
        self._leave_said = False
        # The match and number of each answer that the arena is waiting for on this stream.
        self._owed: set[tuple[str, int]] = set()
        self._accepts: list[match_pb2.MatchAccept] = []
        self._answers: list[decision_pb2.Answer] = []
        return bot_service_pb2.BotFrame(hello=self._hello)

    def receive(self, frames: Sequence[bot_service_pb2.ArenaFrame]) -> list[Call]:
        """Returns the calls that these frames lead to, in order. Ignores pings: they are answered
        while the bot thinks."""
        arrived = self.clock()
        calls: list[Call] = []
        asked: list[tuple[Seat, Decision]] = []
        for frame in frames:
            self._hear(frame)
            for start in frame.starts:
                calls += self._start(start)
            for message in frame.decisions:
                seat = self._asked(message)
                if seat is not None:
                    asked.append((seat, self._decision(seat, message, arrived)))
            if frame.ends:
                calls += self._choices(asked)
                asked = []
                for end in frame.ends:
                    calls += self._end(end)
        return calls + self._choices(asked)

    def outgoing(self) -> list[bot_service_pb2.BotFrame]:
        """Takes what is due to be sent: one frame, several if one would be too large, or none."""
        leaves = self.leaving and not self._leave_said
        if not self._answers and not self._accepts and not leaves:
            return []
        answers, self._answers = self._answers, []
        accepts, self._accepts = self._accepts, []
        fit = max(1, self._frame_bytes // ANSWER_BYTES)
        first = bot_service_pb2.BotFrame(accepts=accepts, answers=answers[:fit])
        if leaves:
            self._leave_said = True
            first.leave.SetInParent()
        rest = range(fit, len(answers), fit)
        return [first, *(bot_service_pb2.BotFrame(answers=answers[n : n + fit]) for n in rest)]

    def leave(self) -> None:
        """Asks the arena for no further match, in the next outgoing frame."""
        self.leaving = True

    @property
    def matches(self) -> int:
        """The number of matches that the bot has."""
        return len(self._seats)

    @property
    def over(self) -> bool:
        """True if there is no reason to dial again, once the stream has ended."""
        return self.goodbye or (self.leaving and not self._seats)

    @property
    def finished(self) -> bool:
        """True once the arena has said goodbye and the bot has answered all that it owed."""
        return self.goodbye and not self._owed

    # Frames of the arena ------------------------------------------------------------------------

    def _hear(self, frame: bot_service_pb2.ArenaFrame) -> None:
        if frame.HasField("refusal"):
            raise Refused(frame.refusal.sentence)
        if frame.HasField("welcome"):
            self._welcome(frame.welcome)
        if frame.HasField("goodbye"):
            self.goodbye = True

    def _welcome(self, welcome: bot_service_pb2.Welcome) -> None:
        if welcome.protocol > PROTOCOL:
            raise Refused(
                f"The arena speaks protocol {welcome.protocol}, and this SDK {PROTOCOL}: install a"
                " newer SDK."
            )
        self.welcomed_at = self.idle_since = self.clock()
        self.dialling = False
        if welcome.notice and welcome.notice not in self._notices:
            self._notices.add(welcome.notice)
            warn(welcome.notice)
        self._frame_bytes = welcome.frame_limit_bytes or FRAME_BYTES
        # A match that the arena never named on the previous stream is over.
        self._seats = {
            match_id: seat for match_id, seat in self._seats.items() if seat.stream == self._stream
        }
        self._stream += 1

    def _start(self, start: match_pb2.MatchStart) -> list[Call]:
        seat = self._seats.get(start.match_id)
        goes_on = start.resumed and seat is not None
        if seat is None or not goes_on:
            seat = self._seats[start.match_id] = Seat(Match.of(start))
        seat.stream = self._stream
        self._owed.add((start.match_id, ACCEPTANCE))
        if seat.ready:
            self._accept(seat, None)
        if goes_on:
            return []
        return [Call(Task.START, (seat,), partial(self._begin, seat), partial(self._accept, seat))]

    def _asked(self, message: decision_pb2.Decision) -> Seat | None:
        """Returns the seat that has to think about a decision, or None."""
        seat = self._seats.get(message.match_id)
        if seat is None:
            warn(f"The arena asked for a decision in {message.match_id}, a match it never started.")
            return None
        self._owed.add((message.match_id, message.number))
        if seat.number != message.number:
            seat.number = message.number
            seat.answer = None
            return seat
        # Asked again, after the stream was lost. The bot has answered, or is still thinking.
        if seat.answer is not None:
            self._say(seat, seat.answer)
        return None

    def _decision(self, seat: Seat, message: decision_pb2.Decision, arrived: float) -> Decision:
        return Decision(message, seat.match, seat.randomness, arrived, self.clock)

    def _choices(self, asked: list[tuple[Seat, Decision]]) -> list[Call]:
        if not asked:
            return []
        if isinstance(self._bots, type):
            return [
                Call(
                    Task.CHOICE,
                    (seat,),
                    partial(choose, seat, decision),
                    partial(self._answer, seat, decision),
                )
                for seat, decision in asked
            ]
        seats = [seat for seat, _ in asked]
        decisions = [decision for _, decision in asked]
        return [
            Call(
                Task.CHOICE,
                seats,
                partial(choose_all, self._bots, seats, decisions),
                partial(self._answer_all, seats, decisions),
            )
        ]

    def _end(self, message: match_pb2.MatchEnd) -> list[Call]:
        seat = self._seats.pop(message.match_id, None)
        if seat is None:
            return []
        self.idle_since = self.clock()
        self._owed = {owed for owed in self._owed if owed[0] != message.match_id}
        end = MatchEnd.of(message)
        return [Call(Task.END, (seat,), partial(self._finish, seat, end), ignore)]

    # Calls of the bot's code, and answers --------------------------------------------------------

    def _begin(self, seat: Seat) -> object:
        seat.randomness.turn_to(ACCEPTANCE)
        if not isinstance(self._bots, type):
            return self._bots.on_start(seat.match)
        seat.bot = bot = self._bots()
        bot.match = seat.match
        bot._randomness = seat.randomness
        return bot.on_start()

    def _accept(self, seat: Seat, _: object) -> None:
        seat.ready = True
        if self._due(seat, ACCEPTANCE):
            nonce = os.urandom(NONCE_BYTES)
            self._accepts.append(match_pb2.MatchAccept(match_id=seat.match.id, nonce=nonce))

    def _answer(self, seat: Seat, decision: Decision, choice: object) -> None:
        seat.answer = answer_to(decision, choice)
        self._say(seat, seat.answer)

    def _answer_all(self, seats: list[Seat], decisions: list[Decision], result: object) -> None:
        if isinstance(result, str) or not hasattr(result, "__len__"):
            raise TypeError(
                f"choose_all returned {described(result)}; expected a list of choices,"
                " one for each decision"
            )
        choices = cast("Sequence[object]", result)
        if len(choices) != len(decisions):
            raise ValueError(
                f"choose_all returned {len(choices)} choices for {len(decisions)} decisions"
            )
        for seat, decision, choice in zip(seats, decisions, choices, strict=True):
            self._answer(seat, decision, choice)

    def _say(self, seat: Seat, answer: decision_pb2.Answer) -> None:
        if self._due(seat, answer.number):
            self._answers.append(answer)

    def _due(self, seat: Seat, number: int) -> bool:
        """Returns True if the arena is waiting for this on this stream, but only once."""
        owed = (seat.match.id, number)
        if owed not in self._owed or self._seats.get(seat.match.id) is not seat:
            return False
        self._owed.remove(owed)
        return True

    def _finish(self, seat: Seat, end: MatchEnd) -> object:
        if not isinstance(self._bots, type):
            return self._bots.on_end(seat.match, end)
        return seat.bot.on_end(end) if seat.bot else None


def choose(seat: Seat, decision: Decision) -> object:
    assert seat.bot is not None, "a match's start comes before its decisions"
    seat.randomness.turn_to(decision.number)
    return seat.bot.choose(decision)


def choose_all(bot: BatchBot, seats: list[Seat], decisions: list[Decision]) -> object:
    for seat, decision in zip(seats, decisions, strict=True):
        seat.randomness.turn_to(decision.number)
    return bot.choose_all(decisions)


def ignore(_: object) -> None:
    pass


def answer_to(decision: Decision, choice: object) -> decision_pb2.Answer:
    """Returns the answer, even to an illegal choice: judging it is the arena's part."""
    answer = decision_pb2.Answer(match_id=decision.match.id, number=decision.number)
    if isinstance(choice, str):
        if choice in decision.legal:
            answer.text = choice
        else:
            warn_of_illegal(decision, choice)
            answer.text = cut(choice, TEXT_BYTES)
    else:
        place = index_of(choice)
        if 0 <= place < len(decision.message.legal_actions):
            answer.index = place
        else:
            warn_of_illegal(decision, place)
            # As text, because the protocol's index cannot be negative.
            answer.text = cut(str(place), TEXT_BYTES)
    if decision.notes:
        answer.note = cut(decision.notes, NOTE_BYTES)
    return answer


def index_of(choice: object) -> int:
    if hasattr(choice, "__index__") and not isinstance(choice, bool):
        return index(choice)
    raise TypeError(
        f"the bot chose {described(choice)}; expected a legal action's text or its index"
    )


def described(result: object) -> str:
    return "None" if result is None else f"{result!r} ({type(result).__name__})"


def cut(text: str, size: int) -> str:
    """Returns as much of the text as fits into `size` bytes of UTF-8."""
    return text.encode(errors="replace")[:size].decode(errors="ignore")


def warn_of_illegal(decision: Decision, choice: str | int) -> None:
    named = ", ".join(map(repr, decision.legal[:ACTIONS_NAMED]))
    more = len(decision.legal) - ACTIONS_NAMED
    warn(
        f"The bot chose {choice!r}, which is not legal, in {decision}. Legal:"
        f" {named}{f' and {more} more' if more > 0 else ''}."
    )


def warn(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def pong_to(frame: bot_service_pb2.ArenaFrame) -> bot_service_pb2.BotFrame | None:
    """Returns the answer to a frame's ping, if it holds one. It should be sent at once."""
    if not frame.HasField("ping"):
        return None
    return bot_service_pb2.BotFrame(pong=bot_service_pb2.Pong(number=frame.ping.number))
