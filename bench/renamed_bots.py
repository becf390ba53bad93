"""Copies of sample bots with other names, of which an arena may have as many as it takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.support.whole_arena.arena import SAMPLE_BOTS


def renamed_bots(folder: Path, kinds: Sequence[str], names: Sequence[str]) -> Iterator[Path]:
    """Yields the folders of bots of these names. `kinds`: sample bots, which take turns."""
    for number, name in enumerate(names):
        place = folder / name
        place.mkdir(parents=True)
        for file in (SAMPLE_BOTS / kinds[number % len(kinds)]).iterdir():
            if file.is_file():
                text = file.read_text()
                if file.name == "bot.toml":
                    lines = text.splitlines(keepends=True)
                    kept = (line for line in lines if not line.startswith("name"))
                    text = f'name = "{name}"\n' + "".join(kept)
                (place / file.name).write_text(text)
                (place / file.name).chmod(file.stat().st_mode)
        yield place
