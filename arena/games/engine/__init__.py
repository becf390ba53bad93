"""The driver: what all games share, so that a rules module holds nothing but its rules."""
