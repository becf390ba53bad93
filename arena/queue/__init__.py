"""Carries jobs to workers and outcomes back, on Redis streams."""
