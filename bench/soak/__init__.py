"""An arena with many bots, remote bots and watchers, and the memory of its processes over time."""
