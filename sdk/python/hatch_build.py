"""Generates the package `sevens` from the project's proto files when the SDK is built.

Run as a program (`make proto`), it regenerates the code of an existing editable install.
"""

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import grpc_tools
from grpc_tools import protoc
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = Path(__file__).resolve().parent


class GenerateCode(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name == "sdist":
            build_data["force_include"][str(proto_folder())] = "proto"
        elif version == "editable":
            renew(HERE / "gen")
        else:
            # Not into gen/: a build must not change a checkout that programs are running from.
            self.scratch = TemporaryDirectory()
            generate(Path(self.scratch.name))
            build_data["force_include"][f"{self.scratch.name}/sevens"] = "sevens"


def proto_folder() -> Path:
    """Returns the copy in a source distribution, or the one that all SDKs of a checkout share."""
    for folder in (HERE / "proto", HERE.parent.parent / "proto"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"there is no folder proto/ in {HERE} or in {HERE.parent.parent}")


def generate(into: Path) -> None:
    protos = proto_folder()
    files = [str(file) for file in sorted(protos.glob("sevens/**/*.proto"))]
    includes = [f"-I{protos}", f"-I{Path(grpc_tools.__file__).parent / '_proto'}"]
    outputs = [f"--{kind}_out={into}" for kind in ("python", "pyi", "grpc_python")]
    if protoc.main(["protoc", *includes, *outputs, *files]) != 0:
        raise RuntimeError(f"protoc refused the files in {protos}")
    for folder, _, _ in os.walk(into / "sevens"):
        Path(folder, "__init__.py").touch()
    (into / "sevens" / "py.typed").touch()


def renew(gen: Path) -> None:
    """Replaces `gen` once its successor is complete, so that no program finds half of it."""
    with TemporaryDirectory(dir=HERE, prefix=".gen-") as scratch:
        generate(Path(scratch))
        shutil.rmtree(gen, ignore_errors=True)
        shutil.copytree(scratch, gen)


if __name__ == "__main__":
    renew(HERE / "gen")
