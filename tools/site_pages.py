"""A hook for MkDocs: pages from outside `docs/`, links for the site, folders in the navigation."""

from __future__ import annotations

from typing import Any

from mkdocs.structure.files import File, Files

from tools.site_links import OUTSIDE, ROOT, relinked


def on_config(config: Any) -> Any:
    """Puts a folder's pages into the navigation where `mkdocs.yml` names the folder."""
    config.nav = [entry if isinstance(entry, str) else filled(entry) for entry in config.nav]
    return config


def filled(section: dict[str, list[Any]]) -> dict[str, list[Any]]:
    return {
        title: [page for entry in entries for page in pages_of(entry)]
        for title, entries in section.items()
    }


def pages_of(entry: Any) -> list[Any]:
    """Returns the pages of a folder, without its README; anything else as it is."""
    if not (isinstance(entry, str) and entry.endswith("/")):
        return [entry]
    pages = sorted((ROOT / "docs" / entry).glob("*.md"))
    return [f"{entry}{page.name}" for page in pages if page.name != "README.md"]


def on_files(files: Files, config: Any) -> Files:
    """Adds the pages from outside `docs/`."""
    for path in sorted(OUTSIDE):
        files.append(File.generated(config, path, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Rewrites the links of a page."""
    path = page.file.src_uri
    return relinked(markdown, path if path in OUTSIDE else f"docs/{path}")
