"""With SEVENS_COMPILED=1, which `tools/wheels.py` sets in a checkout, the wheel is for one platform
and contains the compiled rules."""

import os
import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Compiled(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name == "wheel" and os.environ.get("SEVENS_COMPILED") == "1":
            top = Path(self.root).parent
            arenas = runpy.run_path(str(top / "hatch_build.py"))
            arenas["ship_compiled"](top, "sevens_games", build_data)
