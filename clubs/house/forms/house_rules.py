"""House rules as a form, for what clubs most often change."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Annotated, Any, Final

from django import forms

from clubs.core.forms import is_unusual
from clubs.house.forms.house_lines import (
    DOUBLES,
    LONGEST_NAME,
    MAX_WORTH,
    MORE_FIELD,
    POINTS,
    OwnLines,
    OwnRow,
    count_lines,
)
from clubs.house.forms.house_questions import (
    LIMIT_LABELS,
    MOST_LIMIT,
    MOST_TIMES,
    PAYS_ALONE,
    PAYS_TIMES,
    LimitQuestions,
    Questions,
    deal_questions,
    mahjong_questions,
    number_field,
    payment_questions,
    special_hand_questions,
    yes_or_no_field,
)
from clubs.house.forms.house_values import WorthLine, WorthQuestions
from scoring import BadHouseRules, RuleSet, house
from scoring.rules.declarations import Choice
from scoring.scorebook.editions import rule_set

SECTIONS: Final = {
    "choices": "Points the rule book leaves open",
    "limits": "Which hands have the limit",
    "mahjong": "A Mah-Jong",
    "payments": "Scoring and paying",
    "passing": "The deal and the winds",
    "hands": "Special hands",
    "numbers": "Points and doubles",
    "lines": "Your own lines",
}


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

    def value_in(self, declared_rules: house.HouseRules) -> tuple[int, ...]:
        if self.kind == DOUBLES:
            return (declared_rules.doubles.get(self.name, self.worth[0]),)
        return declared_rules.points.get(self.name, self.worth)[: len(self.worth)]


def number_lines_of(book: RuleSet) -> list[NumberLine]:
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
        for kind, named_worths in ((POINTS, points), (DOUBLES, doubles))
        for place, (name, worth) in enumerate(dict(named_worths).items())
    ]


@dataclass(frozen=True, slots=True)
class FormSection:
    """A part of the form that is folded away while it is as in the book."""

    key: str
    title: str
    fields: tuple[forms.BoundField, ...]

    @property
    def is_unusual(self) -> bool:
        return is_unusual(self.fields)


class HouseRulesForm(forms.Form):
    """What is played otherwise than the book from which the rules in ``starting_rules`` are made.

    The club's own special hands, for which it has no field, go along as they are in
    ``starting_rules``. Valid, it holds the house rules in ``cleaned_data["declared"]``; what cannot
    be played is said at its field. Data with ``more`` in it asks for another line: it is shown, and
    not judged.
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

    def __init__(self, data: Any = None, *, starting_rules: house.HouseRules) -> None:
        asks_for_more = data is not None and MORE_FIELD in data
        self.open_section: Annotated[str, "a section to show though it is as in the book"]
        self.open_section = "lines" if asks_for_more else ""
        super().__init__(None if asks_for_more else data)
        self.starting_rules, self.book = starting_rules, rule_set(starting_rules.base)
        self.lines = number_lines_of(self.book)
        self.fields["name"].initial = starting_rules.name
        self._add_limit_and_open_points()
        self.values, self.own_lines = self._add_questions(count_lines(data) + asks_for_more)
        if hands := removable_hands(self.book, starting_rules):
            self.initial["without"] = list(starting_rules.without)
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
            self.initial.update(zip(line.fields, line.value_in(starting_rules), strict=True))
            self.fields |= {
                name: number_field(
                    f"{line.name}, {which}".strip(", "), worth, most=MAX_WORTH[line.kind]
                )
                for name, worth, which in zip(line.fields, line.worth, line.columns, strict=True)
            }
        if asks_for_more:
            for name, field in self.fields.items():
                self.initial[name] = field.widget.value_from_datadict(data, {}, name)

    def _add_limit_and_open_points(self) -> None:
        in_the_book = "has none" if self.book.limit is None else f"says {self.book.limit:,}"
        field = number_field("The limit of a hand", self.book.limit, most=MOST_LIMIT, least=1)
        field.required = None not in {self.book.limit, self.starting_rules.limit}
        field.help_text = f"The most a hand can score. The rule book {in_the_book}."
        self.fields["limit"] = field
        self.initial["limit"] = self.starting_rules.limit
        for point in self.book.choices:
            self.fields[f"choice_{point.name}"] = _open_point_field(point)
            self.initial[f"choice_{point.name}"] = self.starting_rules.choices.get(
                point.name, point.value
            )

    def _add_questions(self, lines: int) -> tuple[WorthQuestions, OwnLines]:
        book, starting_rules = self.book, self.starting_rules
        values = WorthQuestions(book, starting_rules)
        own_lines = OwnLines(book, starting_rules, lines)
        self.questions: dict[str, list[Questions]] = {
            "limits": [] if book.adding else [LimitQuestions(book, starting_rules)],
            "mahjong": mahjong_questions(book, starting_rules),
            "payments": payment_questions(book, starting_rules),
            "passing": deal_questions(book, starting_rules),
            "hands": [special_hand_questions(book, starting_rules), values],
            "lines": [own_lines],
        }
        for questions in chain.from_iterable(self.questions.values()):
            self.fields.update(questions.fields)
            self.initial.update(questions.starting_answers)
        return values, own_lines

    def clean(self) -> dict[str, Any]:
        self._check_answers()
        if self.errors:
            return self.cleaned_data
        try:
            self.cleaned_data["declared"] = house.read_house_rules(self._data())
        except BadHouseRules as bad:
            for problem in bad.problems:
                # Beside the field that is wrong; None for the form as a whole.
                self.add_error(self._field_at(problem.path), problem.message)
        return self.cleaned_data

    def _check_answers(self) -> None:
        """What the data could not even say: an answer that is missing, or two that differ."""
        cleaned_data = self.cleaned_data
        for name, message in list(self.own_lines.faults(cleaned_data)):
            self.add_error(name, message)
        is_missing = "discarder_times" in cleaned_data and not cleaned_data["discarder_times"]
        if cleaned_data.get("discarder") in {PAYS_ALONE, PAYS_TIMES} and is_missing:
            self.add_error("discarder_times", f"Enter a whole number from 1 to {MOST_TIMES}.")

    def _data(self) -> dict[str, Any]:
        """What was typed, as the data of house rules; what is as in the book is left out."""
        cleaned_data, book = self.cleaned_data, self.book
        limit = {} if cleaned_data["limit"] == book.limit else {"limit": cleaned_data["limit"]}
        choices = {name: cleaned_data[f"choice_{name}"] for name in book.choice}
        data = limit | {
            "base": book.key,
            "name": cleaned_data["name"],
            "choices": {key: value for key, value in choices.items() if value != book.choice[key]},
            "points": dict(self._changed_numbers(POINTS)),
            "doubles": dict(self._changed_numbers(DOUBLES)),
            "without": cleaned_data.get("without", []),
            "specials": [hand.as_data() for hand in self.starting_rules.specials],
        }
        for questions in chain.from_iterable(self.questions.values()):
            for name, answer in questions.data(cleaned_data).items():
                # Where nobody pays, nothing else is said of paying.
                if data.get(name, {}) is not None:
                    can_merge = isinstance(answer, dict) and name in data
                    data[name] = {**data[name], **answer} if can_merge else answer
        return data

    def _changed_numbers(self, kind: str) -> Iterator[tuple[str, int | list[int]]]:
        for line in self.lines:
            numbers = tuple(self.cleaned_data[name] for name in line.fields)
            if line.kind == kind and numbers != line.worth:
                yield line.name, numbers[0] if len(numbers) == 1 else list(numbers)

    def _field_at(self, path: str) -> str | None:
        """The field of a path of the data, or of what it stands in."""
        places = {name: name for name in ("name", "limit", "without")}
        places |= {f"choices.{name}": f"choice_{name}" for name in self.book.choice}
        for line in self.lines:
            places |= {f"{line.kind}.{line.name}": line.fields[0]}
            places |= {f"{line.kind}.{line.name}.{n}": field for n, field in enumerate(line.fields)}
        for questions in chain.from_iterable(self.questions.values()):
            places |= questions.places
        while path and path not in places:
            path = path.rpartition(".")[0]
        return places.get(path)

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
    def least(self) -> list[tuple[str, list[forms.BoundField]]]:
        """What a Mah-Jong must reach, and the same with two players."""
        titles = {
            "minimum": "Minimum for a Mah-Jong",
            "minimum_with_two": "The least with two players",
        }
        names = {bound: [f"{bound}_{unit}" for unit in (DOUBLES, POINTS)] for bound in titles}
        present_names = {
            bound: [name for name in names[bound] if name in self.fields] for bound in names
        }
        return [
            (titles[bound], [self[name] for name in present_names[bound]])
            for bound in present_names
            if present_names[bound]
        ]

    @property
    def limit_fields(self) -> list[forms.BoundField]:
        return [self[f"limits_{limit_name}"] for limit_name in LIMIT_LABELS]

    @property
    def discarder_fields(self) -> list[forms.BoundField]:
        return [self["discarder_times"]]

    @property
    def worths(self) -> list[tuple[WorthLine, list[forms.BoundField]]]:
        return list(self.values.rows(self))

    @property
    def rows(self) -> list[OwnRow]:
        return list(self.own_lines.rows(self))

    @property
    def sections(self) -> list[FormSection]:
        """The parts that are folded away while they are as in the book."""
        fields = {
            key: [name for questions in group for name in questions.fields]
            for key, group in self.questions.items()
        }
        fields["hands"] += ["without"] if "without" in self.fields else []
        fields["choices"] = [f"choice_{name}" for name in self.book.choice]
        fields["numbers"] = [name for line in self.lines for name in line.fields]
        return [
            FormSection(key, title, tuple(self[name] for name in fields[key]))
            for key, title in SECTIONS.items()
            if fields[key]
        ]


def removable_hands(book: RuleSet, starting_rules: house.HouseRules) -> list[tuple[str, str]]:
    """The special hands that can be left out, by key; without those that are open points."""
    hands = [(hand.key, hand.name) for hand in book.doubled_hands]
    hands += [(hand.key, hand.name) for hand in book.specials]
    return [
        hand for hand in hands if hand[0] not in book.choice or hand[0] in starting_rules.without
    ]


def _open_point_field(point: Choice) -> forms.Field:
    if isinstance(point.value, bool):
        return yes_or_no_field(point.text, book=point.value)
    field = number_field(point.text, point.value, least=1, most=point.value)
    field.help_text = f"The rule book says {point.value}."
    return field
