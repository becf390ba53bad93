"""A whole arena in processes of its own, with its users, workers and remote bots."""
