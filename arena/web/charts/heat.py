"""The colour of a cell in a table of results: how good they are, and how sure that is."""

from __future__ import annotations

TONES = 8  # steps to either side of an even result
STRENGTHS = (1, 5, 15, 40, 100)
"""So many games make the colour stronger by a step."""


def heat(score: float, games: int) -> str:
    """Returns the classes of a cell.

    `score`: from 0 to 1; gives the colour, from one for losses over none to one for wins.
    `games`: the number of independent games; few of them give a pale colour.
    """
    if not games:
        return "heat none"
    tone = round((min(1.0, max(0.0, score)) - 0.5) * 2 * TONES)
    strength = sum(games >= least for least in STRENGTHS)
    side = "even" if tone == 0 else f"{'win' if tone > 0 else 'loss'}-{abs(tone)}"
    return f"heat {side} sure-{strength}"
