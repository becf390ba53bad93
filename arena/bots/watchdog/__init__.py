"""Cleans up after an arena that was killed: at once, or when the next one starts."""
