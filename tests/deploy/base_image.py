"""A base image for the arena's image, built from this machine's files without any registry."""

from __future__ import annotations

import io
import shutil
import sys
import sysconfig
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from tools.bot_images import libraries

# The programs that the Dockerfile's commands and the arena run.
PROGRAMS = ("sh", "bwrap", "mkdir", "chown", "ln", "rm", "cat", "env", "true", "sleep", "ls", "id")
# Without the mark by which Debian's Python keeps pip from installing outside an environment.
LEFT_OUT = {
    *("test", "tests", "idlelib", "tkinter", "site-packages", "dist-packages"),
    "EXTERNALLY-MANAGED",
}

DEBIANS_WHEELS = Path("/usr/share/python-wheels")  # by which its Python puts pip in environments


def write_base(file: IO[bytes]) -> None:
    """Writes a root filesystem with a shell, bubblewrap, and the Python that runs this, with pip,
    under the names `python3` and `python`."""
    python = Path(sys.executable).resolve()
    programs = [Path(found).resolve() for name in PROGRAMS if (found := shutil.which(name))]
    stdlib = Path(sysconfig.get_path("stdlib"))
    files = [python, *_files(stdlib), *DEBIANS_WHEELS.glob("*")]
    # Also those of the packages that the image's build installs.
    extensions = [*stdlib.rglob("*.so"), *Path(sys.prefix).rglob("*.so")]
    with tarfile.open(fileobj=file, mode="w") as root:
        for path in files:
            root.add(path, arcname=str(path), recursive=False)
        pip = Path(sysconfig.get_path("purelib"), "pip")
        for path in _files(pip):
            root.add(path, arcname=str(stdlib / "pip" / path.relative_to(pip)), recursive=False)
        for library in libraries([python, *programs, *extensions]):
            if not library.is_relative_to(sys.prefix):
                root.add(library.resolve(), arcname=_merged(library))
        for name, program in zip(PROGRAMS, programs, strict=True):
            root.add(program, arcname=f"/usr/bin/{name}")
        for name in ("python", "python3"):
            _link(root, f"/usr/local/bin/{name}", str(python))
        _text(root, "/usr/local/bin/pip", '#!/bin/sh\nexec python3 -m pip "$@"\n', 0o755)
        for name in ("bin", "lib", "lib64", "sbin"):
            _link(root, f"/{name}", f"usr/{name}")
        _folder(root, "/tmp", 0o1777)
        for name in ("/etc", "/proc", "/dev", "/sys", "/run", "/var/lib"):
            _folder(root, name, 0o755)
        _text(root, "/etc/passwd", "root:x:0:0::/:/bin/sh\n")
        _text(root, "/etc/group", "root:x:0:\n")


def _files(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.name in LEFT_OUT or path.name.startswith(("_tkinter", "config-")):
            continue
        if path.is_dir():
            yield from _files(path)
        else:
            yield path


def _merged(path: Path) -> str:
    """Returns the path below /usr of a file that may also be named without it."""
    return str(path) if path.parts[1] not in ("lib", "lib64", "bin") else f"/usr{path}"


def _link(root: tarfile.TarFile, name: str, target: str) -> None:
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname = tarfile.SYMTYPE, target
    root.addfile(entry)


def _folder(root: tarfile.TarFile, name: str, mode: int) -> None:
    entry = tarfile.TarInfo(name)
    entry.type, entry.mode = tarfile.DIRTYPE, mode
    root.addfile(entry)


def _text(root: tarfile.TarFile, name: str, text: str, mode: int = 0o644) -> None:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(text), mode
    root.addfile(entry, io.BytesIO(text.encode()))
