"""`python -m arena.cli`: how the arena starts its own workers."""

from arena.cli.app import main

main()
