"""House rules as a form, for what clubs most often change."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Final

from django import forms

from clubs.core.forms import is_unusual
from scoring import BadHouseRules, RuleSet, house
from scoring.rules.declarations import Choice
from scoring.scorebook.editions import rule_set

POINTS, DOUBLES = "points", "doubles"
MOST: Final = {POINTS: 10_000, DOUBLES: 20}
MOST_LIMIT = 1_000_000
LONGEST_NAME = 60
_YES: Final = {True: "Yes", False: "No"}


@dataclass(frozen=True, slots=True)
class NumberLine:
    """A line of the rule book whose numbers house rules can change."""

    kind: Annotated[str, "points or doubles"]
    place: int
    name: str
    worth: Annotated[tuple[int, ...], "one number, or two: exposed and concealed"]

    @property
    def fields(self) -> tuple[str, ...]:
        return tuple(f"{self.kind}_{self.place}_{n}" for n, _ in enumerate(self.worth))

    @property
    def columns(self) -> tuple[str, ...]:
        return ("exposed", "concealed") if len(self.worth) == 2 else ("",)

    def value_in(self, declared: house.HouseRules) -> tuple[int, ...]:
        if self.kind == DOUBLES:
            return (declared.doubles.get(self.name, self.worth[0]),)
        return declared.points.get(self.name, self.worth)[: len(self.worth)]


def lines_of(book: RuleSet) -> list[NumberLine]:
    """Every line of the book that has a number, in the book's order."""
    points: list[tuple[str, tuple[int, ...]]] = [
        (line.name, (line.exposed, line.concealed)) for line in book.set_points
    ]
    if book.bonus_points:
        points.append((book.bonus_points.name, (book.bonus_points.points,)))
    also = [line for hand in book.doubled_hands for line in hand.also]
    points += [(line.name, (line.points,)) for line in (*book.points, *also)]
    doubles = [(line.name, (line.doubles,)) for line in book.set_doubles]
    doubles += [(line.name, (line.doubles,)) for line in book.doubles]
    return [
        NumberLine(kind, place, name, worth)
        for kind, words in ((POINTS, points), (DOUBLES, doubles))
        for place, (name, worth) in enumerate(dict(words).items())
    ]


