"""A hook of MkDocs that adds the pages outside `docs/` to the site and rewrites links for it."""

from __future__ import annotations

from typing import Any

from mkdocs.structure.files import File, Files

from tools.site_links import OUTSIDE, ROOT, relinked


def on_files(files: Files, config: Any) -> Files:
    """Adds the pages from outside `docs/`."""
    for path in sorted(OUTSIDE):
        files.append(File.generated(config, path, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Rewrites the links of a page."""
    path = page.file.src_uri
    return relinked(markdown, path if path in OUTSIDE else f"docs/{path}")
