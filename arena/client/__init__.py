"""Access to an arena: a running one by HTTP, or a data folder of this machine; and to its gRPC."""
