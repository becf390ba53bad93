"""The match record: written, read, replayed, verified and rendered."""
