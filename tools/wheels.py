"""Builds the wheels of the rules, Python's SDK and the arena into `build/wheels`: `make wheels`.

If the machine can compile them, rules and arena get a second wheel with compiled modules for this
platform and this Python; pip prefers it where it fits. `docs/compiled.md` describes the gain. With
the argument `requirements`, it only prints what must be installed beforehand; with `check`, it
installs the wheels that pip chooses, and checks which rules run.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

if __name__ == "__main__":  # the builder of the image runs this file where nothing is installed
    sys.path.insert(0, str(Path(__file__).parent.parent))

from tools import compile as rules

ROOT = Path(__file__).parent.parent
WHEELS = ROOT / "build" / "wheels"
INSTALLED = ROOT / "build" / "installed"
COMPILED = (ROOT / "rules", ROOT)
PROJECTS = (*COMPILED, ROOT / "sdk" / "python")
# Records the sources that `build/compiled` was built from.
STAMP = rules.BUILT / "built-from"


def main() -> None:
    for old in WHEELS.glob("*.whl"):
        old.unlink()
    for project in PROJECTS:
        build(project, WHEELS)
    if lacking := rules.what_is_lacking():
        print(f"No wheel with compiled rules: {lacking}")
    else:
        compile_rules()
        for project in COMPILED:
            build(project, WHEELS, SEVENS_COMPILED="1")
    for wheel in sorted(WHEELS.glob("*.whl")):
        print(wheel.relative_to(ROOT))


def requirements() -> list[str]:
    """Returns the build requirements that the projects declare."""
    needed: dict[str, None] = {}
    for project in PROJECTS:
        said = tomllib.loads((project / "pyproject.toml").read_text())
        needed |= dict.fromkeys(said["build-system"]["requires"])
        if not rules.compiler_lacking():
            extras = said["project"].get("optional-dependencies", {})
            needed |= dict.fromkeys(extras.get("compiled", ()))
    return list(needed)


def build(project: Path, folder: Path, **environment: str) -> Path:
    """Builds the wheel of a project into a folder; returns its path."""
    before = set(folder.glob("*.whl"))
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(
        command,
        cwd=project,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{done.stdout}\n{done.stderr}")
    [wheel] = set(folder.glob("*.whl")) - before
    return wheel


def compile_rules() -> None:
    """Compiles the rules, unless they are unchanged since the last compilation."""
    sources = digest()
    if STAMP.exists() and STAMP.read_text() == sources:
        return
    rules.main()
    STAMP.write_text(sources)


def check() -> None:
    """Installs the wheel that pip chooses into a folder and checks its rules: they must be
    compiled on every machine that can compile."""
    shutil.rmtree(INSTALLED, ignore_errors=True)
    options = ("--no-index", "--no-deps", "--find-links", str(WHEELS), "--target", str(INSTALLED))
    names = ("sevens-arena", "sevens-games")
    install = [sys.executable, "-m", "pip", "install", "--quiet", *options, *names]
    subprocess.run(install, check=True)
    # The folder precedes the checkout; the arena's dependencies are this environment's.
    told = subprocess.check_output(
        [sys.executable, "-P", "-m", "arena.cli", "version", "--json"],
        cwd=INSTALLED,
        env=os.environ | {"PYTHONPATH": str(INSTALLED)},
        text=True,
    )
    rules_there = json.loads(told)["rules"]
    expected = "plain" if rules.what_is_lacking() else "compiled"
    if rules_there != expected:
        sys.exit(f"The arena that pip installed has {rules_there} rules, not {expected} ones.")
    print(f"The arena that pip installs from here has {rules_there} rules.")


def digest() -> str:
    """Returns a digest of the sources and tools of the compiled rules."""
    files = [Path(rules.__file__), *sorted((ROOT / "rules" / "src").rglob("*.py"))]
    sources = b"".join(path.read_bytes() for path in files)
    return f"{sys.version} {hashlib.sha256(sources).hexdigest()}"


if __name__ == "__main__":
    if sys.argv[1:] == ["requirements"]:
        print(*requirements(), sep="\n")
    elif sys.argv[1:] == ["check"]:
        check()
    else:
        main()
