"""What holds for every page: nobody is kept out, and nothing hangs over the edge."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.support.chromium import DESKTOP, PHONE

SIZES = {"desktop": DESKTOP, "phone": PHONE}
SCHEMES = ("light", "dark")
SOON = {("light", "desktop"), ("dark", "phone")}
"""Between them every size and scheme is seen; the others are seen at night."""
in_every_look = pytest.mark.parametrize(
    ("scheme", "size"),
    [
        pytest.param(scheme, size, marks=[] if (scheme, size) in SOON else [pytest.mark.nightly])
        for scheme in SCHEMES
        for size in SIZES
    ],
)
SERIOUS = ("serious", "critical")
FITS = "() => document.documentElement.scrollWidth <= document.documentElement.clientWidth"


def assert_faultless(page: Page, axe: str) -> None:
    """`axe`: the source of axe-core, which finds what keeps people out."""
    faults = _serious_faults(page, axe)
    assert not faults, f"{page.url}: " + "\n".join(faults)
    await_fit(page)


def await_fit(page: Page) -> None:
    """Waits until nothing reaches beyond the window's edge: cards may still be on their way."""
    page.wait_for_function(FITS)


def _serious_faults(page: Page, axe: str) -> list[str]:
    page.evaluate(axe)  # not add_script_tag, which the content security policy forbids
    found = page.evaluate("() => axe.run().then((result) => result.violations)")
    return [
        f"{one['id']}: {node['html'][:200]}"
        for one in found
        if one["impact"] in SERIOUS
        for node in one["nodes"]
    ]
