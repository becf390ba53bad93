"""Card helpers that at least two games share."""
