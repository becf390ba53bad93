"""Support shared by several test files: bots to play with, services to talk to, games to
inspect."""

from arena.transport import prefer_older_engine

prefer_older_engine()  # as the arena's commands do
