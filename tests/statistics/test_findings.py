"""Findings as sentences, with what to know about their error rates."""

from __future__ import annotations

from arena.statistics import Design, Verdict, caution, find, sentence


def test_sentences() -> None:
    terms = Design(most_groups=200, widest=1.0)
    won = find(terms, [1.0, 0.5] * 100)
    assert sentence(won, "new", "old") == f"new is better than old, after {won.groups} groups."
    lost = find(terms, [-1.0, -0.5] * 100)
    assert sentence(lost, "new", "old").startswith("new is not better than old, after ")
    assert sentence(find(terms, [1.0]), "new", "old") == "Running, after 1 group."
    undecided = find(Design(most_groups=2, widest=1.0), [1.0, -1.0])
    assert sentence(undecided, "new", "old").startswith("Undecided after 2 groups")


def test_no_groups_yet() -> None:
    found = find(Design(widest=1.0), [])
    assert (found.verdict, found.groups, found.interval) == (Verdict.RUNNING, 0, None)


def test_skewed_differences_come_with_a_caution_unless_the_largest_is_known() -> None:
    skewed = [0.04, 0.04, 0.04, 0.04, 0.04, -0.5] * 20
    assert caution(find(Design(widest=1.0), skewed), Design(widest=1.0)) == ""
    terms = Design(widest=None)
    assert caution(find(terms, [3.0, -2.0] * 50), terms).startswith(
        "The largest possible difference"
    )
    warned = caution(find(terms, skewed), terms)
    assert warned.startswith("The largest possible difference")
    assert 'a false "better" may be more probable than 0.05' in warned
