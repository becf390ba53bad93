"""The referee of one match, which asks the seats that owe a decision, applies their answers,
keeps their time and reports their faults. The referee does no I/O: channels carry its messages,
and a timekeeper wakes it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from arena.bots import BotLost, PendingDecision, explained
from arena.foreign_text import NOTE_LIMIT_BYTES, beginning
from arena.match.arrival import ArrivalPicks
from arena.match.deal_set import DealSet
from arena.match.seat import Seat
from arena.match.terms import Entry, Terms
from arena.match.timekeeper import Timekeeper
from arena.protocol import (
    NONCE_LIMIT_BYTES,
    DecisionWriter,
    Fault,
    FaultKind,
    end_message,
    final_ranks,
    move_at_fault,
    start_message,
)
from sevens.bot.v1.decision_pb2 import Answer
from sevens_games import Deals, Match
from sevens_games.engine import SplitDeals

ABANDONED = "abandoned"
# Losses that a bot can cause at will. If they were free while it owes nothing, it could keep the
# arena busy with them for a whole match.
BREACHES = (FaultKind.PROTOCOL_ERROR, FaultKind.RESOURCE_LIMIT)
QUOTED_CHARACTERS = 80  # of a wrong answer
# The bots' layer reports a bot that does not start, because it can quote the stderr. So the referee
# waits a little longer.
ACCEPT_MARGIN_S = 1.0
# A decision that the transport does not take, because the bot does not read, counts as the bot's
# time from then on. Otherwise the match would never end.
UNREAD_S = 1.0


class Referee:
    """One match from the first `MatchStart` to the last `MatchEnd`.

    `ended`: done when the match is over; it raises the failure if the arena itself failed.
    `choices`: (seat, action, milliseconds) in the order in which they were made.
    `ranks`: the rank of each seat, faults counted, once the match is over.
    """

    def __init__(
        self, terms: Terms, entries: Sequence[Entry], deal_set: DealSet, timekeeper: Timekeeper
    ) -> None:
        self.terms = terms
        self.deal_set = deal_set
        self.teams = terms.game.teams(len(entries))
        self.seats = [Seat(i, entry, terms.bank_ms, self) for i, entry in enumerate(entries)]
        self.faults: list[Fault] = []
        self.choices: list[tuple[int, str, int]] = []
        self.ranks: list[int] = []
        self.match: Match | None = None  # None until every seat has accepted or is at fault
        self.started_at = datetime.now(UTC)
        loop = asyncio.get_running_loop()
        self.ended: asyncio.Future[None] = loop.create_future()
        self._now = loop.time
        self._began = self._now()
        self._timekeeper = timekeeper
        self._writer = DecisionWriter(terms.match_id)
        self._arrivals: list[int] = []  # the seats that have chosen in this decision, in order
        self._opened_at = self._now()

    @property
    def lasted(self) -> timedelta:
        """The time since the match was started; the time of day may have jumped meanwhile."""
        return timedelta(seconds=self._now() - self._began)

    def open(self) -> None:
        """Seats the bots and starts the match."""
        for seat in self.seats:
            seat.channel = seat.entry.bot.sit(self.terms.match_id, seat)
        for seat in self.seats:
            self._send_start(seat, resumed=False)

    def abandon(self) -> None:
        """Ends a match that the arena cannot finish. A no-op if it is over."""
        self._send_ends([], ABANDONED)

    def let_go(self) -> None:
        """Drops the seats of a match that is over. Seats and referee refer to each other, so a
        match with all its past would otherwise stay in memory until the garbage collector runs."""
        for seat in self.seats:
            del seat.channel
        self.seats.clear()

    # Reports of the seats -------------------------------------------------------------------------

    def seat_accepted(self, seat: Seat, nonce: bytes) -> None:
        if self.match is not None or seat.accepted_nonce is not None or seat.fault:
            return
        if len(nonce) > NONCE_LIMIT_BYTES:
            sentence = f"The nonce has {len(nonce)} bytes; at most {NONCE_LIMIT_BYTES} are allowed."
            self._fault(seat, FaultKind.PROTOCOL_ERROR, sentence)
        else:
            seat.accepted_nonce = nonce
            seat.start_ms = int((self._now() - self._opened_at) * 1000)
        self._begin_when_ready()

    def seat_answered(self, seat: Seat, answer: Answer, at: float) -> None:
        pending = seat.pending
        if pending is None or pending.sent_at is None or answer.number != seat.number:
            seat.stale += 1
            return
        if answer.note:
            seat.notes.append((seat.number, beginning(answer.note, NOTE_LIMIT_BYTES)))
        spent_ms = self._charged_ms(seat, pending.sent_at, at)
        if spent_ms > seat.time_left_ms:
            self._fault(seat, FaultKind.TIMEOUT, late_answer(spent_ms, seat.time_left_ms))
        elif (action := action_of(answer, seat.legal)) is None:
            self._fault(seat, FaultKind.ILLEGAL_ACTION, *illegal_answer(answer, seat.legal))
        else:
            seat.pending = None
            seat.bank_ms = seat.time_left_ms - spent_ms
            self._choose(seat, action, spent_ms)
        self._advance()

    def seat_lost(self, seat: Seat, loss: BotLost) -> None:
        """Faults the bot if it owes a decision or its acceptance. Otherwise it may come back in
        time, unless it broke a rule: then it is at fault at the next decision that it owes."""
        seat.away = True
        owes_acceptance = self.match is None and seat.accepted_nonce is None
        if seat.fault:
            return
        if not (owes_acceptance or seat.pending):
            if loss.kind in BREACHES:
                seat.breach = loss
                seat.channel.close()
            return
        kind = FaultKind.START_FAILED if owes_acceptance else loss.kind
        self._fault(seat, kind, loss.sentence, loss.words)
        seat.channel.close()
        self._begin_when_ready()
        self._advance()

    def seat_restored(self, seat: Seat) -> None:
        """Sends the start again to a bot that is back, as it no longer knows the match, and asks
        for the decision that it owes."""
        seat.away = False
        if seat.fault or seat.breach:
            return
        self._send_start(seat, resumed=True)
        if seat.pending is not None:
            seat.channel.ask(seat.pending)

    def check_deadlines(self, now: float) -> None:
        if self.ended.done():
            return
        if self.match is None:
            self._fault_those_who_did_not_accept(now)
            return
        for seat in self.seats:
            self._check_time(seat, now)

    def failed(self, failure: Exception) -> None:
        """Passes a failure of the arena itself on to the caller that waits for the match."""
        if not self.ended.done():
            self.ended.set_exception(failure)

    # The beginning --------------------------------------------------------------------------------

    def _send_start(self, seat: Seat, *, resumed: bool) -> None:
        terms = self.terms
        seat.channel.send_start(
            start_message(
                match_id=terms.match_id,
                game=terms.game,
                options=terms.options,
                seat=seat.index,
                teams=self.teams,
                bank_ms=terms.bank_ms,
                increment_ms=terms.increment_ms,
                commitment=self.deal_set.commitment,
                seed=self.deal_set.seed_of_seat(terms.match_number, seat.index),
                resumed=resumed,
            )
        )

    def _fault_those_who_did_not_accept(self, now: float) -> None:
        grace = f"{self.terms.start_grace:g}"
        late_s = now - self._opened_at - self.terms.start_grace - ACCEPT_MARGIN_S
        for seat in self.seats:
            if seat.accepted_nonce is not None or seat.fault:
                continue
            if late_s > seat.channel.starved_s:
                sentence = f"The bot did not accept the match within {grace} seconds."
                self._fault(seat, FaultKind.START_FAILED, sentence)
        self._begin_when_ready()

    def _begin_when_ready(self) -> None:
        """Deals once every seat has accepted or is at fault."""
        if self.match is not None or self.ended.done():
            return
        if not all(seat.fault or seat.accepted_nonce is not None for seat in self.seats):
            return
        by_entrant = sorted(self.seats, key=lambda seat: seat.entry.entrant)
        nonces = [seat.accepted_nonce or b"" for seat in by_entrant]
        self.match = self.terms.game.start(
            players=len(self.seats), options=self.terms.options, deals=self._deals(nonces)
        )
        self._take_over()
        self._advance()

    def _take_over(self) -> None:
        """Makes the choices that are taken over from a match that is repeated."""
        for index, action in self.terms.origin.choices if self.terms.origin else ():
            seat = self.seats[index]
            seat.number += 1
            self._choose(seat, action, 0)

    def _deals(self, nonces: Sequence[bytes]) -> Deals:
        deals, game = self.deal_set.deals(nonces), self.terms.game
        if game.picks_by_arrival(game.option_fields(**self.terms.options)):
            return SplitDeals(deals, ArrivalPicks(self._arrivals))
        return deals

    # Play -----------------------------------------------------------------------------------------

    def _advance(self) -> None:
        """Makes the arena's moves for seats, and asks all other seats that owe a decision."""
        match = self.match
        if match is None or self.ended.done():
            return
        while (move := self._move_for_the_arena(match)) is not None:
            seat, action = move
            seat.number += 1
            self._choose(seat, action, 0)
        if match.to_act:
            for index in match.to_act:
                if self.seats[index].pending is None:
                    self._ask(self.seats[index], match)
        else:
            self._finish(match)

    def _move_for_the_arena(self, match: Match) -> tuple[Seat, str] | None:
        """Returns the next move of a seat at fault, or the next forced move."""
        for index in match.to_act:
            seat = self.seats[index]
            if seat.fault:
                return seat, move_at_fault(match.legal_actions(index))
            if seat.pending is None:
                seat.legal = match.legal_actions(index)
                if len(seat.legal) == 1 and not match.ask_forced:
                    return seat, seat.legal[0]
        return None

    def _ask(self, seat: Seat, match: Match) -> None:
        seat.number += 1
        events = match.events(seat.index, seat.heard)
        seat.heard += len(events)
        seat.time_left_ms = seat.bank_ms + self.terms.increment_ms
        frame = self._writer.frame(
            number=seat.number,
            seat=seat.index,
            time_left_ms=seat.time_left_ms,
            legal=seat.legal,
            observation=match.observe(seat.index),
            events=events,
        )
        # The clock keeps running while a bot is away.
        seat.handled_s = seat.channel.handled_s
        now = self._now()
        seat.pending = PendingDecision(frame, now if seat.away else None, now)
        if seat.breach is None:
            seat.channel.ask(seat.pending)
        else:
            asyncio.get_running_loop().call_soon(seat.lost, seat.breach)

    def _choose(self, seat: Seat, action: str, spent_ms: int) -> None:
        assert self.match is not None  # decisions are owed only after the deal
        self.choices.append((seat.index, str(action), spent_ms))
        completes_decision = len(self.match.to_act) == 1
        self._arrivals.append(seat.index)
        self.match.apply(seat.index, action)
        if completes_decision:
            self._arrivals.clear()

    def _charged_ms(self, seat: Seat, since: float, until: float) -> int:
        """Returns the time that a seat has spent on its decision."""
        own_s = seat.channel.handled_s - seat.handled_s
        return self._timekeeper.charged_ms(since, until, own_s)

    def _check_time(self, seat: Seat, now: float) -> None:
        pending = seat.pending
        if pending is None:
            return
        if pending.sent_at is None:
            if now > pending.asked_at + UNREAD_S:
                pending.sent_at = now
            return
        if self._charged_ms(seat, pending.sent_at, now) > seat.time_left_ms:
            late = f"No answer arrived within the {seat.time_left_ms} ms that were left."
            sentence = late + explained(seat.channel.stderr())
            self._fault(seat, FaultKind.TIMEOUT, sentence)
            self._advance()

    def _fault(self, seat: Seat, kind: FaultKind, sentence: str, words: str = "") -> None:
        """Plays for the seat from now on, beginning with the decision that it owes."""
        seat.fault = Fault(seat.index, kind, seat.number, sentence, words)
        self.faults.append(seat.fault)
        if seat.pending is not None:
            seat.pending = None
            seat.number -= 1  # the arena makes this decision and counts it

    # The end --------------------------------------------------------------------------------------

    def _finish(self, match: Match) -> None:
        result = match.result
        assert result is not None  # no seat owes a decision
        at_fault = {fault.seat for fault in self.faults}
        self.ranks = final_ranks(result.ranks, self.teams, at_fault)
        self._send_ends(result.scores, result.reason)
        self.ended.set_result(None)

    def _send_ends(self, scores: Sequence[int], reason: str) -> None:
        for seat in self.seats:
            if not hasattr(seat, "channel"):
                continue  # the arena failed before every bot was seated
            seat.channel.send_end(
                end_message(
                    match_id=self.terms.match_id,
                    seat=seat.index,
                    teams=self.teams,
                    scores=scores,
                    ranks=self.ranks,
                    reason=reason,
                    faults=self.faults,
                )
            )
            seat.channel.close()


def action_of(answer: Answer, legal: Sequence[str]) -> str | None:
    """Returns the legal action that an answer names, or None."""
    if answer.WhichOneof("action") == "index":
        return legal[answer.index] if answer.index < len(legal) else None
    return answer.text if answer.text in legal else None


def late_answer(spent_ms: int, time_left_ms: int) -> str:
    return f"The answer came after {spent_ms} ms; {time_left_ms} ms were left."


def illegal_answer(answer: Answer, legal: Sequence[str]) -> tuple[str, str]:
    """Returns the error in an answer that names no legal action: a sentence for everyone, and
    details for the bot's owner."""
    count = f"{len(legal)} legal actions"
    if answer.WhichOneof("action") == "index":
        return f"Action index {answer.index} is out of range: there were {count}.", ""
    if not answer.HasField("text"):
        return "The answer named no action, neither by index nor by text.", ""
    words = f"It answered {answer.text[:QUOTED_CHARACTERS]!r}; {legal[0]!r} would have been legal."
    return f"The answer was not among the {count}.", words
