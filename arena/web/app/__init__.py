"""The application, which loads all pages: code that does not serve them does not import it."""

from arena.web.app.routes import pages_app
from arena.web.site import Site

__all__ = ["Site", "pages_app"]
