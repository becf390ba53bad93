"""Support shared by several test files: bots to play with, services to talk to, games to
inspect."""
