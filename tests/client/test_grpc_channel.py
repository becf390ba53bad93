"""How a command says who its user is."""

from __future__ import annotations

import pytest

from arena.client.grpc_channel import credentials_for


@pytest.mark.parametrize("around", ["{}\n", "{}\r\n", " {} ", "\ufeff{}", '"{}"', "'{}'\n"])
def test_a_token_from_a_file_may_have_blanks_and_quotes_around_it(
    monkeypatch: pytest.MonkeyPatch, around: str
) -> None:
    monkeypatch.setenv("ARENA_USER_TOKEN", around.format("sat_x"))
    assert credentials_for("arena.example:7777") == (("authorization", "Bearer sat_x"),)
