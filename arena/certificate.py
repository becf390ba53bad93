"""A TLS certificate in files, which are replaced while the arena runs when it is renewed."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from arena.errors import ArenaError, Kind

log = logging.getLogger(__name__)

# Tags and lengths of DER.
VERSION, UTC_TIME, LONG = 0xA0, 0x17, 0x80

State = tuple[tuple[int, int, int], ...]


class Certificate:
    """A certificate with its chain and its private key, in PEM.

    `chain`, `key`: their files. Raises ArenaError if they cannot be used.
    """

    def __init__(self, chain: Path, key: Path) -> None:
        self.chain = chain
        self.key = key
        self._seen = self._state()
        self._refused: State = ()
        try:
            self.context()
        except OSError as error:
            raise ArenaError(
                Kind.WRONG_INPUT,
                f"The certificate {chain} and the key {key} cannot be used: {error}.",
                "tls_cert",
            ) from None

    def context(self) -> ssl.SSLContext:
        """Returns a context of servers that has read the files now. Raises OSError if they cannot
        be read, or do not fit."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.chain, self.key)
        return context

    def was_renewed(self) -> bool:
        """Returns whether the files are others than at the last call, and can be used. Files that
        cannot, such as one that is being written, are logged once; the old certificate stays."""
        now = self._state()
        if now in (self._seen, self._refused):
            return False
        try:
            self.context()
        except OSError as error:
            self._refused = now
            log.warning("the new certificate in %s is not used yet: %s", self.chain, error)
            return False
        self._seen = now
        log.warning("the certificate in %s was renewed", self.chain)
        return True

    def _state(self) -> State:
        """Returns what changes when a file is replaced or written."""
        try:
            found = [file.stat() for file in (self.chain, self.key)]
        except OSError:  # it is being replaced, or `context` says what is wrong
            return ()
        return tuple((one.st_ino, one.st_mtime_ns, one.st_size) for one in found)


def renewing(certificate: Certificate, context: ssl.SSLContext) -> Callable[..., None]:
    """Returns a callback for `ssl.SSLContext.sni_callback`: connections begin with the certificate
    that is in the files then.

    `context`: that of the server.
    """
    current = context

    def choose(connection: ssl.SSLObject, name: str | None, first: ssl.SSLContext) -> None:
        nonlocal current
        if certificate.was_renewed():
            current = certificate.context()
        connection.context = current

    return choose


def end_of(certificate: bytes) -> datetime:
    """Returns when a certificate in DER expires. Raises ValueError if it is none.

    Source: RFC 5280, section 4.1: apart from the version, the fourth field of its first part holds
    the two ends of its validity.
    """
    [(_, whole)] = _fields(certificate)
    (_, first), *_ = _fields(whole)
    _, _, _, (_, validity), *_ = (one for one in _fields(first) if one[0] != VERSION)
    _, (kind, moment) = _fields(validity)
    form = "%y%m%d%H%M%SZ" if kind == UTC_TIME else "%Y%m%d%H%M%SZ"
    return datetime.strptime(moment.decode(), form).replace(tzinfo=UTC)


def _fields(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Yields the fields in DER: the tag of each, and its content."""
    at = 0
    while at + 1 < len(content):
        tag, length, at = content[at], content[at + 1], at + 2
        if length & LONG:
            octets = length & ~LONG
            length, at = int.from_bytes(content[at : at + octets]), at + octets
        yield tag, content[at : at + length]
        at += length


def certificate_in(chain: Path | None, key: Path | None) -> Certificate | None:
    """Returns the certificate in files that a command names; None if it names none. Raises
    ArenaError."""
    if chain is None and key is None:
        return None
    if chain is None or key is None:
        raise ArenaError(Kind.WRONG_INPUT, "TLS needs both --tls-cert and --tls-key.", "tls_cert")
    return Certificate(chain, key)
