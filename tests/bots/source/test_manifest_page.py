"""`docs/bots.md` describes `bot.toml` correctly and completely."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena.bots.source.manifest import Limits, Manifest, read_manifest

PAGE = (Path(__file__).parents[3] / "docs" / "bots.md").read_text()


def sample(language: str) -> str:
    [text] = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(text)


def test_the_sample_is_a_manifest_with_every_field(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(sample("toml"))
    manifest = read_manifest(tmp_path)
    assert manifest.model_fields_set == Manifest.model_fields.keys()
    assert manifest.limits.model_fields_set == Limits.model_fields.keys()


@pytest.mark.parametrize(
    "field",
    [
        *(field for field in Manifest.model_fields if field != "limits"),
        *(f"limits.{field}" for field in Limits.model_fields),
    ],
)
def test_each_field_is_explained_with_its_default(field: str) -> None:
    [row] = [line for line in PAGE.splitlines() if line.startswith(f"| `{field}` |")]
    model, _, name = field.rpartition(".")
    info = (Limits if model else Manifest).model_fields[name]
    told = row.split("|")[2].strip()
    assert (told == "required") is info.is_required()
    if isinstance(info.default, int):
        assert told == str(info.default)


def test_the_sample_of_searching_runs() -> None:
    exec(sample("python"), {})
