"""A match as one HTML file that needs no network: it replays and verifies itself."""

from arena.web.offline.bundle import Unbundlable, bundle
from arena.web.offline.file import offline_html

__all__ = ["Unbundlable", "bundle", "offline_html"]
