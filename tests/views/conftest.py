"""The store of the league's tests, with its ladders and jobs."""

from tests.league.conftest import jobs_of, new_ladder, rng, store

__all__ = ["jobs_of", "new_ladder", "rng", "store"]
