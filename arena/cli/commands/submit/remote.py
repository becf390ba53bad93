"""`arena submit remote:NAME`: registers a bot that runs on its owner's machine."""

from __future__ import annotations

from typing import Any

from arena.cli.options import submitting_address
from arena.cli.output import print_json, stderr, stdout
from arena.client.address import SECURE
from arena.client.grpc_channel import endpoint_of
from arena.client.league_service import league_service
from arena.foreign_text import visible
from sevens.league.v1.remote_pb2 import RegisterRemoteRequest, RegisterRemoteResponse

REMOTE = "remote:"


def submit_remote(
    reference: str, ladder: str, server: str, *, new_version: bool, new_token: bool, as_json: bool
) -> None:
    """Registers a remote bot; prints its program's environment if the token is new."""
    request = RegisterRemoteRequest(
        bot=reference.removeprefix(REMOTE),
        ladder=ladder,
        new_version=new_version,
        new_token=new_token,
    )
    address = submitting_address(server)
    with league_service(address) as arena:
        response: RegisterRemoteResponse = arena.call("RegisterRemote", request)
    environment = _environment(address, response.token)
    if as_json:
        print_json(_document(ladder, response, environment))
        return
    version = response.version
    stderr.say(
        f"{version.bot} version {version.number} is on the ladder {ladder}, and plays whenever it"
        " is connected.",
    )
    if not response.token:
        stderr.say("It keeps its token; get a new one with --new-token.")
        return
    stderr.say("Start its program with this environment; this is the only time the token is shown:")
    for name, value in environment.items():
        stdout.print(visible(f"export {name}={value}"))


def _environment(address: str, token: str) -> dict[str, str]:
    """Returns the variables that the SDKs read."""
    tls = {"ARENA_TLS": "1"} if endpoint_of(address).secure else {}
    return {
        "ARENA_ADDRESS": address.removeprefix(SECURE),
        **tls,
        **({"ARENA_TOKEN": token} if token else {}),
    }


def _document(
    ladder: str, response: RegisterRemoteResponse, environment: dict[str, str]
) -> dict[str, Any]:
    return {
        "bot": response.version.bot,
        "version": response.version.version,
        "ladder": ladder,
        "accepted": True,
        "number": response.version.number,
        "steps": [],
        "environment": environment,
    }
