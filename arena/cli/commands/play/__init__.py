"""`arena play`."""
