"""The tables: bots, versions, ladders, jobs, matches, records, ratings, tokens."""
