"""Renders a record for people and programs: as a log, decision by decision, as JSON."""
