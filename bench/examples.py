"""The examples of all SDKs, built, as far as this machine has the languages."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from arena.cli.starters.language import LANGUAGES, Language

ROOT = Path(__file__).parent.parent
SDKS = ROOT / "sdk"
PYTHON = "python"  # has its bots with an idea among the samples, and nothing to build


@dataclass(frozen=True)
class Examples:
    """`folders`: by language, the random bot and the one that plays Xeri. `missing`: the other
    languages, each with what is needed."""

    folders: dict[str, list[Path]]
    missing: dict[str, str]

    def told(self) -> str:
        """What is missing, in sentences; empty if nothing."""
        return " ".join(
            f"Left out: {LANGUAGES[name].title}, which needs {needs}."
            for name, needs in self.missing.items()
        )


def built_examples() -> Examples:
    """Builds the examples of every language whose tools are here."""
    found: dict[str, list[Path]] = {}
    missing: dict[str, str] = {}
    for name, language in LANGUAGES.items():
        if all(map(shutil.which, language.tools)):
            found[name] = _built(name, language)
        else:
            missing[name] = language.needs
    return Examples(found, missing)


def _built(name: str, language: Language) -> list[Path]:
    random_bot = SDKS / language.example
    if name == PYTHON:
        return [random_bot, ROOT / "sample_bots" / "xeri_fisher"]
    subprocess.run(["make", "--directory", SDKS / name, "build"], check=True)
    return [random_bot, random_bot.with_name("xeri_fisher")]
