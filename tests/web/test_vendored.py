"""What others wrote stands here as they published it, with its licence."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import arena

VENDOR = Path(arena.__file__).parent / "web" / "static" / "vendor"


def test_every_file_has_its_published_digest() -> None:
    listed = {}
    for line in (VENDOR / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split()
        listed[name] = digest
    found = {path.name: sha256(path.read_bytes()).hexdigest() for path in VENDOR.glob("*.js")}
    assert found == listed
    assert "Zero-Clause BSD" in (VENDOR / "htmx-LICENSE.txt").read_text()
