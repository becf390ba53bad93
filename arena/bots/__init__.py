"""Ways to reach a bot."""
