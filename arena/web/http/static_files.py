"""Static files, each by an address that changes with its content, so that browsers may keep it."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

from starlette import staticfiles
from starlette.responses import Response
from starlette.types import Scope

FOLDER = Path(__file__).parent.with_name("static")
FOR_A_YEAR = "public, max-age=31536000, immutable"
DIGITS = 12


@cache
def tree_digest() -> str:
    """Returns the beginning of the digest of all static files. It is a folder in their addresses,
    so that a module's relative imports carry it on."""
    whole = sha256()
    for path in sorted(FOLDER.rglob("*")):
        if path.is_file():
            whole.update(path.relative_to(FOLDER).as_posix().encode() + b"\0")
            whole.update(sha256(path.read_bytes()).digest())
    return whole.hexdigest()[:DIGITS]


def static_address(path: str) -> str:
    """Returns the address of a static file, given by its path in `static/`."""
    assert (FOLDER / path).is_file(), f"There is no static file {path}."
    return f"/static/{tree_digest()}/{path}"


class StaticFiles(staticfiles.StaticFiles):
    """Serves `static/` under /static/DIGEST/."""

    def __init__(self) -> None:
        super().__init__(directory=FOLDER)

    def get_path(self, scope: Scope) -> str:
        digest, _, rest = super().get_path(scope).partition("/")
        return rest if digest == tree_digest() else digest

    def file_response(self, *arguments: object, **settings: object) -> Response:
        response = super().file_response(*arguments, **settings)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = FOR_A_YEAR
        return response
