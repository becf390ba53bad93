"""The way of jobs to workers and of outcomes back, on Redis streams."""
