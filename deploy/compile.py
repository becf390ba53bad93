"""Compiles the rules of the games with mypyc: `make compiled`.

The result is a copy of the package in `build/compiled`; who puts that first on PYTHONPATH runs it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
BUILT = ROOT / "build" / "compiled"
SETTINGS = "[mypy]\nfollow_imports = silent\n"
# A subclass of str and generic dataclasses, which mypyc cannot compile; and what runs once a match.
INTERPRETED = {
    "__init__.py",
    "registry.py",
    "cards/__init__.py",
    "engine/__init__.py",
    "engine/actions.py",
    "engine/game.py",
    "engine/options.py",
    "engine/phases.py",
}


def main() -> None:
    """Copies, compiles, and looks whether the compiled modules are the ones that are imported."""
    shutil.rmtree(BUILT, ignore_errors=True)
    shutil.copytree(ROOT / "arena", BUILT / "arena", ignore=shutil.ignore_patterns("__pycache__"))
    games = BUILT / "arena" / "games"
    modules = [
        path
        for path in sorted(games.rglob("*.py"))
        if str(path.relative_to(games)) not in INTERPRETED
    ]
    for module in modules:
        module.write_text(without_slots(module.read_text()))
    compile_modules([str(path.relative_to(BUILT)) for path in modules])
    plain = [path for path in modules if not list(path.parent.glob(f"{path.stem}.*.so"))]
    if plain:
        sys.exit(f"mypyc left out {', '.join(str(path.relative_to(BUILT)) for path in plain)}.")
    print(f"{len(modules)} modules of rules are compiled. To use them: PYTHONPATH={BUILT}")


def without_slots(source: str) -> str:
    """The attributes of compiled classes are as slots are; to ask for slots is an error there."""
    return re.sub(r"@dataclass\(slots=True, ", "@dataclass(", source)


def compile_modules(modules: list[str]) -> None:
    """Runs mypyc, which says a lot, and all of that if it fails."""
    (BUILT / "mypyc.ini").write_text(SETTINGS)
    command = [sys.executable, "-m", "mypyc", "--config-file", "mypyc.ini", *modules]
    environment = {**os.environ, "MYPYPATH": str(BUILT)}
    done = subprocess.run(
        command, cwd=BUILT, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\n{done.stderr}")


if __name__ == "__main__":
    main()
