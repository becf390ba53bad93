"""The names of headers, apart from `caller`: workers and `arena submit` need no tables."""

ACTING = "acting-token-id"
"""The header, or the metadata, in which a local caller names the token in whose bearer's name it
calls."""
ENROLLING = "enrolling-worker"
"""The metadata in which a worker names itself when it enrols."""
VISITING = "visitor"
"""The value for a caller without a token; no token has this id."""
