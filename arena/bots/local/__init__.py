"""Bots on this machine, whether their program runs as a process or in a container."""
