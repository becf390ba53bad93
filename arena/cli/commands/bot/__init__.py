"""`arena bot`."""
