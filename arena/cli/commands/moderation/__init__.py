"""The commands by which organisers correct what has happened, and see who changed what."""
