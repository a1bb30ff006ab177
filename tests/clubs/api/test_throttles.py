"""How often someone asked is counted under a key, for so many seconds."""

from time import sleep

from clubs.api.callers import counted


def test_each_time_is_counted_under_its_own_key() -> None:
    assert [counted(key, 60) for key in ("south", "north", "south", "south")] == [1, 1, 2, 3]


def test_a_count_begins_anew_when_its_time_is_over() -> None:
    assert [counted("east", 1), counted("east", 1)] == [1, 2]
    sleep(1.1)
    assert counted("east", 1) == 1
