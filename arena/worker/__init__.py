"""Takes a job, gets the bots running, plays it, reports it."""
