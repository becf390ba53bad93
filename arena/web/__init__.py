"""The pages of an arena, for browsers: they only read its store."""

from arena.web.site import DEFAULT_DELAY_S, LOCAL_PROXIES, LONGEST_DELAY_S, Settings

__all__ = ["DEFAULT_DELAY_S", "LOCAL_PROXIES", "LONGEST_DELAY_S", "Settings"]
