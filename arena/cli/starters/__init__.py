"""`arena bot new`: a folder for a bot of one's own, made of an SDK's smallest example."""
