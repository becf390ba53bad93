"""An organiser who has nothing but a browser: opens a form, fills it in and sends it."""

from __future__ import annotations

import ssl
from html.parser import HTMLParser
from http import HTTPStatus
from pathlib import Path

import httpx

PATIENCE_S = 300.0  # a busy machine takes its time


class Organiser:
    """An organiser who has logged in at an arena's pages. `trusted`: the certificate there."""

    def __init__(self, origin: str, trusted: Path, token: str) -> None:
        self._browser = httpx.Client(
            base_url=origin,
            verify=ssl.create_default_context(cafile=str(trusted)),
            headers={"Origin": origin, "Sec-Fetch-Site": "same-origin"},
            timeout=PATIENCE_S,
        )
        self._send("/login", token=token)

    def does(self, operation: str, **values: str) -> None:
        """Makes a change, by the form of its operation. `values`: those that are not left as they
        are."""
        self._send(f"/do/{operation}", **values)

    def close(self) -> None:
        """Closes the browser."""
        self._browser.close()

    def _send(self, address: str, **values: str) -> None:
        form = _Form(address)
        form.feed(self._browser.get(address).raise_for_status().text)
        if unknown := values.keys() - form.fields.keys():
            raise LookupError(f"The form at {address} has no {', '.join(sorted(unknown))}.")
        answer = self._browser.post(address, data=form.fields | values)
        if answer.status_code != HTTPStatus.SEE_OTHER:
            raise RuntimeError(f"{address} answered {answer.status_code}: {answer.text}")


class _Form(HTMLParser):
    """The form of a page that is sent to an address. `fields`: its values as they are at first."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self._address = address
        self._is_inside = False
        self._open = ""  # the choice or the text that has begun

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            self._is_inside = given.get("action") == self._address
        elif self._is_inside and (name := given.get("name")):
            is_unticked = given.get("type") == "checkbox" and "checked" not in given
            self.fields[name] = "" if is_unticked else given.get("value") or ""
            self._open = name if tag in ("select", "textarea") else ""
        elif tag == "option" and "selected" in given:
            self.fields[self._open] = given["value"] or ""

    def handle_endtag(self, tag: str) -> None:
        if tag in ("select", "textarea"):
            self._open = ""
        elif tag == "form":
            self._is_inside = False

    def handle_data(self, data: str) -> None:
        if self._open and self.lasttag == "textarea":
            self.fields[self._open] += data
