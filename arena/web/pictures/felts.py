"""A colour of felt for each game, by which its pictures are known at a glance."""

from __future__ import annotations

from colorsys import hls_to_rgb
from hashlib import sha256

from sevens_games import own_slugs

LIGHTNESS, SATURATION = 0.26, 0.42  # dark enough for white letters, whatever the hue
APART = (5**0.5 - 1) / 2  # of the circle of hues: a step that never comes near where it was


def felt_of(game: str) -> str:
    """Returns the colour of a game: of ours all differ, a brought one has any."""
    own = sorted(own_slugs())
    number = own.index(game) if game in own else sha256(game.encode()).digest()[0]
    hue = number * APART % 1
    red, green, blue = (round(255 * part) for part in hls_to_rgb(hue, LIGHTNESS, SATURATION))
    return f"#{red:02x}{green:02x}{blue:02x}"
