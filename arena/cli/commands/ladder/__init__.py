"""`arena ladder`."""
