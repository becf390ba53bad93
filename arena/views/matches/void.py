"""Matches that were declared void, or count again."""

from __future__ import annotations

from arena.views.view import View


class VoidMatches(View):
    """The matches that have become void, or count again. `matches`: their number by competition."""

    matches: dict[str, int]

    @property
    def sentence(self) -> str:
        """Their numbers, as "7 of xeri, 1 of oh-seven"."""
        return ", ".join(f"{number:,} of {name}" for name, number in self.matches.items())
