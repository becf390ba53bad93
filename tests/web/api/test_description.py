"""Whatever is asked of the API, it answers as its description says."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

pytestmark = pytest.mark.slow

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
REAL = {"name": "main", "ladder": "main", "bot": "random", "game": "xeri", "owner": "local"}
"""Names that there are, so that not every answer is that there is no such thing."""


def test_every_answer_is_as_described(site: str, request: pytest.FixtureRequest) -> None:
    schema = schemathesis.openapi.from_url(f"{site}/api/openapi.json")
    # Streams do not end; tests/web/api/test_event_streams.py has them. Joining needs no token, but
    # an arena that runs; tests/operations/test_invitations.py has it.
    ending = schema.exclude(path_regex="/(events|join)$")
    operations = [found.ok() for found in ending.get_all_operations()]
    assert len(operations) > 20
    for operation in operations:

        @seed(request.config.option.seed)
        @settings(
            max_examples=12,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy())
        def ask(case: Any) -> None:
            case.call_and_validate(checks=CHECKS)
            case.path_parameters = {
                name: REAL.get(name, value) for name, value in (case.path_parameters or {}).items()
            }
            case.call_and_validate(checks=CHECKS)

        ask()
