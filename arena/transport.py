"""The settings of gRPC's transport, which gRPC reads from the environment when it is imported."""

from __future__ import annotations

import os
from importlib.metadata import version

# gRPC has two engines for its connections. The newer one, its default, passes whatever arrives
# through one more thread: a lone match takes a third more CPU time with it. But with the older one
# a caller that sends faster than gRPC reads blocks all other callers, so a server, which any
# stranger can reach, keeps the default.
OLDER_ENGINE = "-event_engine_client,-event_engine_listener"
# The releases that have both, as far as is known. A release without the older one would complain on
# stderr; so later ones get their default.
HAVE_BOTH = ((1, 82), (1, 85))


def keep_log_to_itself() -> None:
    """Silences gRPC's own log, unless the environment asks for it: users get sentences instead.
    Call this before gRPC is imported."""
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")


def prefer_older_engine() -> None:
    """Chooses the cheaper of gRPC's engines for this process and its children, unless the
    environment has chosen. To be called before gRPC is imported."""
    major, minor, *_ = version("grpcio").split(".")
    if HAVE_BOTH[0] <= (int(major), int(minor)) <= HAVE_BOTH[1]:
        os.environ.setdefault("GRPC_EXPERIMENTS", OLDER_ENGINE)
