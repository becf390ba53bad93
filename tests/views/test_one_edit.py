"""A field that is added to a view is in the API, in `--json`, on the page and in every export."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.played_ladder import play_ladder
from tests.support.served import SAMPLES

# The whole edit: one line in arena/views/matches/match.py. Then everybody is asked.
EDITED = """
import importlib.util, sys
from pathlib import Path

name = "arena.views.matches.match"
spec = importlib.util.find_spec(name)
text = Path(spec.origin).read_text()
edited = text.replace("    rated: bool\\n", "    rated: bool\\n    mood: str = 'calm'\\n", 1)
assert edited != text
module = importlib.util.module_from_spec(spec)
sys.modules[name] = module
exec(compile(edited, spec.origin, "exec"), vars(module))

from starlette.testclient import TestClient
from arena.cli.app import run
from arena.store.data_folder import DataFolder
from arena.store.open import open_store
from arena.web.app import Site, pages_app

data = sys.argv[1]
print("command", end=" ")
sys.stdout.flush()
run(["matches", "--json", "--data", data])
store = open_store(Path(data), "read")
with TestClient(pages_app(Site(DataFolder(Path(data)), store))) as client:
    match = client.get("/api/matches").json()["matches"][0]["match"]
    for path in (
        "/api/matches", f"/api/matches/{match}", f"/api/matches/{match}/group",
        "/api/matches.ndjson", "/matches.json", "/matches.ndjson", f"/matches/{match}",
    ):
        print(path.replace(match, "MATCH"), client.get(path).text.replace("\\n", " "))
store.close()
"""


@pytest.mark.slow
def test_one_line_in_a_view_is_told_everywhere(tmp_path: Path) -> None:
    play_ladder(SAMPLES, tmp_path, 1)
    ran = subprocess.run(
        [sys.executable, "-c", EDITED, tmp_path], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    told = dict(line.split(" ", 1) for line in ran.stdout.splitlines())
    assert set(told) >= {"command", "/api/matches", "/matches.json", "/matches/MATCH"}
    silent = [name for name, text in told.items() if "mood" not in text or "calm" not in text]
    assert silent == []
