"""Ladders in simulation: how soon a pairing finds the true order of invented bots."""
