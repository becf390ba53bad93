"""`arena submit`."""
