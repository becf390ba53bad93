"""Verifies a match record: replays it by the rules and reports the first field that contradicts
the rules, the deal or the result. `docs/records.md` explains how to do this in other languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from dataclasses import field as column
from datetime import datetime

from arena.protocol import commitment_of, final_ranks, seat_seed
from arena.records.record import SealedRecord, digest_of, read
from arena.records.setup import (
    digest,
    game_of,
    nonce_of,
    options_of,
    players_of,
    recorded_deals,
    seeded_deals,
    started,
)
from arena.records.strict_json import SHOWN, BadRecord, cut
from arena.records.thinking import Thinking, thinking
from arena.records.timeline import ChosenBy, Step, moments
from sevens.record.v1.match_record_pb2 import MatchRecord
from sevens_games import Match

TIME = "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z"


@dataclass(frozen=True)
class Verdict:
    """The verdict on a record.

    `ok`: True if the record is true.
    `field`: the first wrong field, otherwise.
    `sentence`: the verdict in words.
    `thinking`: for a true record, the times of each seat's own decisions.
    """

    ok: bool
    field: str
    sentence: str
    thinking: tuple[Thinking, ...] = column(default=(), compare=False)


def verify(data: bytes | str) -> Verdict:
    """Checks that the record with this JSON text agrees with the rules, the deal and its digest."""
    try:
        return verify_record(read(data))
    except BadRecord as bad:
        return Verdict(False, bad.field, bad.sentence)


def verify_record(record: MatchRecord) -> Verdict:
    """Does the same for a record that has already been read."""
    return _verdict(record, lambda: digest_of(record))


def verify_sealed(sealed: SealedRecord) -> Verdict:
    """Does the same for a record that has been read from its canonical form."""
    return _verdict(sealed.record, sealed.content_digest)


def _verdict(record: MatchRecord, digest_of_content: Callable[[], str]) -> Verdict:
    try:
        for check in BEFORE_PLAY:
            check(record)
        times = check_play(record)
        check_times(record)
        check_digest(record, digest_of_content())  # last, because it names no field
    except BadRecord as bad:
        return Verdict(False, bad.field, bad.sentence)
    sentence = (
        "The record agrees with the rules, the deal, the result and its digest; bots, clock, times"
        " and ids are as it states them."
    )
    if seeded_deals(record) is None:
        sentence += " The deal could not be checked yet: its secret has not been revealed."
    return Verdict(True, "", sentence, times)


def check_game(record: MatchRecord) -> None:
    game_of(record)
    options_of(record)


def check_names(record: MatchRecord) -> None:
    if not record.match_id:
        raise BadRecord("match_id", "Every match has one.")
    for field in ("attempt", "match_number"):
        if getattr(record, field) < 1:
            raise BadRecord(field, "It counts from 1.")


def check_seats(record: MatchRecord) -> None:
    teams = game_of(record).teams(players_of(record))
    _check_list("seats[{}].team", [seat.team for seat in record.seats], teams)
    for index, seat in enumerate(record.seats):
        if seat.version:
            digest(f"seats[{index}].version", seat.version)
        digest(f"seats[{index}].seed", seat.seed)
        nonce_of(record, index)
    _check_entrants(record)


def _check_entrants(record: MatchRecord) -> None:
    """Checks that there are as many entrants as seats, each at one of them."""
    seen: set[int] = set()
    for index, seat in enumerate(record.seats):
        if seat.entrant >= len(record.seats) or seat.entrant in seen:
            sentence = (
                f"Each of 0 to {len(record.seats) - 1} has one seat; {seat.entrant} is wrong here."
            )
            raise BadRecord(f"seats[{index}].entrant", sentence)
        seen.add(seat.entrant)


def check_deal_source(record: MatchRecord) -> None:
    source = record.deal_source
    if not source.seed_text:
        _check_commitment(record)
        return
    for field in ("commitment", "secret"):
        if getattr(source, field):
            raise BadRecord(f"deal_source.{field}", "Empty where the deals follow a seed text.")
    for index, seat in enumerate(record.seats):
        if seat.nonce:
            raise BadRecord(f"seats[{index}].nonce", "Empty where the deals follow a seed text.")
    _check_seat_seeds(record, source.seed_text.encode(), "deal_source.seed_text")


def _check_commitment(record: MatchRecord) -> None:
    source = record.deal_source
    if not source.commitment:
        raise BadRecord("deal_source.commitment", "There must be a commitment, or a seed text.")
    commitment = digest("deal_source.commitment", source.commitment)
    if not source.secret:
        return
    secret = digest("deal_source.secret", source.secret)
    if commitment_of(secret) != commitment:
        # The seats' seeds also come from the secret, so they show which of the two fields was
        # changed.
        field = "commitment" if _seeds_agree(record, secret) else "secret"
        raise BadRecord(f"deal_source.{field}", "The commitment must be the secret's SHA-256.")
    _check_seat_seeds(record, secret, "match_number")


def _check_seat_seeds(record: MatchRecord, root: bytes, origin: str) -> None:
    """Raises BadRecord: for the field `origin` if no seat's seed is right, otherwise for the
    wrong seed."""
    right = _seat_seeds(record, root)
    recorded = [seat.seed for seat in record.seats]
    if not set(right) & set(recorded):
        raise BadRecord(origin, "No seat's seed follows from it.")
    _check_list("seats[{}].seed", recorded, right)


def _seeds_agree(record: MatchRecord, root: bytes) -> bool:
    return [seat.seed for seat in record.seats] == _seat_seeds(record, root)


def _seat_seeds(record: MatchRecord, root: bytes) -> list[str]:
    seats = range(len(record.seats))
    return [seat_seed(root, record.match_number, seat).hex() for seat in seats]


def check_origin(record: MatchRecord) -> None:
    if not record.HasField("origin"):
        return
    if not record.origin.match:
        raise BadRecord("origin.match", "A match that repeats another names it.")
    digest("origin.digest", record.origin.digest)
    if record.origin.choices > len(record.choices):
        raise BadRecord(
            "origin.choices",
            f"The match has {len(record.choices)} choices; no more can be repeated.",
        )


def check_play(record: MatchRecord) -> tuple[Thinking, ...]:
    """Replays with the deals that the seed gives, so that a changed card and a changed choice are
    distinguished. Returns the times of each seat's own decisions."""
    if not record.HasField("result"):
        raise BadRecord("result", "It is missing; only a match in play has no result.")
    match = started(record, seeded_deals(record) or recorded_deals(record))
    times: list[list[int]] = [[] for _ in record.seats]
    try:
        for moment in moments(record, match):
            if isinstance(moment, Step) and moment.chosen_by is ChosenBy.BOT:
                times[moment.seat].append(moment.milliseconds)
    except BadRecord:
        _check_chance(record, match)  # a wrong choice may be due to a different deal
        raise
    _check_chance(record, match)
    _check_result(record, match)
    return tuple(map(thinking, times))


