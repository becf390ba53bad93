"""Which bots meet next, and what becomes of finished matches."""
