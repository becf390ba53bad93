"""Bots as containers of a Docker engine."""
