"""`arena ratings`."""
