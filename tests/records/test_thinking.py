"""The times of a seat's own decisions: those that its bot answered itself, and no others."""

from arena.records import Thinking, bounds_of, bucket_of
from arena.records.thinking import thinking


def test_each_bucket_is_twice_as_wide_as_the_one_before() -> None:
    assert [bucket_of(time) for time in (0, 1, 2, 3, 4, 7, 8, 1000)] == [0, 1, 2, 2, 3, 3, 4, 10]
    for bucket in range(20):
        least, most = bounds_of(bucket)
        assert {bucket_of(least), bucket_of(most)} == {bucket}
        assert bounds_of(bucket + 1)[0] == most + 1


def test_times_are_summed_up() -> None:
    assert thinking([]) == Thinking()
    found = thinking([0, 5, 4, 0, 900])
    assert (found.counts, found.decisions) == ((2, 0, 0, 2, 0, 0, 0, 0, 0, 0, 1), 5)
    assert (found.total_ms, found.slowest_ms) == (909, 900)
