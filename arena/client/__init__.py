"""Access to an arena: a running one by gRPC, or a data folder of this machine."""
