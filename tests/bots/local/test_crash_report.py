"""Of what a crashed program has printed, the line that matters is kept, in every language."""

from __future__ import annotations

from time import process_time

import pytest

from arena.bots.local.captured_output import (
    OUTPUT_LIMIT_BYTES,
    QUOTED_BYTES,
    QUOTED_LINES,
    REPORT_BYTES,
    Output,
)
from arena.bots.local.crash_report import LINE_CHARACTERS, cause_of, cause_of_fault, excerpt
from arena.bots.local.known_causes import explained
from arena.foreign_text import WORDS_LIMIT_BYTES

BEFORE = "".join(f"thinking about decision {number}\n" for number in range(40))
# As Go 1.24, Java 17, Rust 1.9x, libstdc++ and Node 20 print them; {} stands for more frames.
GO = """panic: runtime error: index out of range [7] with length 1

goroutine 1 [running]:
main.pick({{0x1c875d2f4468?, 0x0?, 0x7fa98fe3aea0?}}, 0x1c875d2f44d8?)
\t/bot/main.go:31 +0x19
{}exit status 2
"""
JAVA = """Exception in thread "main" java.lang.IllegalStateException: no card
\tat sevens.Session.think(Session.java:88)
{}Caused by: java.lang.ArrayIndexOutOfBoundsException: Index 7 out of bounds for length 1
\tat Bot.pick(Bot.java:31)
{}\t... 8 more
"""
RUST = """thread 'main' (7) panicked at src/main.rs:31:9:
index out of bounds: the len is 1 but the index is 7
stack backtrace:
{}note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.
"""
CPP = """terminate called after throwing an instance of 'std::out_of_range'
  what():  vector::_M_range_check: __n (which is 7) >= this->size() (which is 1)
{}"""
NODE = """/bot/dist/bot.cjs:31
  return hand[7].suit;
                ^

TypeError: Cannot read properties of undefined (reading 'suit')
    at pick (/bot/bot.ts:31:9)
{}
Node.js v20.20.2
"""
PYTHON = """Traceback (most recent call last):
{}  File "/bot/bot.py", line 31, in pick
    return hand[7]
           ~~~~^^^
IndexError: list index out of range
This was the bot's choice in match m-1 (xeri), seat 0, decision 3.
"""
SECOND_LINE = "index out of bounds: the len is 1 but the index is 7"
REPORTS = [
    (
        GO,
        "runtime.main()\n\t/usr/lib/go/proc.go:283 +0x28b\n",
        "index out of range [7]",
        "main.go:31",
    ),
    (JAVA, "\tat java.base/Thread.run(Thread.java:8)\n", "Index 7 out of", "Bot.java:31"),
    (RUST, "   7: core::ops::FnOnce::call_once\n", SECOND_LINE, "main.rs:31"),
    (CPP, "", "'std::out_of_range'", "(which is 7)"),
    (NODE, "    at Session.think (/bot/sdk.js:8:8)\n", "reading 'suit'", "bot.ts:31"),
    (PYTHON, '  File "/bot/sdk.py", line 8, in go\n    go()\n', "IndexError: list", "bot.py"),
]
NAMES = ["go", "java", "rust", "c++", "node", "python"]


@pytest.mark.parametrize("frames", [0, 4, 60])
@pytest.mark.parametrize(("report", "frame", "error", "place"), REPORTS, ids=NAMES)
def test_the_error_and_the_frame_closest_to_it_are_quoted(
    report: str, frame: str, error: str, place: str, frames: int
) -> None:
    quoted = excerpt(BEFORE + report.format(*[frame * frames] * 2), QUOTED_LINES, QUOTED_BYTES)
    assert error in quoted
    assert place in quoted
    assert len(quoted.encode()) <= WORDS_LIMIT_BYTES
    assert quoted.count("\n") < 2 * QUOTED_LINES


def test_an_error_in_any_script_fits_into_a_bots_words() -> None:
    text = "\u7b54" * 200 + "\n"
    quoted = excerpt(text * 40 + "ValueError: " + text, QUOTED_LINES, QUOTED_BYTES)
    assert quoted.splitlines()[-1].startswith("ValueError")
    assert len(quoted.encode()) <= WORDS_LIMIT_BYTES


def test_without_an_error_the_last_lines_are_quoted() -> None:
    assert excerpt(BEFORE, 2, 100) == "thinking about decision 38\nthinking about decision 39"
    assert excerpt("", 2, 100) == ""


