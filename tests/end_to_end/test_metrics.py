"""The metrics of an arena that plays, and the dashboard and alerts that name them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.request import urlopen

import pytest
import yaml
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from tests.support.command_line import ran
from tests.support.patience import PATIENCE_S, until
from tests.support.whole_arena.arena import WholeArena
from tests.support.whole_arena.strangers import token_of

pytestmark = pytest.mark.slow

MONITORING = Path(__file__).parents[2] / "deploy" / "monitoring"
NAME = re.compile(r"\b(?:sevens|process)_[a-z_]+\b")
PARTS = re.compile(r"_(?:bucket|count|sum|total|created)$")
DOCUMENTED = re.compile(r"^\| `((?:sevens)_[a-z_]+)`", re.MULTILINE)


def metrics_of(origin: str) -> dict[str, Metric]:
    with urlopen(f"{origin}/metrics", timeout=PATIENCE_S) as answer:
        families = text_string_to_metric_families(answer.read().decode())
        return {family.name: family for family in families}


def total(metric: Metric, suffix: str, **labels: str) -> float:
    return sum(
        sample.value
        for sample in metric.samples
        if sample.name.endswith(suffix) and labels.items() <= sample.labels.items()
    )


def named() -> set[str]:
    """Returns the metrics that the dashboard, the alerts and the documents name."""
    board = json.loads((MONITORING / "dashboard.json").read_text())
    expressions = [one["expr"] for panel in board["panels"] for one in panel["targets"]]
    alerts = yaml.safe_load((MONITORING / "alerts.yaml").read_text())
    expressions += [rule["expr"] for group in alerts["groups"] for rule in group["rules"]]
    documents = MONITORING.parents[1] / "docs" / "running.md"
    names = {name for one in expressions for name in NAME.findall(one)}
    return {PARTS.sub("", name) for name in (*names, *DOCUMENTED.findall(documents.read_text()))}


def test_every_metric_that_is_named_exists_and_counts(tmp_path: Path) -> None:
    with WholeArena(tmp_path) as arena:
        arena.create()
        backups = ("--backup", "1d", "--backup-to", str(tmp_path / "backups"))
        server = arena.server("--log-format", "json", *backups)
        origin = server.pages()
        until(lambda: total(metrics_of(origin)["sevens_matches"], "_total") >= 3, "three matches")
        until(lambda: metrics_of(origin)["sevens_workers"].samples[0].value == 1, "a worker calls")
        found = metrics_of(origin)
        assert named() - found.keys() == set()
        ours = {name for name in found if name.startswith("sevens_")}
        assert ours - named() == set(), "in no dashboard, alert or document"
        assert found["sevens_up"].samples[0].value == 1
        assert total(found["sevens_matches"], "_total", game="xeri", outcome="clean") >= 3
        decisions = found["sevens_decision_seconds"]
        assert total(decisions, "_count", game="xeri") == total(decisions, "_bucket", le="+Inf") > 0
        assert total(found["sevens_recording_delay_seconds"], "_count") >= 3
        assert total(found["sevens_event_loop_lag_seconds"], "_count") > 0
        assert found["sevens_disk_free_bytes"].samples[0].value > 0
        token = token_of(arena, "Org", "organiser")
        seen = ran("top", "--json", server=origin, token=token).json
        assert (seen["trouble"], len(seen["workers"])) == ("", 1)
        assert seen["competitions"][0]["matches"] >= 3
        server.stop()
        # What the server says, its workers pass on.
        lines = (arena.data / "logs" / "worker-1.log").read_text().splitlines()
        done = [line for line in map(json.loads, lines) if line["message"].endswith(": done")]
        assert len(done) >= 3
        assert {(line["competition"], line["game"]) for line in done} == {("main", "xeri")}
        assert all(line["worker"] and line["bots"] for line in done)
