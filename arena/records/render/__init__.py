"""A record as people and programs read it: a log, decision by decision, JSON."""
