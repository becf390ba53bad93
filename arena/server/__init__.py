"""The server: strangers submit bots to it, which are tried and enter ladders."""
