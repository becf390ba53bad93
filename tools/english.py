"""Checks the English of the repository: `python -m tools.english [FOLDER OR FILE ...]`.

Prints each sentence that breaks a rule of docs/style.md, with a hint. Reads docstrings, comments,
sentences in string literals, the text of templates, and documents; quoted code (`…`) is not
English. Without arguments it reads CHECKED, and the commit subjects since SUBJECTS_SINCE.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
# The folders and files that keep the rules; the rest of the repository follows as it is edited.
CHECKED = (
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Makefile",
    "README.md",
    "SECURITY.md",
    "arena",
    "bench",
    "deploy",
    "docs/README.md",
    "docs/adding-a-game.md",
    "docs/architecture.md",
    "docs/bots.md",
    "docs/comparing.md",
    "docs/compiled.md",
    "docs/deals.md",
    "docs/deploying.md",
    "docs/duplicate.md",
    "docs/games",
    "docs/games.md",
    "docs/languages.md",
    "docs/pairing.md",
    "docs/playing.md",
    "docs/ratings.md",
    "docs/records.md",
    "docs/remote.md",
    "docs/scale.md",
    "docs/running.md",
    "docs/search-budgets.md",
    "docs/searcher.md",
    "docs/style.md",
    "docs/submitting.md",
    "docs/testing.md",
    "docs/tournaments.md",
    "docs/writing-an-sdk.md",
    "proto",
    "pyproject.toml",
    "sample_bots",
    "sample_games",
    "sdk",
    "tools",
)
# Not ours, generated, or quoting what is wrong. Decisions are not edited once they are taken.
UNCHECKED = re.compile(
    r"(^|/)(node_modules|vendor|gen|build|target|\.\w+|docs/decisions|(test_)?english\.py)(/|$)"
)

SUBJECTS_SINCE = "9ea6af759e7229c3d252babc6d76fd23fe0b9ef4"
LONGEST_SUBJECT = 72
# Imperatives that end like a participle or a third person.
IMPERATIVES = {"Bring", "Embed", "Feed", "Focus", "Need", "Ping", "Proceed", "Seed", "Speed"}
NOT_VERBS = {"A", "All", "An", "Each", "Every", "If", "In", "It", "No", "On", "Only", "The", "This"}


@dataclass(frozen=True)
class Rule:
    """A pattern that prose must not contain, and what to write instead."""

    name: str
    pattern: re.Pattern[str]
    hint: str


def words(pattern: str) -> re.Pattern[str]:
    """Matches these words in lower case or with a capital, not as parts of other words."""
    return re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])", re.IGNORECASE)


OPENINGS = (
    Rule(
        "free-standing clause",
        re.compile(r"\s*(What|How(?! to )|Who|Whom|Whose|Whether|Which|Why)\b[^?]*\Z"),
        "begin with a verb (Returns …) or a noun phrase (The cards that …)",
    ),
    Rule(
        "free-standing clause",
        re.compile(r"\s*(When|Where|Whenever|If|Unless|Because|So that)\s[^?,;]*\Z"),
        "add the main clause, or begin with a noun (The time when …)",
    ),
)
ANYWHERE = (
    Rule("banned word", words("mend(?:s|ed|ing)?"), "fix, repair"),
    Rule("banned word", words("anew"), "again"),
    Rule("banned word", words("to be had"), "available"),
    Rule("banned word", words("look(?:s|ed|ing)? after(?! every)"), "manage, take care of"),
    Rule("banned word", words("beside"), "besides, next to, compared with"),
    Rule("banned word", words("told|hears?|heard"), "messages arrive, are sent and received"),
    Rule("banned word", words("be (?:it|they)"), "even if, whether"),
    Rule("banned word", words("somebody|anybody|whoever|whomever"), "name the role"),
    Rule("stand or lie", words("(?:stands?|stood|lies?|lain)(?! in for| for)"), "is, are"),
    Rule("masculine", words("he|him|his|himself"), "they, their; or name the role"),
)
# Phrases that a rule would find, with the reason why they are right.
EXCEPTIONS = {
    "action stand": "the idiom for not undoing it",
    "it stand": "the same",
}


@dataclass(frozen=True)
class Passage:
    """A piece of prose of a file, and the line on which it begins.

    `opens`: it must not begin with a free-standing clause.
    """

    line: int
    text: str
    opens: bool = True


def main(arguments: list[str]) -> int:
    """Prints every problem; returns the exit code."""
    tops = [ROOT / top for top in arguments or CHECKED]
    problems = [*problems_below(tops), *([] if arguments else subject_problems(ROOT))]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def problems_below(tops: list[Path]) -> Iterator[str]:
    """Yields a line for every sentence in these files and folders that breaks a rule."""
    for file in sorted({file for top in tops for file in prose_files(top)}):
        for passage in PASSAGES[file.suffix or file.name](file.read_text()):
            for line, problem in problems_in(passage):
                yield f"{shown(file)}:{line}: {problem}"


def prose_files(top: Path) -> Iterator[Path]:
    """Yields the files below `top` that have prose."""
    for file in [top] if top.is_file() else top.rglob("*"):
        has_prose = (file.suffix or file.name) in PASSAGES and file.is_file()
        if has_prose and not UNCHECKED.search(shown(file)):
            yield file


def shown(file: Path) -> str:
    """Returns a path as it is printed: relative to the repository, if it is in there."""
    return str(file.relative_to(ROOT) if file.is_relative_to(ROOT) else file)


def problems_in(passage: Passage) -> Iterator[tuple[int, str]]:
    """Yields line and sentence for each rule that a passage breaks."""
    text = re.sub(r"(`+).+?\1", quoted, passage.text, flags=re.S)
    for phrase in EXCEPTIONS:
        text = re.sub(r"\s+".join(map(re.escape, phrase.split())), quoted, text)
    if passage.opens:
        first = re.split(r"(?<=[.:?!])\s|\n\s*\n", text.strip(), maxsplit=1)[0]
        for rule in OPENINGS:
            if rule.pattern.match(first):
                beginning = " ".join(first.split()[:6])
                yield passage.line, f'{rule.name} "{beginning} …": {rule.hint}.'
    for rule in ANYWHERE:
        for found in rule.pattern.finditer(text):
            line = passage.line + text.count("\n", 0, found.start())
            yield line, f'{rule.name} "{found[0]}": {rule.hint}.'


def quoted(found: re.Match[str]) -> str:
    """Returns what replaces a match that is not English, on as many lines."""
    return "…" + blank(found)


def blank(found: re.Match[str]) -> str:
    """Returns the ends of a match's lines, so that lines after it keep their numbers."""
    return "\n" * found[0].count("\n")


