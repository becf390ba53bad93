"""A text as a stranger would write it to harm whoever reads it on a terminal."""

from __future__ import annotations

ESCAPES = "\x1b[31m\x1b[2J\x1b]0;title\x07\x1b]8;;http://x\x1b\\link\x1b]52;c;eA==\x07\x9b2J\x90q\x9c\x07\x08"
UNSEEN = "\u202e\u2066\u2069\u200e\u200f\u061c\u200b\ufeff\u2028\u2029\u0085\ue000\U000e0041\u3164"
FLOOD = "a" + "\u0301" * 50
MARKUP = "[bold]b[/bold][link=x]:x::warning:"
FORGED = "FORGED: all is well"
HOSTILE = f"{MARKUP}{ESCAPES}{UNSEEN}{FLOOD}\n{FORGED}\r{FORGED}\r\n{FORGED}\x0b{FORGED}\tend"


def assert_harmless(printed: str) -> None:
    """Fails if a character could do anything but be seen, or a line looks like one of ours."""
    odd = {c for c in printed if c != "\n" and not c.isprintable()} | ({"\u3164"} & {*printed})
    assert not odd, f"{odd!r} in {printed[:2000]!r}"
    assert "\u0301" * 5 not in printed
    assert not [line for line in printed.split("\n") if line.startswith(FORGED)], printed
