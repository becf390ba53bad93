"""`arena doctor`: checks this machine, and shows how to fix problems."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from rich.text import Text

from arena.bots import private_folder
from arena.bots.container import RUNTIME_VARIABLE, engine_version
from arena.bots.limits import CONTROLLERS, usable_place
from arena.bots.sandbox import (
    WrongRuntimes,
    missing_for_sandbox,
    named_runtimes,
    python_folder,
    root_in_sandboxes,
    users,
)
from arena.bots.source import EngineTrouble
from arena.certificate import end_of
from arena.cli.options import DEFAULT_DATA, DataOption, ServerOption
from arena.cli.output import JsonOption, print_json, stdout
from arena.client.address import SECURE, Address, address_of
from arena.client.reachability import certificate_at, untrusted
from arena.errors import ArenaError, Exit
from arena.moment import minute
from arena.queue import EmbeddedValkey
from arena.store.data_folder import DataFolder
from arena.store.open import check_store
from sevens_games import slugs

WARNING_DAYS = 21
RENEW = (
    "It expires soon: renew it. The arena uses the new files from the next connection on, without a"
    " restart."
)


@dataclass(frozen=True)
class Finding:
    """The result of a check.

    `what`: the part that was checked.
    `found`: its state.
    `remedy`: how to fix it; empty if it works.
    """

    what: str
    found: str
    remedy: str = ""


def doctor(
    server: ServerOption = "", data: DataOption = DEFAULT_DATA, as_json: JsonOption = False
) -> int:
    """Check this machine, and show how to fix problems.

    Examples:
        arena doctor
        arena doctor --data /srv/arena               # of the arena in another folder
        arena doctor --server https://arena.example  # on the machine of a worker
    """
    address = address_of(server) if server else None
    checks: list[Callable[[], Finding]] = [
        _python,
        _games,
        _sandbox,
        _user,
        _limits,
        _engine,
        _runtime,
        _runtimes,
        _valkey,
        *(partial(_certificate, one) for one in _secure_addresses(address, data)),
        lambda: _folder(data),
    ]
    findings = [check() for check in checks]
    if as_json:
        print_json({"checks": [vars(finding) | {"ok": not finding.remedy} for finding in findings]})
    else:
        for finding in findings:
            mark = ("✗", "red") if finding.remedy else ("✓", "green")
            stdout.print(Text.assemble(mark, f" {finding.what}: {finding.found}"))
            if finding.remedy:
                stdout.print(f"  {finding.remedy}")
    return Exit.ANSWER_IS_NO if any(finding.remedy for finding in findings) else Exit.DONE


def _python() -> Finding:
    return Finding("python", f"{platform.python_version()} at {sys.executable}")


def _games() -> Finding:
    return Finding("games", f"{len(slugs())}: {', '.join(slugs())}")


def _sandbox() -> Finding:
    missing = missing_for_sandbox()
    return Finding("sandbox", "missing" if missing else "bubblewrap works", missing or "")


def _user() -> Finding:
    """Finds the user that bots have in the kernel."""
    what = "user of bots"
    if warning := root_in_sandboxes():
        return Finding(what, "root", warning)
    return Finding(what, "another for each process" if users() else "the arena's own")


def _limits() -> Finding:
    """Finds the enforcer of the bots' limits: the kernel, or the arena by sampling."""
    place = usable_place()
    enforced = [name for name in CONTROLLERS if place and name in place.controllers]
    if len(enforced) == len(CONTROLLERS):
        return Finding("limits", "the kernel enforces them: memory, processes, CPU time")
    by_kernel = f"the kernel enforces {', '.join(enforced)}; " if enforced else ""
    by_arena = "the arena samples memory and processes twice a second"
    advice = "for exact limits it needs control groups of version 2 (see docs/security.md)"
    return Finding("limits", f"{by_kernel}{by_arena}; {advice}")


def _engine() -> Finding:
    """Finds the container engine, which only bots that are images need."""
    try:
        version = engine_version()
    except EngineTrouble as trouble:
        return Finding("container engine", f"none. {trouble}")
    runtime = os.environ.get(RUNTIME_VARIABLE)
    return Finding("container engine", version + (f", runtime {runtime}" if runtime else ""))


def _runtime() -> Finding:
    what = "runtime for Python bots"
    try:
        return Finding(what, str(python_folder()))
    except FileNotFoundError as missing:
        return Finding(what, "not built", str(missing))


def _runtimes() -> Finding:
    """Lists the additional runtimes that bots may read."""
    what = "runtimes that the organiser names"
    try:
        named = named_runtimes()
    except WrongRuntimes as wrong:
        return Finding(what, "not usable", str(wrong))
    listed = ", ".join(f"{runtime.name} ({runtime.folder})" for runtime in named)
    return Finding(what, listed or "none (see docs/submitting.md)")


def _valkey() -> Finding:
    with tempfile.TemporaryDirectory() as folder:
        try:
            with EmbeddedValkey(Path(folder), private_folder()):
                return Finding("embedded Valkey", "starts")
        except ArenaError as error:
            return Finding(
                "embedded Valkey", str(error), "Use a Redis of your own: --redis redis://HOST:PORT"
            )


def _secure_addresses(server: Address | None, data: Path) -> list[Address]:
    """Returns the addresses with TLS of the arena at an address, or of the one that runs here."""
    if server is not None:
        return [server] if server.secure else []
    try:
        holder = DataFolder(data).holder()
    except ArenaError:  # the check of the folder says more
        return []
    told = (holder.pages, holder.grpc) if holder is not None else ()
    # Without a host, it listens at all addresses.
    secure = [one.replace("://:", "://localhost:") for one in told if one.startswith(SECURE)]
    return list(map(address_of, dict.fromkeys(secure)))


def _certificate(address: Address) -> Finding:
    """Finds out when the certificate of a server expires, and whether it is trusted here."""
    what = f"certificate of {address.host}:{address.port}"
    trouble = untrusted(address.host, address.port)
    try:
        ends = end_of(certificate_at(address.host, address.port))
    except (OSError, ValueError):
        return Finding(what, "not found", trouble)
    days = (ends - datetime.now(UTC)) / timedelta(days=1)
    found = f"valid until {minute(ends)}"
    return Finding(what, found, trouble or (RENEW if days < WARNING_DAYS else ""))


def _folder(data: Path) -> Finding:
    folder = DataFolder(data)
    try:
        folder.try_writing()
        if not folder.has_store():
            return Finding("data folder", f"{data}: does not exist yet")
        check_store(data)
        holder = folder.holder()
    except ArenaError as error:
        return Finding("data folder", str(data), str(error))
    return Finding("data folder", f"{data}: {f'held by {holder.pid}' if holder else 'free'}")
