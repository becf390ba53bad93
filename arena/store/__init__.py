"""The tables: bots, versions, competitions, jobs, matches, records, ratings, tokens.

Its modules are imported by name: `from arena.store.schema import Match`.
"""
