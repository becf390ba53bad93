"""What docs/bots.md advises to bots that search holds where they run: in the sandbox."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from arena.bots.host import Host
from arena.bots.isolation import Isolation
from arena.bots.references import find_bot
from arena.bots.source.program import Program

TOP = Path(__file__).parents[2]


@pytest.mark.needs("bubblewrap")
async def test_a_bot_looks_ahead_with_the_rules_of_the_sandbox(tmp_path: Path) -> None:
    text = (TOP / "docs" / "bots.md").read_text().split("## Searching and learning")[1]
    [snippet, *_] = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    built = tmp_path / "built"
    built.mkdir()
    async with Host(Isolation.BUBBLEWRAP) as host:
        await host.build(written(tmp_path / "my-bot", snippet), built)
    assert (built / "done").exists()


def written(folder: Path, snippet: str) -> Program:
    """Returns a bot whose build is the snippet: builds run in the sandbox, with the Python that
    matches are played with."""
    folder.mkdir()
    (folder / "search.py").write_text(f"{snippet}\nopen('done', 'w')\n")
    run = json.dumps(["python", "search.py"])
    (folder / "bot.toml").write_text(f'name = "x"\nrun = {run}\nbuild = {run}')
    program = find_bot(str(folder))
    assert isinstance(program, Program)
    return program
