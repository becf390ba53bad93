"""Finished matches: lists by filter, single ones and what was played, deal groups, faults."""
