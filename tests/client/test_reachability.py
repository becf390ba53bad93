"""Why a server cannot be reached, told soon and in a sentence that says what to do."""

from __future__ import annotations

import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from arena.certificate import end_of
from arena.cli.commands.keeping import doctor
from arena.client import reachability
from arena.client.reachability import ROOTS, trouble_with
from tests.support.command_line import ran
from tests.support.whole_arena.strangers import certificate

Serve = Callable[[socket.socket], None]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reachability, "PROBE_S", 30.0)


@contextmanager
def listening(serve: Serve = lambda connection: None) -> Iterator[int]:
    """Something that takes connections on a port, which it yields."""
    connections: list[socket.socket] = []

    def accept() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                connections.append(connection)
                serve(connection)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=accept)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()
            for connection in connections:
                connection.close()


def with_tls(folder: Path, *names: str, expired: bool = False) -> tuple[Path, Serve]:
    """Returns a self-signed certificate for these names, and a server that uses it."""
    key, chain = certificate(folder, *names)
    if expired:
        again = f"openssl x509 -in {chain} -signkey {key} -days -1 -out {chain}"
        subprocess.run(again.split(), check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(chain, key)
    context.set_alpn_protocols(["h2"])

    def serve(connection: socket.socket) -> None:
        with suppress(OSError):
            context.wrap_socket(connection, server_side=True).detach()

    return chain, serve


def test_an_unknown_name_is_told_at_once() -> None:
    trouble = trouble_with("arena.invalid", 7777, secure=True)
    assert trouble.sentence.startswith("There is no machine 'arena.invalid' (")
    assert trouble.patience_s == 0


def test_a_server_that_does_not_listen_may_still_be_starting() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
    trouble = trouble_with("127.0.0.1", port, secure=False)
    assert trouble.sentence.startswith(f"No arena answers at 127.0.0.1:{port}: nothing listens")
    assert 0 < trouble.patience_s < reachability.PATIENCE_S


@pytest.mark.parametrize("secure", [False, True])
def test_whatever_listens_there_need_be_no_arena(
    secure: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reachability, "PROBE_S", 0.3)
    with listening() as port:
        trouble = trouble_with("127.0.0.1", port, secure=secure)
    assert "something else listens there" in trouble.sentence


def test_a_server_without_tls_is_told_by_its_answer() -> None:
    with listening(lambda connection: connection.sendall(b"HTTP/1.0 400 Bad Request\r\n")) as port:
        trouble = trouble_with("127.0.0.1", port, secure=True)
    assert f"127.0.0.1:{port} does not speak TLS" in trouble.sentence
    assert "--tls-cert" in trouble.sentence


@pytest.mark.needs("openssl")
class TestCertificates:
    def test_a_server_that_requires_tls(self, tmp_path: Path) -> None:
        _, serve = with_tls(tmp_path, "IP:127.0.0.1")
        with listening(serve) as port:
            trouble = trouble_with("127.0.0.1", port, secure=False)
        assert trouble.sentence.endswith(f"requires TLS: write https://127.0.0.1:{port}.")

    def test_one_that_is_not_trusted(self, tmp_path: Path) -> None:
        _, serve = with_tls(tmp_path, "IP:127.0.0.1")
        with listening(serve) as port:
            trouble = trouble_with("127.0.0.1", port, secure=True)
        assert "is not trusted here: self-signed certificate." in trouble.sentence
        assert ROOTS in trouble.sentence

    def test_one_of_another_name(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        chain, serve = with_tls(tmp_path, "DNS:other.example")
        monkeypatch.setenv(ROOTS, str(chain))
        with listening(serve) as port:
            trouble = trouble_with("127.0.0.1", port, secure=True)
        assert "certificate is not valid for '127.0.0.1'" in trouble.sentence
        assert trouble.sentence.endswith("Use the name or address that it was issued for.")

    def test_one_that_has_expired(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        chain, serve = with_tls(tmp_path, "IP:127.0.0.1", expired=True)
        monkeypatch.setenv(ROOTS, str(chain))
        with listening(serve) as port:
            trouble = trouble_with("127.0.0.1", port, secure=True)
        assert "is not trusted here: certificate has expired." in trouble.sentence
        assert trouble.sentence.endswith("the organiser has to renew it.")

    def test_trusted_certificates_that_cannot_be_read(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv(ROOTS, str(tmp_path / "nowhere.pem"))
        with listening() as port:
            trouble = trouble_with("127.0.0.1", port, secure=True)
        assert f"{tmp_path}/nowhere.pem, which {ROOTS} names, cannot be used" in trouble.sentence


@pytest.mark.needs("openssl")
def test_the_doctor_warns_before_a_certificate_expires(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain, serve = with_tls(tmp_path, "DNS:localhost")
    with listening(serve) as port:
        address = f"https://localhost:{port}"

        def remedy() -> str:
            checks = ran("doctor", "--server", address, "--data", tmp_path, "--json").json["checks"]
            [found] = [one for one in checks if one["what"] == f"certificate of localhost:{port}"]
            assert found["found"].startswith("valid until ")
            return str(found["remedy"])

        assert f"name its certificate in {ROOTS}" in remedy()
        monkeypatch.setenv(ROOTS, str(chain))
        assert "expires soon: renew it" in remedy()  # in two days
        monkeypatch.setattr(doctor, "WARNING_DAYS", 1)
        assert remedy() == ""


@pytest.mark.needs("openssl")
@pytest.mark.parametrize("days", [10, 36_000])
def test_the_end_of_a_certificate_is_read(tmp_path: Path, days: int) -> None:
    words = f"req -x509 -newkey rsa:2048 -nodes -days {days} -subj /CN=me -outform DER"
    files = ("-keyout", tmp_path / "key", "-out", tmp_path / "chain")
    subprocess.run(["openssl", *words.split(), *files], check=True, capture_output=True)
    ahead = end_of((tmp_path / "chain").read_bytes()) - datetime.now(UTC)
    assert timedelta(days=days - 1) < ahead <= timedelta(days=days)
    for wrong in (b"", b"no certificate"):
        with pytest.raises(ValueError, match="unpack"):
            end_of(wrong)
