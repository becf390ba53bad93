"""The driver: all that games share, so that a rules module holds nothing but its rules."""
