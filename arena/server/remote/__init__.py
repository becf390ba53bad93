"""Remote bots: registration, presence, and the relay to workers."""
