"""A colour of felt for each game, by which its pictures are known at a glance."""

from __future__ import annotations

from colorsys import hls_to_rgb
from hashlib import sha256

LIGHTNESS, SATURATION = 0.26, 0.42  # dark enough for white letters, whatever the hue
HUES = 24


def felt_of(game: str) -> str:
    """Returns the colour of a game."""
    hue = sha256(game.encode()).digest()[0] % HUES / HUES
    red, green, blue = (round(255 * part) for part in hls_to_rgb(hue, LIGHTNESS, SATURATION))
    return f"#{red:02x}{green:02x}{blue:02x}"
