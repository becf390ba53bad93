"""Finds out why an arena cannot be reached, which a failed request alone does not say."""

from __future__ import annotations

import os
import socket
import ssl
from dataclasses import dataclass

import certifi

from arena.errors import ArenaError, Kind

ROOTS = "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH"
"""Names a file of certificates to trust, by gRPC and by HTTP alike; unset: those of Mozilla."""
PROBE_S = 3.0
PATIENCE_S = 10.0
STARTING_S = 3.0  # the time that a server which has just been started may take to listen
# OpenSSL's errors of certificates (X509_V_ERR_… in its x509_vfy.h).
WRONG_TIME = {9, 10}  # not yet valid, no longer valid
WRONG_NAME = {62, 64}  # issued for another name, for another address


@dataclass(frozen=True)
class Trouble:
    """The reason why a server cannot be reached, and what to do.

    `patience_s`: how long to try before reporting it, in seconds; 0 where waiting cannot help.
    """

    sentence: str
    patience_s: float = 0

    def check(self, tried_s: float) -> None:
        """Raises ArenaError after PATIENCE_S, or sooner if trying for longer cannot help."""
        if tried_s >= min(self.patience_s, PATIENCE_S):
            raise ArenaError(Kind.UNREACHABLE, self.sentence, "server") from None


def trouble_with(host: str, port: int, *, secure: bool) -> Trouble:
    """Returns what is wrong with an address at which no arena has answered yet.

    `secure`: whether the caller uses TLS.
    """
    where = f"{host}:{port}"
    check = "Check the address, and that `arena serve` runs there."
    try:
        connection = socket.create_connection((host, port), PROBE_S)
    except socket.gaierror as error:
        return Trouble(f"There is no machine {host!r} ({error.strerror}). Check the address.")
    except ConnectionRefusedError:
        return Trouble(f"No arena answers at {where}: nothing listens there. {check}", STARTING_S)
    except OSError as error:
        reason = error.strerror or "no answer"
        return Trouble(f"No arena answers at {where}: {reason}. {check}", PATIENCE_S)
    with connection:
        return _with_tls(connection, host, where) if secure else _without_tls(connection, where)


def certificate_at(host: str, port: int) -> bytes:
    """Returns the certificate of a server in DER, whether it is trusted or not. Raises OSError."""
    with (
        socket.create_connection((host, port), PROBE_S) as connection,
        _trusting_all().wrap_socket(connection, server_hostname=host) as secured,
    ):
        return secured.getpeercert(binary_form=True) or b""


def untrusted(host: str, port: int) -> str:
    """Returns why a server's certificate is not trusted here, or not found; empty if it is."""
    try:
        with (
            socket.create_connection((host, port), PROBE_S) as connection,
            trusted().wrap_socket(connection, server_hostname=host),
        ):
            return ""
    except OSError:
        return trouble_with(host, port, secure=True).sentence


def _with_tls(connection: socket.socket, host: str, where: str) -> Trouble:
    try:
        context = trusted()
    except OSError as error:
        reason = error.strerror or error
        return Trouble(f"{_roots()}, which {ROOTS} names, cannot be used: {reason}.")
    try:
        with context.wrap_socket(connection, server_hostname=host):
            return _silent(where)
    except ssl.SSLCertVerificationError as error:
        return Trouble(
            f"The certificate of {where} is not trusted here: {error.verify_message.rstrip('.')}."
            f" {_cure(error.verify_code)}"
        )
    except TimeoutError:
        return _silent(where)
    except (ssl.SSLError, ConnectionError):
        return Trouble(
            f"{where} does not speak TLS, without which a token is only sent within one machine."
            " Let the server use TLS (`arena serve --tls-cert … --tls-key …`)."
        )


def _cure(verify_code: int) -> str:
    """Returns what to do about a certificate with which OpenSSL finds this wrong."""
    if verify_code in WRONG_TIME:
        return "Check the clock of this machine; if it is right, the organiser has to renew it."
    if verify_code in WRONG_NAME:
        return "Use the name or address that it was issued for."
    return f"If the arena has an authority of its own, name its certificate in {ROOTS}."


def _without_tls(connection: socket.socket, where: str) -> Trouble:
    """Tells a server that requires TLS from one that is no arena."""
    try:
        with _trusting_all().wrap_socket(connection):
            return Trouble(f"{where} requires TLS: write https://{where}.")
    except (ssl.SSLError, OSError):
        return _silent(where)


def _silent(where: str) -> Trouble:
    return Trouble(
        f"No arena answers at {where}: something else listens there. Check the address and the"
        " port.",
        PATIENCE_S,
    )


def _trusting_all() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def trusted() -> ssl.SSLContext:
    """Returns what trusts the certificates that the user trusts. Raises OSError."""
    return ssl.create_default_context(cafile=_roots())


def _roots() -> str:
    """Returns the file with the certificates that the user trusts."""
    return os.environ.get(ROOTS) or certifi.where()
