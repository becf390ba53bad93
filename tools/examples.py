"""Builds the examples of every SDK whose language is installed on this machine."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from arena.cli.commands.bot.languages import LANGUAGES, Language

ROOT = Path(__file__).parent.parent
SDKS = ROOT / "sdk"
SAMPLE_BOTS = ROOT / "sample_bots"
PYTHON = "python"  # its bots are among the samples and need no build


@dataclass(frozen=True)
class Examples:
    """The built examples.

    `folders`: by language, the starter of `arena bot new` and the one that plays Xeri.
    `missing`: the other languages, each with the reason.
    """

    folders: dict[str, list[Path]]
    missing: dict[str, str]

    def left_out(self) -> list[str]:
        """Returns a sentence for each missing language."""
        return [f"Left out: {LANGUAGES[name].title}, {why}." for name, why in self.missing.items()]


def built_examples() -> Examples:
    """Builds the examples of every language whose tools are installed and recent enough."""
    found: dict[str, list[Path]] = {}
    missing: dict[str, str] = {}
    for name, language in LANGUAGES.items():
        build = ["make", "--no-print-directory", "-C", f"sdk/{name}", "build"]
        if not all(map(shutil.which, language.tools)):
            missing[name] = f"which needs {language.needs}"
        elif name != PYTHON and subprocess.call(build, cwd=ROOT):
            missing[name] = f"since `make -C sdk/{name} build` failed; it needs {language.needs}"
        else:
            found[name] = _folders(name, language)
    return Examples(found, missing)


def _folders(name: str, language: Language) -> list[Path]:
    starter = SDKS / language.example
    fisher = SAMPLE_BOTS / "xeri_fisher" if name == PYTHON else starter.with_name("xeri_fisher")
    return [starter, fisher]
