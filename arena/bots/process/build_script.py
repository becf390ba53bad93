"""Runs a build inside its sandbox: `python build_script.py FD FILES IGNORED PROGRAM ARGUMENT...`.

Copies the source from SOURCE into the current folder, which is a file system of the build's own,
and runs the program there. Ends everything that it started. Then writes to FD, as a tar archive,
the files that it left, except below the folders that are named in IGNORED, separated by commas. If
the program fails, nothing is written.

The arena trusts nothing of this, because the build could have tampered with this process: it
unpacks the archive as it would a stranger's. This file uses the standard library only, and runs on
the Python for bots.
"""

import os
import shutil
import signal
import stat
import subprocess
import sys
import tarfile
import time
from contextlib import suppress
from pathlib import Path

SOURCE = "/source"
# The file systems that a build may write to, each of limited size.
OWN = (".", "/tmp", "/dev/shm")
CHECK_EVERY_S = 0.5
# Deeper trees are refused; the limit ends the walk before the path is too long for the kernel.
DEEPEST = 100


def main(fd: int, files: int, ignored: set[str], argv: list[str]) -> int:
    os.set_inheritable(fd, False)
    shutil.copytree(SOURCE, ".", symlinks=True, dirs_exist_ok=True)
    if code := run(argv, files):
        report_full_disk()
        return code
    end_the_rest()
    with suppress(BrokenPipeError):  # the arena refuses the rest, and knows why
        write(fd, ignored)
    return 0


def run(argv: list[str], files: int) -> int:
    """Returns the exit code of the program, as a shell would."""
    try:
        process = subprocess.Popen(argv)
    except OSError as error:
        print(f"execvp {argv[0]}: {error.strerror}", file=sys.stderr)  # as bubblewrap puts it
        return 127
    while True:
        with suppress(subprocess.TimeoutExpired):
            code = process.wait(CHECK_EVERY_S)
            return code if code >= 0 else 128 - code
        if any(in_use(place) > files for place in OWN):
            print(f"The build created more than {files:,} files, which is the most it may have.")
            return 1


def in_use(place: str) -> int:
    """Returns the number of files and folders in a file system."""
    status = os.statvfs(place)
    return status.f_files - status.f_ffree


def report_full_disk() -> None:
    for place in OWN:
        status = os.statvfs(place)
        if status.f_bavail * 100 < status.f_blocks:
            mebibytes = status.f_blocks * status.f_frsize >> 20
            where = "folder" if place == "." else place
            print(f"The build filled its {where}, which has {mebibytes:,} MiB.", file=sys.stderr)


def end_the_rest() -> None:
    """Kills all other processes of the sandbox and waits for their end: the files no longer
    change. The first process, bubblewrap's own, is spared by the kernel."""
    with suppress(ProcessLookupError):
        while True:
            os.kill(-1, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(-1, os.WNOHANG)
            time.sleep(0.001)


def write(fd: int, ignored: set[str]) -> None:
    with (
        os.fdopen(fd, "wb") as pipe,
        tarfile.open(fileobj=pipe, mode="w|", format=tarfile.PAX_FORMAT) as archive,
    ):
        folders = [Path()]
        Path.cwd().chmod(0o700)  # it may have locked itself out
        while folders:
            for path in list(folders.pop().iterdir()):
                if path.name in ignored:
                    continue
                if path.is_symlink() or not path.is_dir():
                    add(archive, path)
                elif len(path.parts) <= DEEPEST:
                    path.chmod(0o700)
                    folders.append(path)
                else:
                    sys.exit(f"The build nested folders more than {DEEPEST} deep.")


def add(archive: tarfile.TarFile, path: Path) -> None:
    """Adds anything but a folder. The arena refuses what a bot may not contain."""
    mode = path.lstat().st_mode
    member = tarfile.TarInfo(str(path))
    member.mode = stat.S_IMODE(mode)
    if stat.S_ISLNK(mode):
        member.type, member.linkname = tarfile.SYMTYPE, str(path.readlink())
        archive.addfile(member)
    elif stat.S_ISREG(mode):
        path.chmod(member.mode | 0o400)  # no more, for it may have other names
        with path.open("rb") as content:
            member.size = os.fstat(content.fileno()).st_size
            archive.addfile(member, content)
    else:
        member.type = tarfile.FIFOTYPE
        archive.addfile(member)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), set(sys.argv[3].split(",")), sys.argv[4:]))
