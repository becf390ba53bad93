"""What arena and bots agree on: frames, kinds of fault, fair deals, final ranks."""