def _check_chance(record: MatchRecord, match: Match) -> None:
    """Checks that the record lists all cards dealt and, once the match is over, no others."""
    shuffles = [list(shuffle.cards) for shuffle in record.shuffles]
    _check_dealt("shuffles", ".cards", shuffles, match.deals.shuffles, match)
    _check_dealt("picks", "", list(record.picks), match.deals.picks, match)


def _check_dealt(
    name: str, part: str, recorded: Sequence[object], dealt: Sequence[object], match: Match
) -> None:
    for index, right in enumerate(dealt):
        if index == len(recorded):
            raise BadRecord(name, f"The match had more than {index}.")
        if recorded[index] != right:
            sentence = f"The seed (from secret and nonces, or the seed text) gives: {right}."
            raise BadRecord(f"{name}[{index}]{part}", sentence)
    if not match.to_act and len(recorded) > len(dealt):
        raise BadRecord(f"{name}[{len(dealt)}]", f"The match had only {len(dealt)}.")


def _check_result(record: MatchRecord, match: Match) -> None:
    result = match.result
    assert result is not None  # `moments` plays to the end
    teams = [seat.team for seat in record.seats]
    ranks = final_ranks(result.ranks, teams, {fault.seat for fault in record.faults})
    _check_list("result.scores[{}]", record.result.scores, result.scores)
    _check_list("result.ranks[{}]", record.result.ranks, ranks)
    if record.result.reason != result.reason:
        raise BadRecord("result.reason", f"By the rules: {result.reason}.")


def check_times(record: MatchRecord) -> None:
    started_at = _time("started_at", record.started_at)
    if _time("finished_at", record.finished_at) < started_at:
        raise BadRecord("finished_at", "The match cannot end before it begins.")


def _time(field: str, text: str) -> datetime:
    try:
        if re.fullmatch(TIME, text):
            return datetime.fromisoformat(text)
    except ValueError:  # no such day or hour
        pass
    shown = cut(text, SHOWN)
    raise BadRecord(field, f"This must be a time like 2025-07-07T07:07:07.000Z, not {shown!r}.")


def check_digest(record: MatchRecord, right: str) -> None:
    if record.digest != right:
        shown = cut(record.digest, len(right))
        raise BadRecord(
            "digest",
            f"Only the digest differs: the record says {shown!r}, its content gives {right}. "
            "Rules and deal agree, so a field that they do not determine, such as a name, was "
            "changed.",
        )


def _check_list(field: str, recorded: Sequence[object], right: Sequence[object]) -> None:
    """Compares two lists. `field` has a placeholder for the index."""
    if len(recorded) != len(right):
        raise BadRecord(field.partition("[")[0], f"There must be {len(right)}, one per seat.")
    for index, (found, true) in enumerate(zip(recorded, right, strict=True)):
        if found != true:
            raise BadRecord(field.format(index), f"This must be {true}, not {found}.")


# In the order in which a reader reads a record.
BEFORE_PLAY: Sequence[Callable[[MatchRecord], None]] = (
    check_game,
    check_names,
    check_seats,
    check_deal_source,
    check_origin,
)
