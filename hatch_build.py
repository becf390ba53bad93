"""Ships, inside the arena's wheel, the parts of the repository that its commands use and that are
not modules: the starter bots, the sample bots, the sample game and the games' pages. A source
distribution has them in the same places as the repository.

With SEVENS_COMPILED=1 the wheel is for one platform, and contains the modules of the arena that
`tools/compile.py` has compiled. `rules/hatch_build.py` does the same for the rules.
"""

import os
import runpy
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LANGUAGES = "arena/cli/commands/bot/languages.py"
PATTERNS = (
    "sample_bots/README.md",
    "sample_bots/*/*.py",
    "sample_bots/*/bot.toml",
    "sample_games/*/*.py",
    "sample_games/*/README.md",
    "sample_games/*/pyproject.toml",
    "sample_games/*/bot/bot.*",
    "docs/games/*.md",
)


class Ship(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        root = Path(self.root)
        place = "" if self.target_name == "sdist" else "arena/shipped/"
        included = build_data["force_include"]
        included |= {str(root / path): place + path for path in shipped(root)}
        if self.target_name == "wheel" and os.environ.get("SEVENS_COMPILED") == "1":
            ship_compiled(root, "arena", build_data)


def shipped(root: Path) -> list[str]:
    """Returns the paths, relative to the root, of everything that commands use."""
    for_new_bots = runpy.run_path(str(root / LANGUAGES))["shipped"](root)
    others = sorted(path for pattern in PATTERNS for path in root.glob(pattern))
    return [*for_new_bots, *(str(path.relative_to(root)) for path in others)]


def ship_compiled(root: Path, package: str, build_data: dict[str, Any]) -> None:
    """Adds the compiled modules of a package, below their paths in the wheel, and its platform."""
    built = root / "build" / "compiled" / package
    modules = {str(path): str(path.relative_to(built.parent)) for path in built.rglob("*.so")}
    if not modules:
        raise FileNotFoundError(f"Nothing compiled is in {built}: run tools/compile.py first.")
    build_data["force_include"] |= modules
    build_data["pure_python"] = False
    build_data["tag"] = platform_tag()


def platform_tag() -> str:
    """Returns the tag of wheels for this interpreter on this platform."""
    number = sysconfig.get_config_var("py_version_nodot")
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"cp{number}-cp{number}-{platform}"
