"""What others wrote stands here as they published it, with its licence."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import arena

WEB = Path(arena.__file__).parent / "web"
VENDOR = WEB / "static" / "vendor"


def test_every_file_has_its_published_digest() -> None:
    listed = {}
    for line in (VENDOR / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split()
        listed[name] = digest
    found = {path.name: sha256(path.read_bytes()).hexdigest() for path in VENDOR.glob("*.js")}
    assert found == listed
    assert "Zero-Clause BSD" in (VENDOR / "htmx-LICENSE.txt").read_text()


def test_the_font_of_pictures_has_its_licence() -> None:
    fonts = WEB / "pictures" / "fonts"
    assert {path.name for path in fonts.glob("*.ttf")} == {"DejaVuSans.ttf", "DejaVuSans-Bold.ttf"}
    assert "Bitstream Vera" in (fonts / "LICENSE.txt").read_text()
