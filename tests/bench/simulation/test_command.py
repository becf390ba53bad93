"""`python -m bench simulate`: its tables, and terms that cannot be simulated."""

import pytest

from bench.__main__ import main

SMALL = ("simulate", "--bots", "8", "--matches", "8", "--runs", "2")


@pytest.mark.slow
def test_the_tables_have_every_pairing_and_are_the_same_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    main([*SMALL])
    printed = capsys.readouterr().out
    for name in ("ours", "random", "nearest", "information"):
        assert f"{name} running" in printed
    assert "at best" in printed
    assert "no pairing reaches tau 0.95 before" in printed
    main([*SMALL])
    assert capsys.readouterr().out == printed


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--seats", "4", "--teams", "3"), "--teams: 4 seats cannot be divided into 3 teams"),
        (("--seats", "8"), "--bots: 8 bots leave nothing to choose where 8 meet"),
        (("--draw-probability", "1"), "--draw-probability: The draw probability must be from"),
        (("--spread", "0"), "--spread: A spread of 0 beta leaves no order to find"),
    ],
)
def test_impossible_terms_are_explained(
    options: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main([*SMALL, *options])
    assert sentence in capsys.readouterr().err
