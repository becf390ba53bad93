"""How much a bot may use, and how that is enforced."""
