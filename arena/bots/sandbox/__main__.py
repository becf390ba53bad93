"""`python -m arena.bots.sandbox`: builds the Python runtime for bots if necessary."""

from arena.bots.sandbox.python_runtime import build_if_outdated

build_if_outdated()
