"""What is digested is written alike on every machine."""

from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, strategies as st

from clubs.backup.archive import Value, digest_of, line

TOLD = st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.dates() | st.fractions()


def test_a_line_is_plain_letters_in_the_order_of_telling() -> None:
    told: list[Value] = ["Zoë", 7, Fraction(6, 4), date(2026, 11, 22), None, True]
    assert line(*told) == '["Zo\\u00eb",7,"3/2","2026-11-22",null,true]'


@pytest.mark.parametrize("fickle", [1.5, Decimal("1.50"), datetime(2026, 11, 22, tzinfo=UTC)])
def test_what_databases_round_in_their_own_way_is_refused(fickle: Any) -> None:
    with pytest.raises(TypeError, match="not written alike"):
        line(fickle)


def test_the_digest_is_that_of_the_lines_with_their_ends() -> None:
    of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert digest_of([]) == of_nothing
    assert digest_of(["a", "b"]) != digest_of(["ab"])
    assert digest_of(["a", "b"]) != digest_of(["b", "a"])


@given(st.lists(TOLD, max_size=5), st.lists(TOLD, max_size=5))
def test_two_lines_are_the_same_only_where_the_same_was_told(
    one: list[Value], other: list[Value]
) -> None:
    def told(lot: list[Value]) -> list[tuple[type, str]]:
        return [(type(it), str(it)) for it in lot]

    if any(isinstance(it, date | Fraction) for it in (*one, *other)):
        return  # a date and the text that names it are written alike
    assert (line(*one) == line(*other)) == (told(one) == told(other))
