"""`make lint` enforces the rules of docs/style.md on every sentence, and on commit subjects."""

from pathlib import Path

import pytest

from tools.english import (
    Passage,
    main,
    of_braces,
    of_hashes,
    of_markdown,
    of_python,
    of_template,
    problems_in,
    subject_problem,
    subject_problems,
)


@pytest.mark.parametrize(
    "text",
    [
        "How a bot's process is started.",
        "Whether the task\nwas cancelled.",
        "Who calls is found out first. That ends here?",
        "When the frame was sent",
        "Ratings are made anew.",
        "Whoever asks is answered.",
        "The bot is told the score.",
        "The field stands in the header.",
        "A player knows his cards.",
    ],
)
def test_a_sentence_that_breaks_a_rule_is_found(text: str) -> None:
    assert len(list(problems_in(Passage(1, text)))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "How to write a bot",
        "Who may play? Everyone.",
        "When a bot leaves, the table closes.",
        "The letter T stands for ten.",
        "A misunderstanding of `lies` and `told`.",
        "What it is.",
    ],
)
def test_other_sentences_pass(text: str) -> None:
    assert not list(problems_in(Passage(1, text, opens=not text.startswith("What"))))


def test_the_line_and_a_hint_are_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bot.py"
    file.write_text('"""A bot.\n\nIt mends itself.\n"""\n')
    assert main([str(file)]) == 1
    assert capsys.readouterr().out == f'{file}:3: banned word "mends": fix, repair.\n'


def test_python_has_docstrings_comments_and_sentences() -> None:
    source = (
        '"""Doc of a\nmodule."""\nX = "two words"  # Aside.\n'
        '# One\n# comment.\nY = f"{X} is a sentence."\n'
    )
    assert [(prose.line, prose.text) for prose in of_python(source)] == [
        (1, "Doc of a\nmodule."),
        (6, "… is a sentence."),
        (3, " Aside."),
        (4, " One\n comment."),
    ]


def test_languages_like_c_have_comments_and_sentences() -> None:
    source = 'f("http://a"); // Aside\n/* Of two\n * lines. */\nlet a = `No bot is ${name}.`;\n'
    assert [(prose.line, prose.text) for prose in of_braces(source)] == [
        (1, " Aside"),
        (2, " Of two\n lines. "),
        (4, "No bot is …."),
    ]


def test_a_script_has_comments() -> None:
    assert [prose.text for prose in of_hashes("#!/bin/sh\n# One\n# comment\nx=a#b\n")] == [
        "One\ncomment"
    ]


def test_markdown_has_headings_and_paragraphs_without_code_and_bad_examples() -> None:
    source = (
        "# Title\nText of\n*two* lines.\n\n```\ncode\n```\n\n    code\n\n"
        "| before | after |\n| bad | b |\n\nEnd.\n"
    )
    assert [(prose.line, prose.text.strip(), prose.opens) for prose in of_markdown(source)] == [
        (1, "Title", True),
        (2, "Text of\n… lines.", False),
        (14, "End.", False),
    ]


def test_templates_have_text_attributes_comments_and_sentences_in_expressions() -> None:
    source = (
        '{# A note #}\n<p title="To play">Play <b>a</b> {{ game }}.</p>\n'
        '{% call x("A sentence of it") %}<script>no text</script>\n'
    )
    assert [(prose.line, prose.text) for prose in of_template(source)] == [
        (1, " A note "),
        (3, "A sentence of it"),
        (2, "To play"),
        (2, "Play a …."),
    ]


@pytest.mark.parametrize(
    "subject",
    [
        "Fix the queue",
        "Pass the clock to workers",
        "Feed bots in order",
        'Revert "Keep a very long subject that had more characters than it should have had"',
    ],
)
def test_an_imperative_subject_passes(subject: str) -> None:
    assert subject_problem(subject) == ""


@pytest.mark.parametrize(
    ("subject", "problem"),
    [
        ("Fix " + "a" * 69, "73 characters"),
        ("Fix the queue.", "full stop"),
        ("fix the queue", "capital"),
        ("Queue: fix it", "capital"),
        ("Fixes the queue", "imperative"),
        ("Fixed the queue", "imperative"),
        ("Fixing the queue", "imperative"),
        ("The queue is fixed", "imperative"),
    ],
)
def test_other_subjects_are_named(subject: str, problem: str) -> None:
    assert problem in subject_problem(subject)


def test_without_the_history_no_subject_is_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert list(subject_problems(tmp_path)) == []
    assert "were not checked" in capsys.readouterr().out
