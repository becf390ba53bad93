"""Pictures as PNG, for sites that show no SVG in previews of links."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from threading import BoundedSemaphore, Lock

from arena.errors import ArenaError, Kind

FONTS = Path(__file__).parent / "fonts"
FURTHER_FONTS = (
    "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
)
"""Of Debian's fonts-wqy-microhei and fonts-noto-cjk: Chinese, Japanese and Korean letters."""
PICTURES_KEPT = 128  # of some 50 KB each
WAITING = BoundedSemaphore(4)
ONE_AT_A_TIME = Lock()
"""A picture takes a core for a fifth of a second, which pages and matches need too."""


@lru_cache(PICTURES_KEPT)
def png_of(svg: str) -> bytes:
    """Returns a drawing of ours as PNG, in its own size; with our fonts, so that it looks the same
    on every machine. Raises ArenaError if too many are drawn at the moment."""
    import resvg_py  # takes long to load

    if not WAITING.acquire(blocking=False):
        raise ArenaError(
            Kind.TOO_MANY, "Many pictures are being drawn at the moment; try again in a second."
        )
    try:
        with ONE_AT_A_TIME:
            return resvg_py.svg_to_bytes(
                svg_string=svg, skip_system_fonts=True, font_files=_fonts()
            )
    finally:
        WAITING.release()


@cache
def _fonts() -> list[str]:
    """Returns our fonts, and then one that has the letters which they lack, if there is any."""
    further = [font for font in FURTHER_FONTS if Path(font).is_file()]
    return sorted(map(str, FONTS.glob("*.ttf"))) + further[:1]
