"""What surrounds a process: bubblewrap, or nothing, and the runtimes a bot finds there."""
