"""TrueSkill ratings from finished matches."""
