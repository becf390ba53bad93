"""Text that strangers write: how much of it the arena takes, and its form where people read it.

Code that receives such a text bounds it at once; code that shows it makes it `visible`.
"""

from __future__ import annotations

import codecs
import unicodedata

SENTENCE_LIMIT_BYTES = 500  # what the arena says of a bot, in public
WORDS_LIMIT_BYTES = 2048  # what a bot said itself at its fault
FINDING_LIMIT_BYTES = 4096  # what `arena bot check` says of a bot, which it quotes
REASON_LIMIT_BYTES = 1500  # why a job was given up
NOTE_LIMIT_BYTES = 1024
STDERR_LIMIT_BYTES = 64 * 1024
MARKS_IN_A_ROW = 4  # more combining marks than any language puts on a letter
ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
# Letters and marks that leave no trace on paper: Unicode's Default_Ignorable_Code_Point, as far as
# Python takes them for printable, and the empty pattern of Braille.
INVISIBLE = frozenset(
    map(
        chr,
        (
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
            *range(0x180B, 0x1810),
            *range(0xFE00, 0xFE10),
            *range(0xE0100, 0xE01F0),
        ),
    )
)


# A byte order mark of UTF-32 begins with one of UTF-16.
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


class NotUtf8(ValueError):
    """A text file in another encoding. Its text is the predicate of a sentence about the file, and
    what to do."""


def decoded(content: bytes) -> str:
    """Returns the text of a UTF-8 file, without the byte order mark that some editors put before
    it. Raises NotUtf8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        for mark, name in BYTE_ORDER_MARKS:
            if content.startswith(mark):
                raise NotUtf8(f"is saved as {name}; save it as UTF-8.") from None
        line = content.count(b"\n", 0, error.start) + 1
        raise NotUtf8(
            f"is not UTF-8 (byte 0x{content[error.start]:02x} in line {line}); save it as UTF-8."
        ) from None


def beginning(text: str, limit_bytes: int) -> str:
    """Returns as much of the beginning of the text as fits into `limit_bytes` of UTF-8."""
    return text[:limit_bytes].encode(errors="replace")[:limit_bytes].decode(errors="ignore")


def ending(text: str, limit_bytes: int) -> str:
    """Returns as much of the end of the text as fits: a bot's last lines say why it stopped."""
    return text[-limit_bytes:].encode(errors="replace")[-limit_bytes:].decode(errors="ignore")


def visible(text: str) -> str:
    """Returns the text on one line, with an escape such as \\x1b or \\u202e for every character
    that could control a terminal, change the direction of writing or hide: controls, formats,
    separators, lone surrogates, private and unassigned characters, letters that are blank, and
    heaps of combining marks."""
    if text.isascii() and text.isprintable():
        return text
    shown: list[str] = []
    marks = 0
    for character in text:
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        hidden = marks > MARKS_IN_A_ROW or character in INVISIBLE or not character.isprintable()
        shown.append(escaped(character) if hidden else character)
    return "".join(shown)


def visible_lines(text: str) -> str:
    """Returns the same, with the text's own line feeds, and spaces for its tabs."""
    return "\n".join(visible(line) for line in text.replace("\t", "    ").split("\n"))


def escaped(character: str) -> str:
    """Returns an escape for a character: \\n, \\x1b, \\u202e or \\U000e0100."""
    if character in ESCAPES:
        return ESCAPES[character]
    number = ord(character)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
