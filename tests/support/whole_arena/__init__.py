"""A whole arena in separate processes, with its users, workers and remote bots."""
