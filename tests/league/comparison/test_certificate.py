"""Certificates: every figure follows from them again, and every change shows."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from pydantic import ValidationError

from arena.errors import Kind
from arena.league.comparison.certificate_check import BadCertificate, read_certificate, recompute
from arena.statistics import Design, PointScale, Verdict
from arena.views.comparisons.certificate import Certificate, certify
from arena.views.comparisons.group import CountedGroup, CountedMatch
from arena.views.comparisons.plan import ComparisonPlan, Mode, Participant
from tests.support.failing import failing

SECRET = "e" * 64
PLAN = ComparisonPlan(
    game="xeri",
    rules_version=1,
    options={"deals": "1"},
    bank_ms=60_000,
    increment_ms=200,
    new=Participant(bot="ann", number=2, version="a" * 64),
    old=Participant(bot="ann", number=1, version="b" * 64),
    house=(),
    mode=Mode.HEAD_TO_HEAD,
    scale=PointScale.RANKS,
    seatings=((0, 1), (1, 0)),
    terms=Design(widest=1.0),
)


def groups(strength: float, count: int = 1600) -> list[CountedGroup]:
    rng = Random(7)
    return [
        CountedGroup(
            difference=rng.gauss(strength, 1) / 8,
            matches=tuple(
                CountedMatch(match=f"{n}-{m}", digest="c" * 64, at_fault=()) for m in range(2)
            ),
        )
        for n in range(count)
    ]


@pytest.fixture(scope="module")
def certificate() -> Certificate:
    return certify("duel", PLAN, SECRET, groups(0.5), started=1600)


def changed(certificate: Certificate, **fields: Any) -> list[str]:
    return recompute(certificate.model_copy(update=fields))


def test_a_certificate_survives_its_text(certificate: Certificate) -> None:
    again = read_certificate(certificate.to_json())
    assert again == certificate
    assert recompute(again) == []
    assert certificate.findings.verdict is Verdict.BETTER
    assert certificate.not_counted == 1600 - len(certificate.groups)


def test_every_changed_figure_is_named(certificate: Certificate) -> None:
    findings = certificate.findings
    for name in ("ratio", "mean", "deviation", "skewness", "t"):
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
    lenient = PLAN.model_copy(update={"terms": Design(alpha=0.2, widest=1.0)})
    assert len(changed(certificate, plan=lenient)) > 2


def test_a_dropped_or_added_group_shows(certificate: Certificate) -> None:
    counted = certificate.groups
    assert changed(certificate, groups=counted[1:])
    assert "bring no verdict yet" in changed(certificate, groups=counted[:-1])[0]
    assert "are counted" in changed(certificate, groups=(*counted, counted[0]))[0]
    bare = CountedGroup(difference=counted[0].difference, matches=())
    [told] = changed(certificate, groups=(bare, *counted[1:]))
    assert told == "Group 1 names 0 matches; the plan has 2 a group."


def test_without_a_verdict_there_is_none() -> None:
    with failing(Kind.NOT_NOW, match="The comparison duel has no verdict yet"):
        certify("duel", PLAN, SECRET, groups(0.5)[:10], started=10)


def test_the_digest_depends_on_every_field() -> None:
    digests = {PLAN.digest}
    for name, value in {
        "game": "dingo",
        "mode": Mode.REPLACEMENT,
        "terms": Design(t1=0.3, widest=1.0),
    }.items():
        digests.add(PLAN.model_copy(update={name: value}).digest)
    assert len(digests) == 4


@pytest.mark.parametrize("text", ["", "[]", "\ud800", "[" * 100_000, '{"format": "x"}'])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(BadCertificate, match="is wrong"):
        read_certificate(text)


def test_what_is_wrong_has_its_path(certificate: Certificate) -> None:
    document = json.loads(certificate.to_json())
    document["groups"][1]["matches"][0]["digest"] = "x"
    with pytest.raises(BadCertificate, match=r"`groups\[1\]\.matches\[0\]\.digest` is wrong"):
        read_certificate(json.dumps(document))
    document = json.loads(certificate.to_json())
    document["findings"]["mean"] = float("nan")
    with pytest.raises(BadCertificate, match=r"`findings\.mean` is wrong"):
        read_certificate(json.dumps(document))


def test_only_the_canonical_text_is_a_certificate(certificate: Certificate) -> None:
    text = certificate.to_json()
    for other in (
        f" {text}",
        text.replace('"not_counted":', '"not_counted":0,"not_counted":'),
        text.replace('"t1":0.2', '"t1":0.20'),
    ):
        with pytest.raises(BadCertificate, match="canonical form"):
            read_certificate(other)


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"old": PLAN.new}, "the same version"),
        ({"terms": Design(widest=2.0)}, "the largest difference of a group is 1"),
        ({"seatings": ((0, 1), (0, 1))}, "change when NEW and OLD are exchanged"),
        ({"seatings": ((0, 2), (1, 2))}, "a participant that the plan does not have"),
        ({"mode": Mode.REPLACEMENT}, "do not fit the mode replacement"),
    ],
)
def test_a_plan_that_contradicts_itself_is_refused(fields: dict[str, Any], wrong: str) -> None:
    with pytest.raises(ValidationError, match=wrong):
        ComparisonPlan.model_validate(dict(PLAN) | fields)
