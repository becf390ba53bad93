"""Where a bot comes from: its files, its manifest, archives of them, or a container image."""
