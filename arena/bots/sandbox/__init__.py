"""Isolates bots from the rest of the machine, and gives them the runtimes that they need."""

from arena.bots.sandbox.bubblewrap import (
    SOCKETS,
    missing_for_sandbox,
    sandbox_build,
    sandbox_launch,
)
from arena.bots.sandbox.kernel_files import hidden_in_proc, hidden_in_sys
from arena.bots.sandbox.python_runtime import build_if_outdated
from arena.bots.sandbox.runtimes import (
    Runtime,
    Runtimes,
    WrongRuntimes,
    named_runtimes,
    python_folder,
    python_packages,
)
from arena.bots.sandbox.seccomp import system_call_profile
from arena.bots.sandbox.unsandboxed import unsandboxed_build, unsandboxed_launch
from arena.bots.sandbox.users import a_user, root_in_sandboxes, users

__all__ = [
    "SOCKETS",
    "Runtime",
    "Runtimes",
    "WrongRuntimes",
    "a_user",
    "build_if_outdated",
    "hidden_in_proc",
    "hidden_in_sys",
    "missing_for_sandbox",
    "named_runtimes",
    "python_folder",
    "python_packages",
    "root_in_sandboxes",
    "sandbox_build",
    "sandbox_launch",
    "system_call_profile",
    "unsandboxed_build",
    "unsandboxed_launch",
    "users",
]
