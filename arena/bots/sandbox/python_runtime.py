"""The Python that bots run on: an environment of their own, which holds nothing of the arena's.

`python -m arena.bots.sandbox.python_runtime` builds it, and rebuilds it once the SDK or PACKAGES
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

# What it holds beside the SDK and what that needs.
PACKAGES = ("numpy>=2.2,<3",)
RUNTIME = Path(sys.prefix, "share", "sevens-arena", "runtimes", "python")
# Written last, so that a build cut short does not count.
STAMP = RUNTIME / "built-from"


def python_runtime() -> Path:
    """Returns the folder of the runtime, a virtual environment."""
    if not STAMP.exists():
        raise FileNotFoundError(
            "The Python runtime for bots is not built yet;"
            f" `{sys.executable} -m arena.bots.sandbox.python_runtime` builds it."
        )
    return RUNTIME


def main() -> None:
    checkout = sdk_checkout()
    requirement = str(checkout or f"sevens-sdk=={distribution('sevens-sdk').version}")
    recipe = "\n".join([sys.version, requirement, digest(checkout) if checkout else "", *PACKAGES])
    RUNTIME.parent.mkdir(parents=True, exist_ok=True)
    with (RUNTIME.parent / "building").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not STAMP.exists() or STAMP.read_text() != recipe:
            print("Building the Python runtime for bots ...", flush=True)
            build(requirement, recipe)


def build(requirement: str, recipe: str) -> None:
    """Builds the runtime beside the old one, and then takes its place: bots may be running."""
    new, old = RUNTIME.with_suffix(".new"), RUNTIME.with_suffix(".old")
    for remains in (new, old):
        shutil.rmtree(remains, ignore_errors=True)
    # With pip, which installs from the packages that bots bring along in their archives.
    venv.create(new, symlinks=True, with_pip=True)
    install = ["-m", "pip", "install", "--disable-pip-version-check", "--quiet"]
    subprocess.run([new / "bin" / "python", *install, requirement, *PACKAGES], check=True)
    for script in (new / "bin").iterdir():
        if not script.name.startswith("python"):
            script.unlink()  # it names the folder it was made in; `python -m` does not
    (new / STAMP.name).write_text(recipe)
    if RUNTIME.exists():
        RUNTIME.rename(old)
    new.rename(RUNTIME)
    shutil.rmtree(old, ignore_errors=True)


def sdk_checkout() -> Path | None:
    """Returns the folder from which the arena's own SDK was installed, if it was a folder."""
    origin = json.loads(distribution("sevens-sdk").read_text("direct_url.json") or "{}")
    return Path(url2pathname(urlsplit(origin["url"]).path)) if "dir_info" in origin else None


def digest(checkout: Path) -> str:
    """Returns a digest of everything the SDK is built from."""
    sources = ("*.toml", "*.py", "src/**/*.py", "proto/**/*.proto", "../../proto/**/*.proto")
    files = sorted(file for pattern in sources for file in checkout.glob(pattern))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


if __name__ == "__main__":
    main()
