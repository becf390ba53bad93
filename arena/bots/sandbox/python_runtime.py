"""The Python that bots run on: a virtual environment that contains nothing of the arena's.

`python -m arena.bots.sandbox.python_runtime` builds it, and rebuilds it when the SDK or PACKAGES
have changed.
"""

import fcntl
import hashlib
import json
import shutil
import subprocess
import sys
import venv
from importlib.metadata import distribution
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from arena.bots.sandbox.runtimes import RUNTIME_FOLDER, STAMP

# Installed besides the SDK and its dependencies.
PACKAGES = ("numpy>=2.2,<3",)


def main() -> None:
    checkout = sdk_checkout()
    requirement = str(checkout or f"sevens-sdk=={distribution('sevens-sdk').version}")
    recipe = "\n".join([sys.version, requirement, digest(checkout) if checkout else "", *PACKAGES])
    RUNTIME_FOLDER.parent.mkdir(parents=True, exist_ok=True)
    with (RUNTIME_FOLDER.parent / "building").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not STAMP.exists() or STAMP.read_text() != recipe:
            print("Building the Python runtime for bots ...", flush=True)
            build(requirement, recipe)


def build(requirement: str, recipe: str) -> None:
    """Builds the runtime next to the old one, and then replaces that, since bots may be running."""
    new, old = RUNTIME_FOLDER.with_suffix(".new"), RUNTIME_FOLDER.with_suffix(".old")
    for remains in (new, old):
        shutil.rmtree(remains, ignore_errors=True)
    # With pip, by which a bot's build can install packages from its archive.
    venv.create(new, symlinks=True, with_pip=True)
    install = ["-m", "pip", "install", "--disable-pip-version-check", "--quiet"]
    subprocess.run([new / "bin" / "python", *install, requirement, *PACKAGES], check=True)
    for script in (new / "bin").iterdir():
        if not script.name.startswith("python"):
            script.unlink()  # it contains the path of `new`; `python -m` does not need it
    (new / STAMP.name).write_text(recipe)
    if RUNTIME_FOLDER.exists():
        RUNTIME_FOLDER.rename(old)
    new.rename(RUNTIME_FOLDER)
    shutil.rmtree(old, ignore_errors=True)


def sdk_checkout() -> Path | None:
    """Returns the folder from which the arena's own SDK was installed, or None if it was no
    folder."""
    origin = json.loads(distribution("sevens-sdk").read_text("direct_url.json") or "{}")
    return Path(url2pathname(urlsplit(origin["url"]).path)) if "dir_info" in origin else None


def digest(checkout: Path) -> str:
    """Returns a digest of all files that the SDK is built from."""
    sources = ("*.toml", "*.py", "src/**/*.py", "proto/**/*.proto", "../../proto/**/*.proto")
    files = sorted(file for pattern in sources for file in checkout.glob(pattern))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


if __name__ == "__main__":
    main()
