"""The calls of the league's service: plain functions from a request to a response."""
