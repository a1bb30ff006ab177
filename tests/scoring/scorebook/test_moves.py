"""A book that moves: the keys that its links seal lead to the rows of today, however often."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from scoring.scorebook.moves import Moves

SOME = st.sets(st.integers(1, 60), max_size=30)
KEYS = st.builds(lambda *sides: dict(zip(*map(sorted, sides), strict=False)), SOME, SOME)
TABLES = st.dictionaries(st.sampled_from(["hand", "seat", "game"]), KEYS, max_size=3)


@st.composite
def moves(draw: st.DrawFn) -> Moves:
    lasts = sorted(draw(st.sets(st.integers(1, 99), max_size=3)))
    return Moves(tuple((last, draw(TABLES)) for last in lasts))


@given(moves())
def test_what_is_stored_is_read_as_it_was(book: Moves) -> None:
    assert Moves.read(book.as_data()) == book


@given(moves(), st.permutations(range(1, 61)))
def test_two_moves_are_as_one(book: Moves, new: list[int]) -> None:
    new_keys = dict(enumerate(new, 1))
    old_keys = {key: old for old, key in new_keys.items()}
    tables = ("hand", "seat", "game")
    moved_book = book.with_keys(dict.fromkeys(tables, new_keys))
    assert moved_book.with_keys(dict.fromkeys(tables, old_keys)) == book


@pytest.mark.parametrize(
    "data",
    [
        {},
        "",
        [[0, {}]],
        [[2, {}], [2, {}]],
        [[2, {"seat": [[1, 12, 1], [2, 11, 1]]}]],
        [[2, {"seat": [[1, 11, 1], [2, 11, 1]]}]],
        [[2, {"seat": [[1, 11, 1], [2, 12, 1]]}]],
        [[2, {"seat": [[2, 12, 1], [1, 11, 1]]}]],
        [[2, {"seat": [[1, 11, 0]]}]],
        [[2, {"seat": [[1, 11, 10**15]]}]],
        [[True, {"seat": [["1", 11, 1]]}]],
    ],
)
def test_what_no_move_writes_is_not_read(data: Any) -> None:
    """Two seats that were swapped, too: their points would change hands."""
    with pytest.raises((ValueError, TypeError)):
        Moves.read(data)


def test_neighbours_are_stored_as_one_run() -> None:
    keys = {"hand": {901: 1, 902: 2, 903: 3, 950: 4}}
    assert Moves(((40, keys),)).as_data() == [[40, {"hand": [[901, 1, 3], [950, 4, 1]]}]]


def sealed_content(hand: int) -> dict[str, Any]:
    row = {"id": hand, "game_id": 5, "replaces_id": None, "number": 1}
    return {"book": 2, "about": {"hand": hand}, "rows": {"hand": [row]}}


def test_a_link_of_before_means_the_rows_of_today() -> None:
    book = Moves(((2, {"book": {2: 20}, "game": {5: 50}, "hand": {7: 70}}),))
    moved_row = {"id": 70, "game_id": 50, "replaces_id": None, "number": 1}
    assert book.present(2, sealed_content(7)) == {
        "book": 20,
        "about": {"hand": 70},
        "rows": {"hand": [moved_row]},
    }


def test_a_link_of_today_is_as_it_is() -> None:
    assert Moves(((2, {"hand": {7: 70}}),)).present(3, sealed_content(7)) == sealed_content(7)


def test_a_key_that_came_along_with_nothing_means_no_row() -> None:
    content = Moves(((2, {}),)).present(1, sealed_content(7))
    assert (content["book"], content["rows"]["hand"][0]["id"]) == (-2, -7)


def test_a_stretch_without_links_is_not_stored() -> None:
    assert Moves().with_stretch(0, {"hand": {1: 1}}) == Moves()
