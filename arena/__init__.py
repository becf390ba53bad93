"""An arena in which bots of any language play card games, and are rated."""

__version__ = "0.1.0"
