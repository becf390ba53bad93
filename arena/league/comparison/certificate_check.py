"""Certificates that strangers hand in: read strictly, and checked against themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isclose
from typing import Any

from pydantic import ValidationError

from arena.protocol import commitment_of
from arena.statistics import Verdict, find
from arena.views.comparisons.certificate import Certificate

MISTAKES_SHOWN = 5
SHOWN = 200  # characters of what was wrong
TOLERANCE = 1e-9
"""Logarithms differ in their last digits from machine to machine."""


class BadCertificate(ValueError):
    """Raised for a text that is not a certificate. The message has one line per mistake."""


def read_certificate(text: str) -> Certificate:
    """Reads a certificate from untrusted text, whose length the caller has bounded.
    Raises BadCertificate."""
    try:
        certificate = Certificate.model_validate_json(text)
    except ValidationError as mistakes:
        lines = [
            f"`{_path(each['loc'])}` is wrong: {each['msg'][:SHOWN]}. Export the comparison again."
            for each in mistakes.errors(include_input=False, include_url=False)[:MISTAKES_SHOWN]
        ]
        raise BadCertificate("\n".join(lines)) from None
    if certificate.to_json() != text:
        raise BadCertificate(
            "The certificate is not in its canonical form: something has been added to it, or"
            " written differently. Export the comparison again."
        )
    return certificate


def recompute(certificate: Certificate) -> list[str]:
    """Returns a sentence for everything in which the certificate contradicts itself; none if every
    figure follows from the plan and the groups. It takes the differences as stated: whether they
    follow from the matches shows only in the records."""
    plan = certificate.plan
    found = []
    if certificate.plan_digest != plan.digest:
        found.append(
            f"`plan_digest` is {certificate.plan_digest}, but the plan's is {plan.digest}: the "
            "plan has been changed after it was published."
        )
    if commitment_of(bytes.fromhex(certificate.secret)).hex() != certificate.commitment:
        found.append("The secret is not the one to which the arena committed.")
    for number, group in enumerate(certificate.groups, start=1):
        if len(group.matches) != len(plan.seatings):
            found.append(
                f"Group {number} names {len(group.matches)} matches; the plan has "
                f"{len(plan.seatings)} a group."
            )
    computed = find(plan.terms, [group.difference for group in certificate.groups])
    if computed.verdict is Verdict.RUNNING:
        found.append("These groups bring no verdict yet, so groups at the end are missing.")
    elif computed.groups < len(certificate.groups):
        found.append(
            f"The verdict came after {computed.groups} groups, but {len(certificate.groups)} are "
            "counted."
        )
    return found + list(_differences(certificate.findings.model_dump(), computed.model_dump()))


def _differences(stated: Any, computed: Any, path: str = "findings") -> Iterator[str]:
    if isinstance(stated, Mapping) and isinstance(computed, Mapping):
        for name in computed:
            yield from _differences(stated[name], computed[name], f"{path}.{name}")
    elif isinstance(stated, tuple) and isinstance(computed, tuple):
        for index, pair in enumerate(zip(stated, computed, strict=True)):
            yield from _differences(*pair, f"{path}[{index}]")
    elif not _same(stated, computed):
        yield f"`{path}` is {stated}, but follows as {computed}."


def _same(stated: Any, computed: Any) -> bool:
    if isinstance(stated, float) and isinstance(computed, float):
        return isclose(stated, computed, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return bool(stated == computed)


def _path(location: tuple[int | str, ...]) -> str:
    return (
        "".join(
            f"[{part}]" if isinstance(part, int) else f".{part[:SHOWN]}" for part in location
        ).lstrip(".")
        or "the text"
    )