class HouseRulesForm(forms.Form):
    """What is played otherwise than the book from which the rules in ``begun`` are made.

    The club's own special hands, for which it has no field, go along as they are in ``begun``.
    Valid, it holds the house rules in ``cleaned_data["declared"]``; what cannot be played is said
    at its field.
    """

    name = forms.CharField(
        label="Name of your house rules",
        max_length=LONGEST_NAME,
        help_text="Shown wherever these rules are used.",
        error_messages={
            "required": "Enter a name for your house rules.",
            "max_length": f"Use {LONGEST_NAME} characters or fewer.",
        },
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, data: Any = None, *, begun: house.HouseRules) -> None:
        super().__init__(data)
        self.begun, self.book = begun, rule_set(begun.base)
        self.lines = lines_of(self.book)
        self.fields["name"].initial = begun.name
        in_the_book = "has none" if self.book.limit is None else f"says {self.book.limit:,}"
        field = _number("The limit of a hand", begun.limit, most=MOST_LIMIT, least=1)
        field.required = self.book.limit is not None
        field.help_text = f"The most a hand can score. The rule book {in_the_book}."
        self.fields["limit"] = field
        for point in self.book.choices:
            self.fields[f"choice_{point.name}"] = _choice(point, begun)
        if hands := hands_of(self.book, begun):
            self.initial["without"] = list(begun.without)
            self.fields["without"] = forms.MultipleChoiceField(
                label="Special hands you do not play",
                required=False,
                choices=hands,
                help_text="Tick the special hands your club does not play.",
                widget=forms.CheckboxSelectMultiple,
                error_messages={
                    "invalid_choice": "That hand is not in this rule book. Choose another."
                },
            )
        for line in self.lines:
            self.initial.update(zip(line.fields, line.value_in(begun), strict=True))
            self.fields |= {
                name: _number(f"{line.name}, {which}".strip(", "), worth, most=MOST[line.kind])
                for name, worth, which in zip(line.fields, line.worth, line.columns, strict=True)
            }

    def clean(self) -> dict[str, Any]:
        if self.errors:
            return self.cleaned_data
        # What was typed, as the data of house rules; what is as in the book is left out.
        typed, book = self.cleaned_data, self.book
        limit = {} if typed["limit"] == book.limit else {"limit": typed["limit"]}
        chosen = {name: typed[f"choice_{name}"] for name in book.choice}
        data = limit | {
            "base": book.key,
            "name": typed["name"],
            "choices": {key: value for key, value in chosen.items() if value != book.choice[key]},
            "points": dict(self._changed_numbers(POINTS)),
            "doubles": dict(self._changed_numbers(DOUBLES)),
            "without": typed.get("without", []),
            "specials": [hand.as_data() for hand in self.begun.specials],
        }
        try:
            self.cleaned_data["declared"] = house.read_house_rules(data)
        except BadHouseRules as bad:
            for problem in bad.problems:
                # Beside the field that is wrong; None for the form as a whole.
                where = problem.where if problem.where in self.fields else None
                self.add_error(where, problem.sentence)
        return self.cleaned_data

    def _changed_numbers(self, kind: str) -> Iterator[tuple[str, int | list[int]]]:
        for line in self.lines:
            typed = tuple(self.cleaned_data[name] for name in line.fields)
            if line.kind == kind and typed != line.worth:
                yield line.name, typed[0] if len(typed) == 1 else list(typed)

    @property
    def open_points(self) -> list[forms.BoundField]:
        return [self[f"choice_{name}"] for name in self.book.choice]

    @property
    def points(self) -> list[tuple[str, list[forms.BoundField]]]:
        return self._fields_of(POINTS)

    @property
    def doubles(self) -> list[tuple[str, list[forms.BoundField]]]:
        return self._fields_of(DOUBLES)

    def _fields_of(self, kind: str) -> list[tuple[str, list[forms.BoundField]]]:
        lines = [line for line in self.lines if line.kind == kind]
        return [(line.name, [self[name] for name in line.fields]) for line in lines]

    @property
    def leaves_out_hands(self) -> bool:
        return is_unusual([self["without"]])

    @property
    def has_other_numbers(self) -> bool:
        return is_unusual(self[name] for line in self.lines for name in line.fields)


def hands_of(book: RuleSet, begun: house.HouseRules) -> list[tuple[str, str]]:
    """The special hands that can be left out, by key; without those that are open points."""
    hands = [(hand.key, hand.name) for hand in book.doubled_hands]
    hands += [(hand.key, hand.name) for hand in book.specials]
    return [hand for hand in hands if hand[0] not in book.choice or hand[0] in begun.without]


def _number(label: str, value: int | None, *, most: int, least: int = 0) -> forms.IntegerField:
    sentence = f"Enter a whole number from {least} to {most:,}."
    return forms.IntegerField(
        label=label,
        initial=value,
        min_value=least,
        max_value=most,
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), sentence),
        widget=forms.NumberInput(attrs={"class": "input input--short", "inputmode": "numeric"}),
    )


def _choice(point: Choice, begun: house.HouseRules) -> forms.Field:
    value = begun.choices.get(point.name, point.value)
    if not isinstance(point.value, bool):
        field = _number(point.words, value, least=1, most=point.value)
        field.help_text = f"The rule book says {point.value}."
        return field
    answers = _YES | {point.value: f"{_YES[point.value]}, as in the rule book"}
    return forms.TypedChoiceField(
        label=point.words,
        initial=str(value),
        choices=[(str(value), words) for value, words in answers.items()],
        coerce=lambda typed: typed == str(True),
        widget=forms.RadioSelect,
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose yes or no."),
    )
