"""The documents' links resolve, in a checkout and on the site that `make docs` builds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools.site_check import loaded_from_elsewhere
from tools.site_links import FENCED, LINK, OUTSIDE, ROOT, relinked

DOCUMENTS = [
    ROOT / "README.md",
    *(ROOT / path for path in sorted(OUTSIDE)),
    *sorted((ROOT / "docs").rglob("*.md")),
]


def prose(document: Path) -> str:
    """Returns the text of a document without its samples."""
    return FENCED.sub("", document.read_text())


def anchors(document: Path) -> set[str]:
    """Returns the anchors that links to a document can name."""
    headings = re.findall(r"^#+ (.*)$", prose(document), re.MULTILINE)
    slugs = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    return slugs | set(re.findall(r'<a id="([^"]+)">', document.read_text()))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_leads_to_a_file_and_a_heading(document: Path) -> None:
    text = prose(document)
    within = [("", document.name, f"#{name}") for name in re.findall(r"\]\(#(.+?)\)", text)]
    for _, target, anchor in [*LINK.findall(text), *within]:
        file = document.parent / target
        assert file.exists(), target
        if anchor:
            assert anchor.removeprefix("#") in anchors(file), f"{target}{anchor}"


@pytest.mark.parametrize(
    ("path", "link", "rewritten"),
    [
        ("docs/bots.md", "[SDKs](../sdk/README.md)", "[SDKs](sdk/README.md)"),
        ("docs/bots.md", "[limits](submitting.md#limits)", "[limits](submitting.md#limits)"),
        ("docs/decisions/README.md", "[security](../security.md)", "[security](../security.md)"),
        ("sdk/go/README.md", "[arena](../../README.md)", "[arena](../../README.md)"),
        ("sdk/go/README.md", "[remote](../../docs/remote.md)", "[remote](../../remote.md)"),
        ("sdk/go/README.md", "[an idea](examples/xeri_fisher/main.go)", "an idea"),
        ("docs/records.md", "[`a.proto`](../proto/sevens/a.proto)", "`a.proto`"),
        ("docs/bots.md", "[away](https://example.org/a.md)", "[away](https://example.org/a.md)"),
        ("docs/bots.md", "```\n[code](../no.py)\n```", "```\n[code](../no.py)\n```"),
    ],
)
def test_links_are_rewritten_for_the_site(path: str, link: str, rewritten: str) -> None:
    assert relinked(f"See\n{link}\n", path) == f"See\n{rewritten}\n"


def test_a_site_that_loads_from_other_hosts_is_named(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(
        '<link rel="canonical" href="https://a.example/"><link rel="stylesheet" href="style.css">'
        '<a href="https://b.example">read</a><script src="https://c.example/x.js"></script>'
        '<link rel="preconnect" href="//d.example"><img src="data:image/png;base64,AA==">'
    )
    (tmp_path / "style.css").write_text("a { background: url('https://e.example/x.png') }")
    assert list(loaded_from_elsewhere(tmp_path)) == [
        "index.html loads https://c.example/x.js.",
        "index.html loads //d.example.",
        "style.css loads https://e.example/x.png.",
    ]
