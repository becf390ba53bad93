"""`arena submit remote:NAME`: a bot on its owner's machine enters a ladder."""

from __future__ import annotations

from typing import Any

from arena.cli.addresses import SECURE
from arena.cli.output import print_json, stderr, stdout
from arena.client.channel import calling, endpoint_of
from sevens.league.v1.remote_pb2 import RegisterRemoteRequest, RegisterRemoteResponse

REMOTE = "remote:"


def submit_remote(
    reference: str, ladder: str, server: str, *, new_version: bool, new_token: bool, as_json: bool
) -> None:
    """Registers a remote bot; prints what its program needs to dial in, if it is told anew."""
    request = RegisterRemoteRequest(
        bot=reference.removeprefix(REMOTE),
        ladder=ladder,
        new_version=new_version,
        new_token=new_token,
    )
    with calling(server) as call:
        response: RegisterRemoteResponse = call("RegisterRemote", request)
    environment = _environment(server, response.token)
    if as_json:
        print_json(_document(ladder, response, environment))
        return
    version = response.version
    stderr.print(
        f"{version.bot} version {version.number} is on the ladder {ladder}, and plays whenever it"
        " is connected.",
        markup=False,
    )
    if not response.token:
        stderr.print("Its token is the one that it has; --new-token tells another.", markup=False)
        return
    stderr.print("Its program dials in with this environment; the token is told only now:")
    for name, value in environment.items():
        stdout.print(f"export {name}={value}", markup=False, soft_wrap=True)


def _environment(server: str, token: str) -> dict[str, str]:
    """What the SDKs look for."""
    address = server.removeprefix(SECURE)
    tls = {"ARENA_TLS": "1"} if endpoint_of(server).secure else {}
    return {"ARENA_ADDRESS": address, **tls, **({"ARENA_TOKEN": token} if token else {})}


def _document(
    ladder: str, response: RegisterRemoteResponse, environment: dict[str, str]
) -> dict[str, Any]:
    return {
        "bot": response.version.bot,
        "version": response.version.digest,
        "ladder": ladder,
        "accepted": True,
        "number": response.version.number,
        "steps": [],
        "environment": environment,
    }
