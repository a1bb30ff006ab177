"""Texts with fields: merged and taken apart again, faults in words, blocks and tables."""

import pytest
from hypothesis import given, strategies as st

from clubs.messages.message_kinds import blocks, faults, merged, unmerged

VALUES = {"name": "Ann", "answer link": "https://club.example/come/x/"}


def test_each_reader_has_their_own_words() -> None:
    assert merged("Dear { Name }, {answer  link}", VALUES) == (
        "Dear Ann, https://club.example/come/x/"
    )


def test_an_empty_field_leaves_no_gap() -> None:
    assert merged("Dear {name},\n\n{place}\n\nBye", {"name": "Ann", "place": ""}) == (
        "Dear Ann,\n\nBye"
    )


def test_taken_apart_a_text_has_its_fields_again() -> None:
    text = "Dear Ann, Annual fees: https://club.example/come/x/"
    assert unmerged(text, VALUES) == "Dear {name}, Annual fees: {answer link}"


@given(text=st.text(st.sampled_from("An {},\n"), max_size=40).filter(lambda text: "{" not in text))
def test_taken_apart_and_merged_again_the_words_are_the_same(text: str) -> None:
    assert merged(unmerged(text, VALUES), VALUES) == merged(text, VALUES)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Dear {name},", []),
        ("Dear {nmae},", ["There is no {nmae} here. You can use {name}."]),
        (
            "Dear {name,",
            ["There is a single { or }. Curly brackets come in pairs, for example {name}."],
        ),
    ],
)
def test_a_wrong_field_is_said_in_a_sentence(text: str, said: list[str]) -> None:
    assert faults(text, ["name"]) == said


def test_rows_of_three_columns_are_a_table() -> None:
    words, table, one = blocks("Dear Ann,\nhello\n\n   1  Ben Lee     +240\n   2  Ann   −64\n\nBye")
    assert (words.lines, words.rows) == (("Dear Ann,", "hello"), ())
    assert table.rows == (("1", "Ben Lee", "+240"), ("2", "Ann", "−64"))
    assert one.lines == ("Bye",)


def test_an_address_can_be_pressed() -> None:
    (block,) = blocks("Here: https://club.example/x/ please")
    assert block.parts == [
        [("Here: ", False), ("https://club.example/x/", True), (" please", False)]
    ]
