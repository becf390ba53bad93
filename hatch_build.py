"""Ships, inside the arena's wheel, what `arena bot new` makes folders of: parts of `sdk/` and
`proto/`, which stay where they are in the repository, and in a source distribution.
"""

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

STARTERS = "arena/cli/commands/bot"


class ShipStarters(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        root = Path(self.root)
        shipped = runpy.run_path(str(root / STARTERS / "languages.py"))["shipped"]
        place = "" if self.target_name == "sdist" else f"{STARTERS}/shipped/"
        build_data["force_include"] |= {str(root / path): place + path for path in shipped(root)}
