"""Findings as sentences, with what to know about their error rates."""

from __future__ import annotations

from random import Random

import pytest

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
    skewed = in_some_order([0.04, 0.04, 0.04, 0.04, 0.04, -0.5] * 20)
    assert caution(find(Design(widest=1.0), skewed), Design(widest=1.0)) == ""
    terms = Design(widest=None)
    even = caution(find(terms, in_some_order([3.0, -3.0] * 50)), terms)
    assert even.startswith("The largest possible difference")
    assert "interval" not in even
    warned = caution(find(terms, skewed), terms)
    assert warned.startswith("The largest possible difference")
    assert "in far fewer than 95 % of comparisons" in warned
    assert 'a false "better" may be more probable than 0.05' in warned
    gains = caution(find(terms, [-each for each in skewed]), terms)
    assert "in far fewer than 95 % of comparisons" in gains
    assert 'a false "better"' not in gains


def test_groups_that_are_not_independent_come_with_a_caution() -> None:
    terms = Design(widest=1.0)
    learning = [-0.5 + group / 100 for group in range(100)]
    found = find(terms, learning)
    assert found.autocorrelation is not None
    assert found.autocorrelation > 0.9
    assert caution(found, terms).startswith("The test takes the groups for independent")
    alternating = find(terms, [0.5, -0.5] * 50)
    assert alternating.autocorrelation == pytest.approx(-1, abs=0.02)
    assert caution(find(terms, in_some_order(learning)), terms) == ""
    assert find(terms, [0.5] * 40).autocorrelation is None
    assert find(terms, learning[:29]).autocorrelation is None


def in_some_order(differences: list[float]) -> list[float]:
    return Random(1).sample(differences, len(differences))
