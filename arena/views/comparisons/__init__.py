"""Comparisons of two versions of a bot: their plans, figures, groups and certificates."""
