"""A bot that this machine runs, as a process or in a container."""
