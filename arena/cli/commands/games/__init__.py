"""`arena games`."""
