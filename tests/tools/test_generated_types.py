"""The commands in docs/writing-an-sdk.md that generate the protocol's types in each language."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.sdk_examples import Examples

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "writing-an-sdk.md").read_text()
ROW = re.compile(r"^\| (\S+) \| `(.*-I proto .*)` \| `(.+)` \|$", re.MULTILINE)
COMMANDS = {language: (command, name) for language, command, name in ROW.findall(PAGE)}
# gRPC's generators for these come with their build tools, which fetch them by themselves.
WITHOUT_STUBS = re.compile(r" --(grpc-java|grpc-kotlin|grpc)_out=\S+| --plugin=protoc-gen-grpc=\S+")


def generated(folder: Path, command: str, **environment: str) -> str:
    """Runs a command of the page as somebody in a checkout would; returns all that it wrote."""
    (folder / "proto").symlink_to(ROOT / "proto")
    (folder / "gen").mkdir()
    modules = ROOT / "sdk" / "typescript" / "node_modules"
    (folder / "node_modules").symlink_to(modules)
    # The shell resolves the pattern.
    line = f"{command} proto/sevens/bot/v1/*.proto"
    told = subprocess.run(
        ["sh", "-c", line],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert told.returncode == 0, told.stderr
    assert told.stderr == ""
    return "".join(path.read_text() for path in folder.glob("gen/**/*") if path.is_file())


def test_each_language_has_its_command() -> None:
    assert [*COMMANDS] == ["Python", "Go", "TypeScript", "C++", "Java", "Kotlin", "C#"]


def test_python(tmp_path: Path) -> None:
    command, name = COMMANDS["Python"]
    written = generated(tmp_path, command.replace("python ", f"{shlex.quote(sys.executable)} ", 1))
    assert "class BotServiceStub" in written
    assert (tmp_path / "gen" / f"{name.replace('.', '/')}.py").is_file()


@pytest.mark.needs("c++")
@pytest.mark.parametrize("language", ["Java", "Kotlin", "C#"])
def test_languages_whose_stubs_their_build_tools_generate(tmp_path: Path, language: str) -> None:
    command, name = COMMANDS[language]
    messages = WITHOUT_STUBS.sub("", command)
    assert messages != command
    assert name in generated(tmp_path, messages)


@pytest.mark.needs("c++")
def test_cpp(tmp_path: Path) -> None:
    command, name = COMMANDS["C++"]
    written = generated(tmp_path, command)
    assert name in written
    assert "class BotService final" in written


@pytest.mark.slow
@pytest.mark.needs("c++", "go")
def test_go_needs_no_options_for_its_packages(tmp_path: Path) -> None:
    command, name = COMMANDS["Go"]
    tools = tmp_path / "bin"
    sdk = ROOT / "sdk" / "go"
    for tool in re.findall(r"go install (\S+protoc-gen-go)@", PAGE) + re.findall(
        r"`(\S+/protoc-gen-go-grpc)`", PAGE
    ):
        # At the version that the SDK uses, which is on this machine.
        subprocess.run(
            ["go", "install", "-modfile=tools/go.mod", tool],
            cwd=sdk,
            env={**os.environ, "GOBIN": str(tools)},
            check=True,
        )
    written = generated(tmp_path, command, PATH=f"{tools}:{os.environ['PATH']}")
    assert name in written
    assert "func NewBotServiceClient" in written
    # The files are one package, which compiles below another module's path.
    module = tmp_path / "gen" / "go.mod"
    module.write_text((sdk / "go.mod").read_text().replace("sevens-arena.dev/sdk", "mine", 1))
    (tmp_path / "gen" / "go.sum").write_text((sdk / "go.sum").read_text())
    subprocess.run(["go", "build", "-mod=mod", "./..."], cwd=tmp_path / "gen", check=True)


@pytest.mark.slow
@pytest.mark.needs("c++", "node")
def test_typescript(examples_of: Examples, tmp_path: Path) -> None:
    examples_of("typescript")  # whose build fetches the generators
    command, name = COMMANDS["TypeScript"]
    assert f"export const {name}" in generated(tmp_path, command)
