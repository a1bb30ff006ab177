"""What special hands of the book are worth instead, as fields of the form of house rules."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError

from clubs.house.forms.house_questions import MOST_DOUBLES, MOST_LIMIT, Questions, number_field
from clubs.language.words import whole_number
from scoring import RuleSet, house
from scoring.house.declared import plain_value
from scoring.house.effects import depends_on_ending
from scoring.rules.declarations import Share, Value

SHARE_OF_LIMIT: Final = re.compile(r"(\d{1,3})\s*/\s*(\d{1,3})", re.ASCII)
BAD_WORTH_MESSAGE: Final = (
    f"Enter a whole number up to {MOST_LIMIT:,}, or a share of the limit like 1/2."
)
NO_WORTH: Final = 0


class WorthField(forms.CharField):
    """Points, or a share of the limit such as 1/2; empty: as in the book."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value) or ""
        share = SHARE_OF_LIMIT.fullmatch(text)
        if share:
            return {"share": [int(share[1]), int(share[2])]}
        plain = text.replace(",", "")
        worth = whole_number(plain, most=MOST_LIMIT)
        if plain and worth is None:
            raise ValidationError(BAD_WORTH_MESSAGE)
        return worth

    def validate(self, value: Any) -> None:
        """Empty is as in the book."""


@dataclass(frozen=True, slots=True)
class WorthLine:
    """A special hand of the book with the fields of its value, and what the book says."""

    key: str
    name: str
    in_the_book: str
    fields: tuple[str, ...]


class WorthQuestions(Questions):
    """The values of special hands, and the doubles of a hand whose own points are doubled."""

    def __init__(self, book: RuleSet, starting_rules: house.HouseRules) -> None:
        super().__init__()
        self.book = book
        self.values: dict[str, Value | None] = {}
        self.lines: list[WorthLine] = []
        for hand in book.doubled_hands:
            name = f"value_{hand.key}_doubles"
            field = number_field(f"{hand.name}, doubles", None, most=MOST_DOUBLES, least=1)
            field.required = False
            self.fields[name] = field
            self.starting_answers[name] = starting_rules.values.get(hand.key, {}).get("doubles")
            self.places[f"values.{hand.key}"] = name
            self.places[f"values.{hand.key}.doubles"] = name
            says = f"The rule book says {hand.doubles}."
            self.lines.append(WorthLine(hand.key, hand.name, says, (name,)))
        scores = book.losers_score or starting_rules.rules.losers_score
        for special in book.specials:
            worths: dict[str, Value | None] = {"won": special.value}
            is_fished = scores and not book.adding and not depends_on_ending(special.when)
            starting_values = starting_rules.values.get(special.key, {})
            if is_fished or special.fishing or "fishing" in starting_values:
                worths["fishing"] = special.fishing
            self._add(special.key, special.name, worths, starting_values)

    def _add(
        self,
        key: str,
        name: str,
        worths: Mapping[str, Value | None],
        starting_values: Mapping[str, Any],
    ) -> None:
        names = {value_key: f"value_{key}_{value_key}" for value_key in worths}
        for value_key, field_name in names.items():
            which = "Mah-Jong" if value_key == "won" else "one tile short"
            self.fields[field_name] = WorthField(
                label=f"{name}, {which}",
                required=False,
                widget=forms.TextInput(
                    attrs={"class": "input input--short", "autocomplete": "off"}
                ),
            )
            self.starting_answers[field_name] = (
                _worth_text(starting_values[value_key]) if value_key in starting_values else None
            )
            self.places[f"values.{key}.{value_key}"] = field_name
        self.places[f"values.{key}"] = names["won"]
        self.values |= {names[value_key]: worth for value_key, worth in worths.items()}
        says = [self._worth_text(worths["won"])]
        says += (
            [f"one tile short {self._worth_text(worths['fishing'])}"] if "fishing" in worths else []
        )
        line = WorthLine(key, name, f"The rule book says {'; '.join(says)}.", (*names.values(),))
        self.lines.append(line)

    def _worth_text(self, worth: Value | None) -> str:
        if worth is None:
            return "nothing"
        points = f"{worth.points(self.book.limit):,}"
        if not isinstance(worth, Share):
            return points
        is_part = worth.part != worth.of
        return f"{points} ({_worth_text(worth)} of the limit)" if is_part else "the limit"

    def data(self, cleaned_data: Mapping[str, Any]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for line in self.lines:
            for name in line.fields:
                if (answer := cleaned_data[name]) is not None and answer != self._in_the_book(
                    name, cleaned_data
                ):
                    value_key = name.rpartition("_")[2]
                    is_nothing = value_key == "fishing" and answer == NO_WORTH
                    values.setdefault(line.key, {})[value_key] = None if is_nothing else answer
        return {"values": values} if values else {}

    def _in_the_book(self, name: str, cleaned_data: Mapping[str, Any]) -> object:
        """What of the book the answer would only repeat: a share, or its points."""
        if name not in self.values:
            key = name.removeprefix("value_").removesuffix("_doubles")
            return next(hand.doubles for hand in self.book.doubled_hands if hand.key == key)
        worth = self.values[name]
        if worth is None:
            return NO_WORTH
        if isinstance(cleaned_data[name], dict) or cleaned_data["limit"] is None:
            return plain_value(worth)
        return worth.points(cleaned_data["limit"])

    def rows(self, form: forms.Form) -> Iterator[tuple[WorthLine, list[forms.BoundField]]]:
        """Each hand with the fields of its value."""
        for line in self.lines:
            yield line, [form[name] for name in line.fields]


def _worth_text(worth: Value | None) -> str:
    if isinstance(worth, Share):
        return f"{worth.part}/{worth.of}"
    return str(NO_WORTH if worth is None else worth.value)
