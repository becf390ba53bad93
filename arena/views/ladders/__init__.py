"""Ladders: their terms and counts, their tables, and how ratings changed and why."""
