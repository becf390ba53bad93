"""Bots that dial in from elsewhere."""
