"""Builds every package that the project can publish into `build/packages`: `make packages`.

Nothing is published. Each SDK is packed by its own tools, some from files that `make -C sdk/…
build` built before, with the metadata that its registry requires.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from tools import wheels
from tools.version import version

ROOT = Path(__file__).parent.parent
SDK = ROOT / "sdk"
PACKAGES = ROOT / "build" / "packages"
MAVEN = ("mvn", "--batch-mode", "--no-transfer-progress", "--quiet")
GO_MODULE = "sevens-arena.dev/sdk"
# The version of a Go module is a tag of the repository that also names the folder: sdk/go/v0.1.0.
NOT_IN_MODULE = {"Makefile", "buf.gen.yaml"}


def main() -> None:
    shutil.rmtree(PACKAGES, ignore_errors=True)
    for pack in (python, typescript, rust, java, go, cpp):
        folder = PACKAGES / pack.__name__
        folder.mkdir(parents=True)
        pack(folder)
    for path in sorted(PACKAGES.rglob("*")):
        if path.is_file():
            print(path.relative_to(ROOT))


def python(folder: Path) -> None:
    """Source distributions and wheels of the SDK and the arena."""
    wheels.main()
    for wheel in wheels.WHEELS.glob("*.whl"):
        shutil.copy(wheel, folder)
    for project in wheels.PROJECTS:
        command = (sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(folder))
        run(command, project)


def typescript(folder: Path) -> None:
    """The package as npm packs it."""
    sdk = SDK / "typescript"
    run(("make", "--no-print-directory", "dist/index.js"), sdk)
    run(("npm", "--loglevel=error", "pack", "--pack-destination", str(folder)), sdk)


def rust(folder: Path) -> None:
    """The crate. Cargo would build it again to verify it, which `make -C sdk/rust build`
    has done."""
    target = ROOT / "build" / "crate"
    # A checkout with uncommitted changes can be packed too; Cargo records in the crate that it had
    # some.
    options = ("--allow-dirty", "--no-verify", "--quiet", "--target-dir", str(target))
    run(("cargo", "package", *options), SDK / "rust")
    shutil.copy(target / "package" / f"sevens-sdk-{version()}.crate", folder)


def java(folder: Path) -> None:
    """The library, its sources, its documentation and its POM."""
    library = SDK / "java" / "library"
    run((*MAVEN, "-Ppackages", "-Dmaven.test.skip=true", "package"), library)
    for kind in ("", "-sources", "-javadoc"):
        shutil.copy(library / "target" / f"sevens-sdk-{version()}{kind}.jar", folder)
    shutil.copy(library / "pom.xml", folder / f"sevens-sdk-{version()}.pom")


def go(folder: Path) -> None:
    """The module in the form that a module proxy serves and Go fetches."""
    sdk, number = SDK / "go", f"v{version()}"
    run(("go", "mod", "verify"), sdk)
    run(("go", "vet", "./..."), sdk)
    served = folder / GO_MODULE / "@v"
    served.mkdir(parents=True)
    shutil.copy(sdk / "go.mod", served / f"{number}.mod")
    (served / f"{number}.info").write_text(json.dumps({"Version": number}))
    (served / "list").write_text(f"{number}\n")
    with zipfile.ZipFile(served / f"{number}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in module_files(sdk):
            archive.write(path, f"{GO_MODULE}@{number}/{path.relative_to(sdk)}")
    take = ("go", "mod", "download", "-json", f"{GO_MODULE}@{number}")
    own = {"GOPROXY": folder.as_uri(), "GONOSUMDB": GO_MODULE, "GOFLAGS": "-modcacherw"}
    run(take, folder, own | {"GOMODCACHE": str(ROOT / "build" / "go-modules")})


def module_files(folder: Path) -> Iterator[Path]:
    """Yields the files of a Go module: folders with a go.mod of their own are other modules."""
    for path in sorted(folder.iterdir()):
        if path.is_file() and path.name not in NOT_IN_MODULE:
            yield path
        elif path.is_dir() and not (path / "go.mod").exists():
            yield from module_files(path)


def cpp(folder: Path) -> None:
    """The sources, which a bot's project adds as a folder."""
    build = ROOT / "build" / "cpp"
    run(("cmake", "-S", str(SDK / "cpp"), "-B", str(build)), ROOT)
    run(("cpack", "--config", "CPackSourceConfig.cmake", "-B", str(folder)), build)
    shutil.rmtree(folder / "_CPack_Packages")


def run(
    command: tuple[str, ...], folder: Path, environment: Mapping[str, str] | None = None
) -> None:
    """Runs a command; prints its output only if it fails."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed in {folder}:\n{done.stdout}\n{done.stderr}")


if __name__ == "__main__":
    main()
