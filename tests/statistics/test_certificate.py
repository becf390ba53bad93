"""Findings as sentences, and certificates from which they follow again."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from arena.statistics import (
    BadCertificate,
    Certificate,
    Group,
    Mode,
    Participant,
    Plan,
    Scale,
    Terms,
    Verdict,
    caution,
    certify,
    find,
    read_certificate,
    recompute,
    sentence,
)

PLAN = Plan(
    game="xeri",
    rules_version=1,
    options={"deals": "1"},
    bank_ms=60_000,
    increment_ms=200,
    new=Participant(bot="ann", version="a" * 64),
    old=Participant(bot="ann", version="b" * 64),
    house=(),
    mode=Mode.HEAD_TO_HEAD,
    scale=Scale.RANKS,
    seatings=((0, 1), (1, 0)),
    terms=Terms(),
)


def groups(strength: float, count: int = 1600) -> list[Group]:
    rng = Random(7)
    return [
        Group(difference=rng.gauss(strength, 1) / 8, records=("c" * 64, "d" * 64))
        for _ in range(count)
    ]


@pytest.fixture(scope="module")
def certificate() -> Certificate:
    return certify(PLAN, groups(0.5), started=1600)


def changed(certificate: Certificate, **fields: Any) -> list[str]:
    return recompute(certificate.model_copy(update=fields))


def test_a_certificate_survives_its_text(certificate: Certificate) -> None:
    again = read_certificate(certificate.to_json().encode())
    assert again == certificate
    assert recompute(again) == []
    assert certificate.findings.verdict is Verdict.BETTER
    assert certificate.not_counted == 1600 - len(certificate.groups)


def test_every_changed_figure_is_named(certificate: Certificate) -> None:
    findings = certificate.findings
    for name in ("ratio", "mean", "evidence_for_new", "skewness", "t"):
        wrong = findings.model_copy(update={name: getattr(findings, name) + 1e-6})
        [told] = changed(certificate, findings=wrong)
        assert told.startswith(f"`findings.{name}` is ")
    [told] = changed(
        certificate, findings=findings.model_copy(update={"verdict": Verdict.NOT_BETTER})
    )
    assert told == "`findings.verdict` is not better, but follows as better."


def test_a_changed_plan_shows(certificate: Certificate) -> None:
    [told] = changed(certificate, plan=PLAN.model_copy(update={"bank_ms": 1}))
    assert "the plan has been changed after it was published" in told
    lenient = PLAN.model_copy(update={"terms": Terms(alpha=0.2)})
    assert len(changed(certificate, plan=lenient)) > 2


def test_a_dropped_or_added_group_shows(certificate: Certificate) -> None:
    counted = certificate.groups
    assert changed(certificate, groups=counted[1:])
    assert "bring no verdict yet" in changed(certificate, groups=counted[:-1])[0]
    assert "are counted" in changed(certificate, groups=(*counted, counted[0]))[0]
    bare = Group(difference=counted[0].difference, records=())
    [told] = changed(certificate, groups=(bare, *counted[1:]))
    assert told == "Group 1 names 0 records; the plan has 2 matches a group."


def test_without_a_verdict_there_is_none() -> None:
    with pytest.raises(ValueError, match="Play more groups"):
        certify(PLAN, groups(0.5)[:10], started=10)


def test_the_digest_depends_on_every_field() -> None:
    digests = {PLAN.digest}
    for name, value in {"game": "dingo", "mode": Mode.REPLACEMENT, "terms": Terms(t1=0.3)}.items():
        digests.add(PLAN.model_copy(update={name: value}).digest)
    assert len(digests) == 4


@pytest.mark.parametrize("text", [b"", b"[]", b"\xff", b"[" * 100_000, b'{"format": "x"}'])
def test_other_texts_are_refused(text: bytes) -> None:
    with pytest.raises(BadCertificate, match="is wrong"):
        read_certificate(text)


def test_what_is_wrong_has_its_path(certificate: Certificate) -> None:
    document = json.loads(certificate.to_json())
    document["groups"][1]["records"][0] = "x"
    with pytest.raises(BadCertificate, match=r"`groups\[1\]\.records\[0\]` is wrong"):
        read_certificate(json.dumps(document).encode())
    document = json.loads(certificate.to_json())
    document["findings"]["mean"] = float("nan")
    with pytest.raises(BadCertificate, match=r"`findings\.mean` is wrong"):
        read_certificate(json.dumps(document).encode())


def test_sentences() -> None:
    terms = Terms(most_groups=200)
    won = find(terms, [1.0, 0.5] * 100)
    assert sentence(won, "new", "old").startswith(f"new is better than old, after {won.groups} ")
    assert " : 1 for NEW." in sentence(won, "new", "old")
    lost = find(terms, [-1.0, -0.5] * 100)
    assert " : 1 for OLD." in sentence(lost, "new", "old")
    even = find(terms, [1.0, -1.0] * 100)
    assert "less than 1 : 1 for either" in sentence(even, "new", "old")
    assert sentence(find(terms, [1.0]), "new", "old").startswith("Running, after 1 group;")
    undecided = find(Terms(most_groups=2), [1.0, -1.0])
    assert sentence(undecided, "new", "old").startswith("Undecided after 2 groups")


def test_no_groups_yet() -> None:
    found = find(Terms(), [])
    assert (found.verdict, found.groups, found.interval) == (Verdict.RUNNING, 0, None)


def test_skewed_differences_come_with_their_simulated_error() -> None:
    rng = Random(3)
    terms = Terms()
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
