"""One gRPC stream between the arena and a bot, and the server that accepts it."""
