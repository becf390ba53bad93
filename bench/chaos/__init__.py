"""A season in small that is harmed on purpose, and the proof that nothing was lost."""
