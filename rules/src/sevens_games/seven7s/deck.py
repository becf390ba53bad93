"""The deck of Seven7s: 49 cards of seven types, seven values and seven colours."""

from __future__ import annotations

# A type is the number of its column.
TYPES = "ACDVLSW"
AGES, COLORS, SINS, VIRTUES, GODS, SEAS, WONDERS = COLUMNS = range(7)
VALUES = range(1, 8)
DECK = tuple(f"{value}{letter}" for letter in TYPES for value in VALUES)
PLACE = {card: place for place, card in enumerate(DECK)}
VALUE = {card: int(card[0]) for card in DECK}
TYPE = {card: TYPES.index(card[1]) for card in DECK}
RAINBOW = ("red", "orange", "yellow", "green", "blue", "indigo", "violet")
COLOUR = {card: RAINBOW[(VALUE[card] - 1 + 2 * (TYPE[card] - COLORS)) % 7] for card in DECK}
