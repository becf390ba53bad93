"""Helper processes that outlive the arena and clean up after it."""
