"""Decides which bots meet next, and records and rates finished matches."""