def of_python(source: str) -> Iterator[Passage]:
    """Yields docstrings, sentences in other strings, and comments."""
    tree = ast.parse(source)
    yield from strings_of(tree)
    yield from joined(
        (token.start, token.string.lstrip("#"))
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    )


def strings_of(node: ast.AST) -> Iterator[Passage]:
    """Yields the literals below a node that are sentences; values in them become `…`."""
    if isinstance(node, ast.Constant | ast.JoinedStr):
        text = literal_text(node)
        if is_sentence(text):
            yield Passage(node.lineno, text)
    else:
        for child in ast.iter_child_nodes(node):
            yield from strings_of(child)


def literal_text(node: ast.AST) -> str:
    """Returns the text of a literal or f-string; empty for numbers and the like."""
    if isinstance(node, ast.JoinedStr):
        return "".join(literal_text(part) or "…" for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def is_sentence(text: str) -> bool:
    """True for text of several words."""
    return re.search(r"\w+\W? \w+\W? [\w…]+", text) is not None


def joined(comments: Iterator[tuple[tuple[int, int], str]]) -> Iterator[Passage]:
    """Yields comments, given by position and text; those on successive lines as one."""
    lines: list[str] = []
    at = (0, 0)
    for (line, column), text in comments:
        if lines and (line, column) != (at[0] + len(lines), at[1]):
            yield Passage(at[0], "\n".join(lines))
            lines = []
        at = at if lines else (line, column)
        lines.append(text)
    if lines:
        yield Passage(at[0], "\n".join(lines))


QUOTED = r'"(?:\\.|[^"\\\n])*"' r"|'(?:\\.|[^'\\\n])*'" r"|`(?:\\.|[^`\\])*`"


def of_braces(source: str) -> Iterator[Passage]:
    """Yields comments and sentences in strings of languages that look like C."""
    found = list(re.finditer(rf"{QUOTED}|//[^\n]*|/\*.*?\*/", source, re.S))
    yield from joined(
        (position(source, match.start()), match[0].lstrip("/!"))
        for match in found
        if match[0].startswith("//")
    )
    for match in found:
        line = position(source, match.start())[0]
        if match[0].startswith("/*"):
            yield Passage(line, re.sub(r"(?m)^\s*\*", "", match[0][2:-2].lstrip("*")))
        elif match[0][0] in "\"'`" and is_sentence(match[0]):
            yield Passage(line, re.sub(r"\$\{.*?\}", "…", match[0][1:-1]))


def of_hashes(source: str) -> Iterator[Passage]:
    """Yields the comments that `#` begins."""
    return of_lines(source, r"(?:^|\s)#+ (.*)")


def of_lua(source: str) -> Iterator[Passage]:
    """Yields the comments that `--` begins."""
    return of_lines(source, r"(?:^|\s)-- (.*)")


def of_lines(source: str, comment: str) -> Iterator[Passage]:
    """Yields the comments that a pattern finds in a line."""
    return joined(
        ((number, found.start(1)), found[1])
        for number, line in enumerate(source.splitlines(), 1)
        if (found := re.search(comment, line))
    )


def position(source: str, offset: int) -> tuple[int, int]:
    """Returns line and column, the line counted from 1."""
    return source.count("\n", 0, offset) + 1, offset - source.rfind("\n", 0, offset)


def of_markdown(source: str) -> Iterator[Passage]:
    """Yields headings and paragraphs, without code, emphasised words and tables of bad English."""
    source = re.sub(r"^( *)(```|~~~).*?^\1\2$", blank, source, flags=re.S | re.M)
    source = re.sub(r"^\| before \|.*?(?=\n\n)", blank, source, flags=re.S | re.M)
    source = re.sub(r"^(?: {4}.*\n?)+", blank, source, flags=re.M)
    source = re.sub(r"(?<!\*)\*[^*\n]+\*(?!\*)", quoted, source)
    for block in re.finditer(r"^#.*|(?:^(?!#).*\S.*\n?)+", source, re.M):
        text = block[0].lstrip("#")
        yield Passage(position(source, block.start())[0], text, opens=text != block[0])


INLINE = r"</?(?:a|abbr|b|em|kbd|span|strong|time)\b[^>]*>"
NO_TEXT = rf"\{{[#%].*?[#%]\}}|<script.*?</script>|{INLINE}"
TEXT = r'(?:title|aria-label|placeholder|content)="([^"]+)|[^<>]+(?=<|\Z)'


def of_template(source: str) -> Iterator[Passage]:
    """Yields comments, sentences in expressions, and the text of elements and attributes."""
    for found in re.finditer(r"\{#(.*?)#\}", source, re.S):
        yield Passage(position(source, found.start())[0], found[1])
    for code in re.finditer(r"\{[{%].*?[%}]\}", source, re.S):
        for string in re.finditer(r"\"([^\"]*)\"|'([^']*)'", code[0]):
            if is_sentence(string[0]):
                at = position(source, code.start() + string.start())
                yield Passage(at[0], string[0][1:-1])
    source = re.sub(NO_TEXT, blank, source, flags=re.S)
    source = re.sub(r"\{\{.*?\}\}|<code.*?</code>", quoted, source, flags=re.S)
    for found in re.finditer(TEXT, source):
        group = 1 if found[1] else 0
        if text := found[group].strip():
            start = found.start(group) + found[group].index(text)
            yield Passage(position(source, start)[0], text)


PASSAGES: dict[str, Callable[[str], Iterator[Passage]]] = {
    ".py": of_python,
    ".md": of_markdown,
    ".html": of_template,
    ".lua": of_lua,
    **dict.fromkeys(
        [".proto", ".js", ".mjs", ".ts", ".css", ".go", ".java", ".rs", ".cpp", ".hpp", ".h"],
        of_braces,
    ),
    **dict.fromkeys([".sh", ".toml", ".yml", ".yaml", "Makefile", "Dockerfile"], of_hashes),
}


def subject_problems(root: Path) -> Iterator[str]:
    """Yields a line for every commit since SUBJECTS_SINCE whose subject breaks a rule."""
    command = ["git", "log", "--no-merges", "--format=%h %s", f"{SUBJECTS_SINCE}..HEAD"]
    try:
        log = subprocess.run(command, cwd=root, capture_output=True, check=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        print(f"Commit subjects were not checked: Git has no {SUBJECTS_SINCE[:7]} here.")
        return
    for line in log.splitlines():
        commit, _, subject = line.partition(" ")
        if problem := subject_problem(subject):
            yield f"commit {commit}: {problem} {subject}"


def subject_problem(subject: str) -> str:
    """Returns the rule that a commit's subject breaks; empty if it breaks none."""
    verb = re.split(r"\W", subject, maxsplit=1)[0]
    if len(subject) > LONGEST_SUBJECT and verb != "Revert":
        return f"the subject has {len(subject)} characters; {LONGEST_SUBJECT} are allowed."
    if subject.endswith("."):
        return "the subject ends with a full stop."
    if not verb[:1].isupper() or subject[len(verb) :].startswith(":"):
        return "the subject must begin with a verb and a capital (Fix …)."
    another_form = re.search(r"(?<!s)s$|ed$|ing$", verb) and verb not in IMPERATIVES
    if another_form or verb in NOT_VERBS:
        return f'the subject must begin with an imperative (Fix …), not "{verb}".'
    return ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
