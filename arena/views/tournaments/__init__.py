"""Tournaments: single ones with all that is public, in data and in words, and the list of all."""
