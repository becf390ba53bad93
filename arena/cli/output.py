"""Output of commands: tables and sentences for people, or exactly one JSON document for programs.

Progress and errors go to stderr, so that stdout can be piped.
"""

from __future__ import annotations

import codecs
import json
import sys
import traceback
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from io import TextIOWrapper
from textwrap import TextWrapper
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from arena.foreign_text import escaped, visible, visible_lines
from arena.moment import minute

if TYPE_CHECKING:
    from arena.views.view import View  # pydantic takes long to load

# The nearest ASCII to the signs that the arena itself prints: some terminals, and LC_ALL=C, lack
# them. Bars become the numbers of their heights.
SUBSTITUTES = {"✓": "+", "✗": "x", "·": "-", "→": "->", "…": "..."} | {
    bar: str(height) for height, bar in enumerate("▁▂▃▄▅▆▇█", 1)
}
INDENT = "    "
ERROR = "error:"
SHORTEST_LINE = 20  # columns
WIDE = 200  # columns, unless a terminal has a width of its own


class ForeignTextConsole(Console):
    """A console for text that strangers wrote: it interprets no markup, and shows an escape for
    every character that could control the terminal. Commands style their own words by `style` or
    `Text`; a value that must not begin a line of its own is made `visible` first, or printed in
    a sentence by `say`."""

    def __init__(self, *, errors: bool) -> None:
        is_terminal = (sys.stderr if errors else sys.stdout).isatty()
        super().__init__(
            stderr=errors,
            markup=False,
            emoji=False,
            highlight=False,
            soft_wrap=True,
            width=None if is_terminal else WIDE,
        )

    def say(self, sentence: str, style: str | None = None) -> None:
        """Prints a sentence as one paragraph, even if it quotes several lines."""
        self.print(self.paragraph(visible(sentence)), style=style)

    def paragraph(self, text: str) -> str:
        """Returns the text with all lines but the first indented, so that none can pose as another
        output. A terminal gets lines that fit, broken between words; a longer word stays whole, so
        that it can be copied."""
        lines = text.split("\n")
        if self.file.isatty():
            lines = [part for line in lines for part in self._between_words.wrap(line) or [""]]
        return f"\n{INDENT}".join(lines)

    @property
    def _between_words(self) -> TextWrapper:
        width = max(self.width - len(INDENT), SHORTEST_LINE)
        return TextWrapper(width, break_long_words=False, break_on_hyphens=False)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        for segment in super().render(renderable, options):
            text, style, control = segment
            yield segment if control else Segment(visible_lines(text), style)


class LiteralText(Text):
    """A text that is never markup."""

    @classmethod
    def from_markup(cls, text: str, **options: Any) -> LiteralText:
        return cls(text, options.get("style", ""))


def print_help_literally() -> None:
    """Makes Typer print help texts as they are written. It would drop `[default: 1]` as a tag,
    and replace `:x:` by an emoji."""
    from typer import rich_utils  # which only help needs

    vars(rich_utils)["Text"] = LiteralText


stdout = ForeignTextConsole(errors=False)
stderr = ForeignTextConsole(errors=True)

JsonOption = Annotated[bool, typer.Option("--json", help="Print a JSON document instead of text.")]


def print_in_any_encoding() -> None:
    """Makes this process's output work in any encoding of its streams: characters that an
    encoding lacks are replaced by similar ones or by escapes."""
    codecs.register_error("arena", _substituted)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # None if the stream was closed
            stream.reconfigure(errors="arena")


def print_json(document: Any) -> None:
    """Prints a document on stdout: the whole output of a command with --json."""
    sys.stdout.write(_json(document) + "\n")
    sys.stdout.flush()


def print_view(view: View) -> None:
    """Prints a view as that document."""
    print_json(view.model_dump(mode="json"))


def print_error(sentence: str, field: str, *, as_json: bool) -> None:
    """Prints the reason for a failure to stderr.

    `field`: the argument or option at fault; empty if there is none.
    """
    if as_json:
        print(_json({"error": {"sentence": sentence, "field": field}}), file=sys.stderr)
    else:
        told = Text(stderr.paragraph(f"{ERROR} {visible_lines(sentence)}"))
        told.stylize("red bold", 0, len(ERROR))
        stderr.print(told)


def print_traceback(
    kind: type[BaseException], error: BaseException, where: TracebackType | None
) -> None:
    """Prints a bug in the arena itself on stderr, as `sys.excepthook` does."""
    for part in traceback.format_exception(kind, error, where):
        print(visible_lines(part), end="", file=sys.stderr)


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> Table:
    """Returns a table of values, in which columns of numbers are right-aligned. Only a `Text` may
    have several lines."""
    listed = [[_cell(value) for value in row] for row in rows]
    drawn = Table(title=visible(title) or None, title_justify="left", box=None, pad_edge=False)
    for i, column in enumerate(columns):
        numeric = all(_is_number(str(row[i])) for row in listed if row[i]) and bool(listed)
        drawn.add_column(column, justify="right" if numeric else "left", no_wrap=i == 0)
    for row in listed:
        drawn.add_row(*row)
    return drawn


def moment(time: datetime) -> str:
    """Returns a moment in UTC, to the minute; what is around it says the zone."""
    return minute(time).removesuffix(" UTC")


def indented(text: str) -> str:
    """Returns a bot's output with all lines indented, so that none can pose as the arena's."""
    return "\n".join(f"    {visible(line)}" for line in text.rstrip().split("\n"))


def continued(text: str) -> str:
    """Returns the text with all lines but the first indented."""
    return text.replace("\n", "\n    ")


def _substituted(error: UnicodeError) -> tuple[str, int]:
    """Replaces characters that an encoding lacks; a handler for `codecs.register_error`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(map(_substitute, lacking)), error.end


def _substitute(character: str) -> str:
    if "BRAILLE" in unicodedata.name(character, ""):  # Rich's spinner
        return "*"
    return SUBSTITUTES.get(character) or escaped(character)


def _cell(value: object) -> str | Text:
    if isinstance(value, Text):
        return value
    return f"{value:.2f}" if isinstance(value, float) else visible(str(value))


def _json(document: Any) -> str:
    """Returns JSON with an escape for everything but printable ASCII, so that it can be printed
    everywhere and programs still read the same values."""
    return json.dumps(document).replace("\x7f", "\\u007f")


def _is_number(text: str) -> bool:
    return text.lstrip("-+").replace(".", "", 1).isdigit()
