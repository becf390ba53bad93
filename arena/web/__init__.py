"""The pages of an arena, for browsers: they only read its store."""

from arena.web.site import DEFAULT_DELAY_S, LOCAL_PROXIES, Settings

__all__ = ["DEFAULT_DELAY_S", "LOCAL_PROXIES", "Settings"]
