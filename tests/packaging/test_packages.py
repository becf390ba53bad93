"""The packages of `make packages`, as far as they can be packed without building the SDKs."""

from __future__ import annotations

import re
import tarfile
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path

import pytest

from tools import packages
from tools.version import version

pytestmark = pytest.mark.slow


@pytest.mark.needs("rust")
def test_the_crate_has_all_that_it_is_built_from(tmp_path: Path) -> None:
    packages.rust(tmp_path)
    with tarfile.open(tmp_path / f"sevens-sdk-{version()}.crate") as crate:
        names = {name.partition("/")[2] for name in crate.getnames()}
        about = crate.extractfile(f"sevens-sdk-{version()}/Cargo.toml")
        assert about is not None
        said = about.read().decode()
    assert {"LICENSE", "README.md", "build.rs", "src/lib.rs"} <= names
    assert "proto/sevens/bot/v1/bot_service.proto" in names
    for field in ("description", "license", "readme", "keywords", "authors"):
        assert re.search(f"^{field} = ", said, re.MULTILINE), field


@pytest.mark.needs("go")
def test_a_proxy_can_serve_the_go_module(tmp_path: Path) -> None:
    packages.go(tmp_path)
    served = tmp_path / packages.GO_MODULE / "@v"
    with zipfile.ZipFile(served / f"v{version()}.zip") as archive:
        names = {name.partition(f"@v{version()}/")[2] for name in archive.namelist()}
    assert {"LICENSE", "README.md", "go.mod", "bot.go"} <= names
    assert "gen/sevens/bot/v1/match.pb.go" in names
    assert not any(name.startswith(("examples/", "tools/")) for name in names)


@pytest.mark.needs("c++")
def test_the_cpp_sources_come_with_the_protocol(tmp_path: Path) -> None:
    packages.cpp(tmp_path)
    [file] = tmp_path.iterdir()
    assert file.name == f"sevens-sdk-cpp-{version()}.tar.gz"
    with tarfile.open(file) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"LICENSE", "README.md", "CMakeLists.txt", "include/sevens/sdk.hpp"} <= names
    assert "proto/sevens/bot/v1/match.proto" in names
    assert not any(re.match(r"build/|examples/\w+/(bot|vendor)$", name) for name in names)


def test_the_pom_says_what_maven_central_asks_for() -> None:
    """All but the addresses of the project and its sources, which do not exist yet."""
    space = "{http://maven.apache.org/POM/4.0.0}"
    pom = ElementTree.parse(packages.SDK / "java" / "library" / "pom.xml").getroot()
    for path in ("name", "description", "licenses/license/name", "developers/developer/name"):
        found = pom.find("/".join(f"{space}{part}" for part in path.split("/")))
        assert found is not None, path
        assert found.text, path
