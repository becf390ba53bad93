"""`arena bot`: checks a bot."""

from __future__ import annotations

import typer

app = typer.Typer(help="Check a bot.")


@app.callback()
def bot() -> None:
    """Check a bot."""
