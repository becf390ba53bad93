"""Helpers that several test files share: bots to play with, services to talk to, games to see."""
