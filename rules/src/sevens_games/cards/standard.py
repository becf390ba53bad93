"""The standard deck of 52 cards; a code is the rank, then the suit: TD is the ten of diamonds."""

SUITS = "CDHS"
RANKS = "A23456789TJQK"
RANKS_UP = RANKS[1:] + "A"  # from low to high, where the ace is high
DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)  # in canonical order
PLACE = {card: place for place, card in enumerate(DECK)}
RANK = {card: card[0] for card in DECK}
SUIT = {card: card[1] for card in DECK}
