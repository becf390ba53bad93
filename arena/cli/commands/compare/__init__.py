"""`arena compare`."""
