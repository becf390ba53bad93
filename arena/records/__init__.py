"""The messages a seat is sent, and the match record: write, read, replay, verify."""
