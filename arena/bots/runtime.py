"""The Python that bots run on: an environment of their own, which holds nothing of the arena's.

`python -m arena.bots.runtime` builds it, and builds it anew once the SDK has changed.
"""

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

RUNTIME = Path(sys.prefix, "share", "sevens-arena", "runtimes", "python")
# Written last, so that a build cut short does not count.
STAMP = RUNTIME / "built-from"


def python_runtime() -> Path:
    """Returns the folder of the runtime, a virtual environment."""
    if not STAMP.exists():
        raise FileNotFoundError(
            "The Python runtime for bots is not built yet;"
            f" `{sys.executable} -m arena.bots.runtime` builds it."
        )
    return RUNTIME


def main() -> None:
    checkout = sdk_checkout()
    requirement = str(checkout or f"sevens-sdk=={distribution('sevens-sdk').version}")
    recipe = "\n".join([sys.version, requirement, digest(checkout) if checkout else ""])
    if STAMP.exists() and STAMP.read_text() == recipe:
        return
    print("Building the Python runtime for bots ...", flush=True)
    shutil.rmtree(RUNTIME, ignore_errors=True)
    # With pip, which installs from the packages that bots bring along in their archives.
    venv.create(RUNTIME, symlinks=True, with_pip=True)
    install = ["-m", "pip", "install", "--disable-pip-version-check", "--quiet", requirement]
    subprocess.run([RUNTIME / "bin" / "python", *install], check=True)
    STAMP.write_text(recipe)


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