def test_an_endless_message_does_not_push_its_frames_out() -> None:
    report = PYTHON.format("").replace("list index out of range", "x" * 100_000)
    lines = excerpt(report, QUOTED_LINES, QUOTED_BYTES).splitlines()
    assert '  File "/bot/bot.py", line 31, in pick' in lines
    assert f"IndexError: {'x' * 300}"[: LINE_CHARACTERS - 1] + "…" in lines


@pytest.mark.parametrize("cut_at", range(0, 64, 7))
def test_a_report_outlasts_what_is_printed_after_it(cut_at: int) -> None:
    output = Output()
    output.add(BEFORE.encode())
    output.add(GO.format("").encode())
    rest = b"goroutine 8 [select]:\n" * 20_000
    output.add(rest[: OUTPUT_LIMIT_BYTES - cut_at])
    output.add(rest)
    text = output.since(0)
    assert text.startswith("panic: runtime error")
    assert "main.go:31" in text[:REPORT_BYTES]
    assert len(text.encode()) <= OUTPUT_LIMIT_BYTES
    assert "bytes before this were not kept" in text
    assert "panic: runtime error" in output.quote(0)
    assert "panic" not in output.since(output.written - 100_000)  # it was an earlier process's


def test_what_is_missing_is_counted() -> None:
    output = Output()
    output.add(b"x" * (OUTPUT_LIMIT_BYTES + 1234))
    assert output.since(0).startswith("[1,234 bytes before this were not kept]\n")
    assert output.since(1234) == "x" * OUTPUT_LIMIT_BYTES


DEEP = "".join(
    f'  File "/opt/python/lib/python3.11/site-packages/torch/nn.py", line {number}, in forward\n'
    "    return self.inner(x)\n"
    for number in range(30)
)


def test_a_bots_own_line_outlasts_the_frames_of_a_deep_library() -> None:
    own = '  File "/bot/bot.py", line 12, in choose\n    return self.net(hand)\n'
    text = f"Traceback (most recent call last):\n{own}{DEEP}torch.Strange: no shape\n"
    quoted = excerpt(BEFORE + text, QUOTED_LINES, QUOTED_BYTES).splitlines()
    assert quoted[:2] == own.rstrip("\n").split("\n")
    assert quoted[-1] == "torch.Strange: no shape"
    java = "".join(f"\tat java.base/java.util.X.y(X.java:{number})\n" for number in range(30))
    text = f'Exception in thread "main" x.No: 7\n{java}\tat mybot.MyBot.choose(MyBot.java:31)\n'
    assert "MyBot.java:31" in excerpt(text + BEFORE, QUOTED_LINES, QUOTED_BYTES)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (PYTHON.format(DEEP), 'IndexError File "/bot/bot.py", line 31, in pick'),
        (GO.format(""), "panic /bot/main.go:31"),
        (JAVA.format("", ""), "Caused by Bot.java:31"),
        (RUST.format(""), "thread 'main' (7) panicked at src/main.rs src/main.rs:31"),
        (NODE.format(""), "TypeError /bot/bot.ts:31"),
        ("no luck today\n", ""),
    ],
)
def test_the_cause_is_the_same_whatever_else_is_printed(text: str, cause: str) -> None:
    assert cause_of(text) == cause
    assert cause_of(excerpt(BEFORE + text, QUOTED_LINES, QUOTED_BYTES)) == cause


def test_faults_of_one_cause_have_it_in_common() -> None:
    words = "ValueError: seven\n"
    first = cause_of_fault("The bot's process ended with exit code 1.", words)
    again = "3 processes in a row were lost before they answered anything. "
    assert cause_of_fault(f"{again}The bot's process ended with exit code 1.", words) == first
    assert cause_of_fault("The answer is 7, and there are 3 actions.", "") == cause_of_fault(
        "The answer is 12, and there are 9 actions.", ""
    )
    assert cause_of_fault("The answer is no number.", "") != cause_of_fault("It is late.", "")


def test_finding_a_cause_takes_no_longer_than_the_output_explains() -> None:
    hostile = ("a./" * 80 + "\n") * 270 + "panic: \n" * 4 + ("a./" * 80 + "\n") * 270
    long = "execvp " + "/" * 60_000
    before = process_time()
    excerpt(hostile, QUOTED_LINES, QUOTED_BYTES)
    assert explained(long) == explained(hostile) == ""
    assert process_time() - before < 1.0
