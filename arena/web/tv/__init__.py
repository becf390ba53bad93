"""TV: finished matches one after another, the most surprising first."""

from arena.web.tv.programme import Item, Programme, programme_of

__all__ = ["Item", "Programme", "programme_of"]
