"""Schemas made from frozen rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, NamedTuple

import pytest
from rest_framework import serializers

from clubs.api.rows import SerializerField, serializer_of
from clubs.models import Player, PlayerKind


class Mood(StrEnum):
    """How the day went."""

    GOOD = "good"


class Seat(NamedTuple):
    """A seat."""

    key: int
    wind: str | None


@dataclass(frozen=True, slots=True)
class Day:
    """A day of play.

    Nobody but us reads this.
    """

    pk: int
    held_on: date
    mood: Mood
    kind: PlayerKind
    seats: Annotated[tuple[Seat, ...], "East first"]
    first: Seat | None
    tiles: tuple[tuple[str, ...], ...]
    scores: Mapping[int, int | None]
    shapeless: object = None

    @property
    def share(self) -> Annotated[Fraction | None, "of all points"]:
        return Fraction(1, 3)


class Kept:
    """A row that counts once."""

    @cached_property
    def total(self) -> int:
        return 3


SeatSerializer = serializer_of("SeatSerializer", Seat, "key wind")
DaySerializer = serializer_of(
    "DaySerializer",
    Day,
    "share id=pk day=held_on mood kind seats first.wind first tiles scores extra",
    seats=SeatSerializer,
    first=SeatSerializer,
    mood="in a word",
    extra=serializers.IntegerField(source="pk", help_text="once more"),
)
DAY = Day(
    7, date(2026, 11, 17), Mood.GOOD, PlayerKind.GUEST, (Seat(1, "E"),), None, (("b1",),), {1: None}
)


def test_fields_stand_in_the_order_in_which_they_are_listed() -> None:
    names = "share id day mood kind seats wind first tiles scores extra"
    assert list(DaySerializer().fields) == names.split()


def test_the_component_is_called_and_described_as_the_row() -> None:
    assert (DaySerializer.__name__, DaySerializer.__doc__) == ("DaySerializer", "A day of play.")
    assert serializer_of("SeatSerializer", Seat, "key", "A chair.").__doc__ == "A chair."


def test_values_are_written_as_the_annotations_say() -> None:
    assert dict(DaySerializer(DAY).data) == {
        "share": "1/3",
        "id": 7,
        "day": "2026-11-17",
        "mood": "good",
        "kind": PlayerKind.GUEST.value,
        "seats": [{"key": 1, "wind": "E"}],
        "wind": None,
        "first": None,
        "tiles": [["b1"]],
        "scores": {"1": None},
        "extra": 7,
    }


@pytest.mark.parametrize(
    ("name", "help_text", "allow_null"),
    [
        ("share", "of all points", True),
        ("seats", "East first", False),
        ("mood", "in a word", False),
        ("extra", "once more", False),
        ("wind", None, True),
        ("first", None, True),
    ],
)
def test_none_and_help_texts_stand_in_the_row(
    name: str, help_text: str | None, allow_null: bool
) -> None:
    field = DaySerializer().fields[name]
    assert (field.help_text, field.allow_null) == (help_text, allow_null)


def test_a_property_that_is_kept_is_a_field() -> None:
    assert serializer_of("KeptSerializer", Kept, "total")(Kept()).data == {"total": 3}


def test_a_model_says_what_its_fields_are() -> None:
    fields = serializer_of(
        "PlayerSerializer", Player, "id=pk name club_id club.slug erased_on"
    )().fields
    assert {name: (type(field), field.allow_null) for name, field in fields.items()} == {
        "id": (serializers.BigIntegerField, False),
        "name": (serializers.CharField, False),
        "club_id": (serializers.BigIntegerField, False),
        "slug": (serializers.SlugField, False),
        "erased_on": (serializers.DateField, True),
    }


@pytest.mark.parametrize(
    ("names", "extra_fields", "message"),
    [
        ("pk place", {}, "BadSerializer.place: Day has no annotated field 'place'."),
        ("first.east", {}, "BadSerializer.east: Seat has no annotated field 'east'."),
        ("shapeless", {}, "BadSerializer.shapeless: <class 'object'> has no field of its own"),
        ("first", {}, "has no field of its own; give one by keyword."),
        ("pk", {"mood": "in a word"}, "BadSerializer does not list mood."),
    ],
)
def test_what_a_row_cannot_give_is_refused(
    names: str, extra_fields: dict[str, SerializerField | str], message: str
) -> None:
    with pytest.raises(TypeError) as error:
        serializer_of("BadSerializer", Day, names, **extra_fields)
    assert message in str(error.value)


def test_a_new_field_of_a_row_is_not_published() -> None:
    shape: Any = serializer_of("PkSerializer", Day, "pk")
    assert list(shape(DAY).data) == ["pk"]
