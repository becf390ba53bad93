"""Values as texts of a page."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from markupsafe import Markup

from arena import foreign_text

MINUS = "\N{MINUS SIGN}"


def visible(text: str) -> str:
    """Returns a stranger's text on one line, with escapes for what would hide or reorder it."""
    return foreign_text.visible(text)


def isolated(text: str) -> Markup:
    """Returns a stranger's text on one line, kept apart so that writing from right to left in it
    moves nothing around it."""
    return Markup("<bdi>{}</bdi>").format(visible(text))


SUITS = {"♠": "spade", "♥": "heart", "♦": "diamond", "♣": "club"}


def cards(sentence: str) -> Markup:
    """Returns a sentence whose cards of the French deck look like cards."""
    parts = re.split("((?:10|[0-9AJQK])[♠♥♦♣])", sentence)
    drawn = Markup('<span class="card-text {}">{}</span>')
    return Markup("").join(
        drawn.format(SUITS[part[-1]], part) if place % 2 else part
        for place, part in enumerate(parts)
    )


def number(value: float) -> str:
    """Returns an integer with thin spaces between thousands."""
    return f"{int(value):,}".replace(",", "\N{NARROW NO-BREAK SPACE}").replace("-", MINUS)


def decimal(value: float, places: int = 1) -> str:
    """Returns a number with a true minus sign."""
    return f"{value:.{places}f}".replace("-", MINUS)


def signed(value: float, places: int = 1) -> str:
    """Returns a number with its sign."""
    return f"{value:+.{places}f}".replace("-", MINUS)


def seconds(milliseconds: float) -> str:
    """Returns a duration in the unit that suits it."""
    if milliseconds < 999.5:
        return f"{milliseconds:.0f} ms"
    if milliseconds < 59_950:
        return f"{milliseconds / 1000:.1f} s"
    minutes, rest = divmod(round(milliseconds / 1000), 60)
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"


def percent(share: float, places: int = 0) -> str:
    """Returns a share from 0 to 1 as a percentage."""
    return f"{decimal(100 * share, places)}\N{NO-BREAK SPACE}%"


def chance(probability: float) -> str:
    """Returns a probability as a percentage that is never certain."""
    if probability > 0.99:
        return f"more than {percent(0.99)}"
    return f"less than {percent(0.01)}" if probability < 0.01 else percent(probability)


def clock(bank_ms: int, increment_ms: int) -> str:
    """Returns a clock's terms."""
    each = f" + {seconds(increment_ms)} a decision" if increment_ms else ""
    return f"{seconds(bank_ms)}{each}"


def moment(time: datetime) -> Markup:
    """Returns a `time` element that says a moment in UTC."""
    utc = time.astimezone(UTC)
    return Markup('<time datetime="{}">{}</time>').format(
        utc.isoformat(timespec="seconds"), utc.strftime("%Y-%m-%d %H:%M UTC")
    )


def ago(time: datetime) -> Markup:
    """Returns a `time` element that says a moment in UTC; ages.js makes it say how long ago that
    was."""
    utc = time.astimezone(UTC)
    return Markup('<time datetime="{}" data-ago>{}</time>').format(
        utc.isoformat(timespec="seconds"), utc.strftime("%Y-%m-%d %H:%M UTC")
    )
