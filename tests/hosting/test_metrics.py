"""Metrics of what was recorded, without an arena."""

from __future__ import annotations

from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from arena.hosting.metrics import Metrics


def samples(metrics: Metrics) -> dict[tuple[str, ...], float]:
    families = text_string_to_metric_families(metrics.exposition(None, {}).decode())
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
    }


def test_times_of_decisions_are_below_the_bound_of_their_bucket(tmp_path: Path) -> None:
    metrics = Metrics(tmp_path)
    # As `arena.records.Thinking` counts them: two below 1 ms, one of 2 or 3 ms; one beyond all.
    metrics._decisions.add("xeri", (2, 0, 1), 3)
    metrics._decisions.add("xeri", (*(0,) * 30, 1), 600_000_000)
    found = samples(metrics)
    name = "sevens_decision_seconds_bucket"
    assert [found[name, "xeri", le] for le in ("0.001", "0.002", "0.004")] == [2, 2, 3]
    assert [found[name, "xeri", le] for le in ("2097.152", "+Inf")] == [3, 4]
    assert found["sevens_decision_seconds_sum", "xeri"] == 600_000.003


def test_the_time_of_the_latest_backup_is_that_of_its_name(tmp_path: Path) -> None:
    name = "sevens_backup_timestamp_seconds"
    assert (name,) not in samples(Metrics(tmp_path))
    metrics = Metrics(tmp_path, tmp_path / "backups")
    assert samples(metrics)[(name,)] == 0
    for made in ("20260707T070000Z", "20260101T000000Z"):
        (tmp_path / "backups" / made).mkdir(parents=True)
    assert samples(metrics)[(name,)] == 1_783_407_600


def test_a_queue_without_an_answer_is_down(tmp_path: Path) -> None:
    found = samples(Metrics(tmp_path))
    assert found[("sevens_queue_up",)] == 0
    assert found[("sevens_disk_free_bytes",)] > 0
