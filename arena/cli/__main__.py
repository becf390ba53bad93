"""`python -m arena.cli`: the way in which the arena starts its worker processes."""

from arena.cli import main

main()
