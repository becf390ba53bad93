"""Findings as sentences, with what to know about their error rates."""

from __future__ import annotations

from random import Random

from arena.statistics import Terms, Verdict, caution, find, sentence


def test_sentences() -> None:
    terms = Terms(most_groups=200, widest=1.0)
    won = find(terms, [1.0, 0.5] * 100)
    assert sentence(won, "new", "old").startswith(f"new is better than old, after {won.groups} ")
    assert " : 1 for NEW." in sentence(won, "new", "old")
    lost = find(terms, [-1.0, -0.5] * 100)
    assert " : 1 for OLD." in sentence(lost, "new", "old")
    even = find(terms, [1.0, -1.0] * 100)
    assert "less than 1 : 1 for either" in sentence(even, "new", "old")
    assert sentence(find(terms, [1.0]), "new", "old").startswith("Running, after 1 group;")
    undecided = find(Terms(most_groups=2, widest=1.0), [1.0, -1.0])
    assert sentence(undecided, "new", "old").startswith("Undecided after 2 groups")


def test_no_groups_yet() -> None:
    found = find(Terms(widest=1.0), [])
    assert (found.verdict, found.groups, found.interval) == (Verdict.RUNNING, 0, None)


def test_skewed_differences_come_with_their_simulated_error() -> None:
    rng = Random(3)
    terms = Terms(widest=1.0)
    skewed = find(terms, [-0.5 if rng.random() < 0.05 else 0.04 for _ in range(1500)])
    assert skewed.skewness < -1
    error = skewed.simulated_error
    assert error is not None
    assert error.runs > 500
    assert f"in {error.rate:.1%} of runs" in caution(skewed, terms)
    assert error == find(terms, [-0.5 if d else 0.04 for d in replayed()]).simulated_error
    plain = find(terms, [1.0, -0.5] * 100)
    assert (plain.simulated_error, caution(plain, terms)) == (None, "")


def replayed() -> list[bool]:
    """Returns where the losses of the skewed differences are."""
    rng = Random(3)
    return [rng.random() < 0.05 for _ in range(1500)]


def test_without_a_known_largest_difference_that_is_said() -> None:
    terms = Terms(widest=None)
    assert caution(find(terms, [3.0, -2.0] * 50), terms).startswith("How large a difference")
