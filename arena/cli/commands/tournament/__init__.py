"""`arena tournament`."""
