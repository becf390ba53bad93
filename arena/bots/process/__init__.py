"""Bots as processes: starting, watching and ending them."""
