"""Cards as the match page draws them: a large index and one large mark."""

from __future__ import annotations

from functools import lru_cache

from arena.web.pictures.pieces import FONT, Piece, framed, text
from arena.web.pictures.shapes import shapes
from sevens_games import Layout

WIDTH, HEIGHT = 64.0, 92.0
INKS = {
    "black": "#1b1f1d",
    "red": "#c01f2e",
    "green": "#11703a",
    "blue": "#1c55b8",
    "yellow": "#836100",
    "orange": "#ab4a00",
    "indigo": "#40309c",
    "violet": "#85309f",
    "slate": "#465260",
}
PAPER = '<rect x=".75" y=".75" width="62.5" height="90.5" rx="6" fill="#fdfcf8" stroke="#b9b6a8"/>'
BAND = "M6.75 1.5H24V90.5H6.75A5.25 5.25 0 0 1 1.5 85.25V6.75A5.25 5.25 0 0 1 6.75 1.5z"
BACK = Piece(
    WIDTH,
    HEIGHT,
    '<rect x=".75" y=".75" width="62.5" height="90.5" rx="6" fill="#f6efe2" stroke="#6f2b31"/>'
    '<rect x="5" y="5" width="54" height="82" rx="3.5" fill="#8c2f39"/>'
    '<path d="M5 19 32 5 59 19M5 46 32 19 59 46M5 73 32 46 59 73M18 87 32 73 46 87M5 46 32 73 59 46'
    'M5 19 32 46 59 19" stroke="#d9a7a0" stroke-width="1.4" fill="none"/>',
)
GAP = Piece(
    WIDTH,
    HEIGHT,
    '<rect x="1.5" y="1.5" width="61" height="89" rx="6" fill="#000" fill-opacity=".1"'
    ' stroke="#fff" stroke-opacity=".45" stroke-width="1.5" stroke-dasharray="5 4"/>',
)


@lru_cache(1024)
def face(card: str, layout: Layout) -> Piece:
    """Returns a card, face up; a word that is no card as a label."""
    if len(card) != 2 or card[1] not in layout.suits:
        return framed(text(card, 18, colour="#1b1f1d", most=24), 6, 'fill="#fdfcf8"')
    suit = layout.suits[card[1]]
    ink = INKS[layout.colours.get(card, suit.colour)]
    is_banded = not suit.symbol
    index = "#fff" if is_banded else ink
    rank = "10" if card[0] == "T" else card[0]
    band = f'<path d="{BAND}" fill="{ink}"/>'
    letter = _letters(card[1], 12.5, 85, 13, index)
    court = shapes().get(card[0])
    mark = shapes()[suit.shape]
    return Piece(
        WIDTH,
        HEIGHT,
        "".join(
            (
                PAPER,
                band if is_banded else "",
                _letters(rank, 12.5, 21.5, 23 if len(rank) == 1 else 17, index),
                _inked(mark, 5, 27, 15, index),
                _inked(court, 28, 27, 27.6, ink) if court else "",
                _inked(mark, *((29, 57, 27) if court else (26, 44, 34)), ink),
                letter if is_banded else "",
            )
        ),
    )


def _letters(words: str, x: float, y: float, size: float, colour: str) -> str:
    return (
        f'<text x="{x}" y="{y}" text-anchor="middle" font-family="{FONT}" font-weight="700"'
        f' font-size="{size}" fill="{colour}">{words}</text>'
    )


def _inked(path: str, x: float, y: float, size: float, colour: str) -> str:
    place = f"translate({x} {y}) scale({size / 24:.3f})"
    return f'<path d="{path}" transform="{place}" fill="{colour}" fill-rule="evenodd"/>'
