"""Reads the head of a record: its game, options and players, and the source of its deals. Every
function raises BadRecord."""

from __future__ import annotations

import re

from arena.protocol import NONCE_LIMIT_BYTES, deal_seed
from arena.records.strict_json import BadRecord
from sevens.record.v1.match_record_pb2 import MatchRecord
from sevens_games import Deals, Match, SeededDeals, StackedDeals, UnknownGame, WrongDeals, load
from sevens_games.engine import GameOf, OptionValue, SplitDeals, text_of

FORMAT = 1


def game_of(record: MatchRecord) -> GameOf:
    """Returns the game, if its rules version is that of the record."""
    if record.format != FORMAT:
        raise BadRecord(
            "format",
            f"This arena reads format {FORMAT}, not {record.format}; use {_its_arena(record)}.",
        )
    try:
        game = load(record.game)
    except UnknownGame as unknown:
        raise BadRecord(
            "game", f"{unknown} Install the game, or use {_its_arena(record)}."
        ) from None
    if record.rules_version != game.rules_version:
        raise BadRecord(
            "rules_version",
            f"The match was played by version {record.rules_version} of the rules of {game.title}; "
            f"this arena has version {game.rules_version}. Use {_its_arena(record)}.",
        )
    return game


def options_of(record: MatchRecord) -> dict[str, OptionValue]:
    """Returns the options as the game's rules read them. The record must list every option."""
    declared = game_of(record).options
    for name in sorted(record.options.keys() - declared.keys()):
        existing = ", ".join(declared) or "none"
        raise BadRecord(f"options.{name}", f"The game has no such option; its options: {existing}.")
    values = {}
    for name, option in declared.items():
        field = f"options.{name}"
        if name not in record.options:
            raise BadRecord(field, "Missing: a record lists every option of its game.")
        text = record.options[name]
        try:
            values[name] = option.parse(text)
        except ValueError as error:
            raise BadRecord(field, str(error)) from None
        if text_of(values[name]) != text:
            raise BadRecord(field, f"Write {text_of(values[name])!r}, not {text!r}.")
    return values


def players_of(record: MatchRecord) -> int:
    """Returns the number of seats."""
    game, players = game_of(record), len(record.seats)
    if players not in game.players:
        allowed = ", ".join(map(str, game.players))
        raise BadRecord("seats", f"{game.title} has {allowed} players, not {players}.")
    return players


def started(record: MatchRecord, deals: Deals) -> Match:
    """Returns the match before its first choice."""
    players, options = players_of(record), options_of(record)
    try:
        return game_of(record).start(players=players, options=options, deals=deals)
    except WrongDeals as wrong:
        raise wrong_chance(record, wrong) from None
    except ValueError as error:  # values that are allowed individually but not together
        raise BadRecord("options", str(error)) from None


def recorded_deals(record: MatchRecord) -> StackedDeals:
    """Returns the shuffles and picks that the record lists."""
    return StackedDeals([shuffle.cards for shuffle in record.shuffles], record.picks)


def seeded_deals(record: MatchRecord) -> Deals | None:
    """Returns the deals that follow from the seed, or None if the secret is not revealed yet.

    Picks that the host decides by order of arrival are taken from the record.
    """
    deals = _seeded_deals(record)
    game = game_of(record)
    if deals is not None and game.picks_by_arrival(game.option_fields(**options_of(record))):
        return SplitDeals(deals, StackedDeals(picks=record.picks))
    return deals


def _seeded_deals(record: MatchRecord) -> SeededDeals | None:
    source = record.deal_source
    if source.seed_text:
        return SeededDeals(source.seed_text)
    if not source.secret:
        return None
    by_entrant = sorted(enumerate(record.seats), key=lambda place: place[1].entrant)
    nonces = [nonce_of(record, seat) for seat, _ in by_entrant]
    return SeededDeals(deal_seed(digest("deal_source.secret", source.secret), nonces))


def nonce_of(record: MatchRecord, seat: int) -> bytes:
    """Returns the nonce that the seat's entrant contributed to the deal."""
    text = record.seats[seat].nonce
    if not re.fullmatch("([0-9a-f]{2})*", text) or len(text) > 2 * NONCE_LIMIT_BYTES:
        raise BadRecord(
            f"seats[{seat}].nonce",
            f"This must be 0 to {NONCE_LIMIT_BYTES} bytes as lower-case hexadecimal digits.",
        )
    return bytes.fromhex(text)


def digest(field: str, text: str) -> bytes:
    """Returns the 32 bytes of 64 hexadecimal digits."""
    if not re.fullmatch("[0-9a-f]{64}", text):
        raise BadRecord(field, "This must be 64 lower-case hexadecimal digits.")
    return bytes.fromhex(text)


def wrong_chance(record: MatchRecord, wrong: WrongDeals) -> BadRecord:
    """Names the field of recorded chance that did not fit a request."""
    field = ""
    if wrong.shuffle is not None:
        kept = wrong.shuffle <= len(record.shuffles)
        field = f"shuffles[{wrong.shuffle - 1}].cards" if kept else "shuffles"
    elif wrong.pick is not None:
        field = f"picks[{wrong.pick - 1}]" if wrong.pick <= len(record.picks) else "picks"
    return BadRecord(field, str(wrong))


def _its_arena(record: MatchRecord) -> str:
    return f"the arena that wrote it ({record.arena or 'unnamed'})"
