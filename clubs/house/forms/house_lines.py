"""A club's own lines of points and doubles, as rows of fields in the form of house rules."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django import forms

from clubs.house.forms.house_questions import MOST_DOUBLES, Questions, number_field
from clubs.language.words import whole_number
from scoring import RuleSet, house
from scoring.house.declared import HouseLine
from scoring.rules.declarations import Who

POINTS, DOUBLES = "points", "doubles"
COUNT_FIELD, MORE_FIELD = "line_count", "more"
MAX_WORTH: Final = {POINTS: 10_000, DOUBLES: MOST_DOUBLES}
LONGEST_NAME: Final = 60
MOST_LINES: Final = 50
CONDITION_FIELDS: Final = 3
HAND_CONDITION, SET_CONDITION = "hand", "set"
NO_NAME_MESSAGE: Final = "Enter a name for this line."
NO_WORTH_MESSAGE: Final = "Enter how many points or doubles it scores."
NO_CONDITION_MESSAGE: Final = "Choose what it is for."
BOTH_KINDS_MESSAGE: Final = (
    "Choose only what the whole hand must be, or only what each set must be."
)
ONE_WORTH_MESSAGE: Final = "Leave this empty: only points of a set differ when it is concealed."


def _condition_options() -> list[tuple[str, str | list[tuple[str, str]]]]:
    """Every condition by its words, those of the whole hand before those of each set."""
    option_groups: list[tuple[str, str | list[tuple[str, str]]]] = [("", "Choose")]
    for title, kind, vocabulary in (
        ("Of the whole hand", HAND_CONDITION, house.VOCABULARY),
        ("Of each set", SET_CONDITION, house.SETS_VOCABULARY),
    ):
        labels = {f"{kind}:{name}": condition.phrase for name, condition in vocabulary.items()}
        options = [(value, label[0].upper() + label[1:]) for value, label in labels.items()]
        option_groups.append((title, sorted(options, key=lambda option: option[1].casefold())))
    return option_groups


@dataclass(frozen=True, slots=True)
class OwnLine:
    """A row of the form: the names of its fields."""

    place: int
    conditions: int

    def field(self, name: str) -> str:
        return f"line_{self.place}_{name}"

    @property
    def whens(self) -> list[str]:
        return [self.field(f"when_{number}") for number in range(self.conditions)]


class OwnRow(NamedTuple):
    """The fields of an own line."""

    place: int
    name: forms.BoundField
    whens: list[forms.BoundField]
    numbers: list[forms.BoundField]
    everyone: forms.BoundField | None

    @property
    def is_wrong(self) -> bool:
        fields = (self.name, *self.whens, *self.numbers)
        return any(field.errors for field in fields)


def count_lines(data: Mapping[str, Any] | None) -> int:
    """How many rows the page had, from what it sent; none if that is no count."""
    count = "" if data is None else str(data.get(COUNT_FIELD, ""))
    return whole_number(count, most=MOST_LINES) or 0


class OwnLines(Questions):
    """The club's own lines, with one row more that is empty."""

    def __init__(self, book: RuleSet, starting_rules: house.HouseRules, count: int) -> None:
        super().__init__()
        self.book = book
        own_lines = [(POINTS, line) for line in starting_rules.more_points]
        own_lines += [(DOUBLES, line) for line in starting_rules.more_doubles]
        self.lines: list[OwnLine] = []
        options = _condition_options()
        for place in range(max(count, len(own_lines) + 1)):
            unit, line = own_lines[place] if place < len(own_lines) else ("", None)
            conditions = (line.when or line.sets) if line else ()
            row = OwnLine(place, max(CONDITION_FIELDS, len(conditions)))
            self.lines.append(row)
            self._add_fields(row, options)
            if line:
                self._begin(row, unit, line)

    def rows(self, form: forms.Form) -> Iterator[OwnRow]:
        """Each row with its fields."""
        for row in self.lines:
            numbers = [row.field(name) for name in ("much", "of", "concealed")]
            everyone = row.field("everyone")
            yield OwnRow(
                row.place,
                form[row.field("name")],
                [form[field_name] for field_name in row.whens],
                [form[name] for name in numbers if name in form.fields],
                form[everyone] if everyone in form.fields else None,
            )

    def _add_fields(self, row: OwnLine, options: list[Any]) -> None:
        title = f"Line {row.place + 1}"
        name = forms.CharField(label=f"{title}, name", required=False, max_length=LONGEST_NAME)
        name.error_messages["max_length"] = f"Use {LONGEST_NAME} characters or fewer."
        name.widget.attrs["autocomplete"] = "off"
        self.fields[row.field("name")] = name
        for number_of, field_name in enumerate(row.whens, start=1):
            label = f"{title}, condition {number_of}"
            self.fields[field_name] = forms.ChoiceField(
                label=label, required=False, choices=options
            )
        self.fields[row.field("much")] = number_field(
            f"{title}, how many", None, most=MAX_WORTH[POINTS], required=False
        )
        if not self.book.adding:
            self.fields[row.field("of")] = forms.ChoiceField(
                label=f"{title}, points or doubles",
                choices=[(POINTS, "Points"), (DOUBLES, "Doubles")],
                initial=POINTS,
            )
        concealed = f"{title}, for a concealed set"
        self.fields[row.field("concealed")] = number_field(
            concealed, None, most=MAX_WORTH[POINTS], required=False
        )
        if not self.book.adding:
            self.fields[row.field("everyone")] = forms.BooleanField(
                label=f"{title}: everyone scores it, not only the winner", required=False
            )

    def _begin(self, row: OwnLine, unit: str, line: HouseLine) -> None:
        exposed, concealed = line.worth
        kind, names = (SET_CONDITION, line.sets) if line.sets else (HAND_CONDITION, line.when)
        initial_values = {
            "name": line.name,
            "of": unit,
            "much": exposed,
            "concealed": None if exposed == concealed else concealed,
            "everyone": line.who is Who.EVERYONE,
        }
        self.starting_answers |= {row.field(name): value for name, value in initial_values.items()}
        conditions = (f"{kind}:{name}" for name in names)
        self.starting_answers |= dict(zip(row.whens, conditions, strict=False))

    def _used(self, cleaned_data: Mapping[str, Any]) -> Iterator[tuple[OwnLine, str]]:
        """Every row in which something was entered, with what it counts: points or doubles."""
        for row in self.lines:
            field_names = (*row.whens, *map(row.field, ("name", "much", "concealed", "everyone")))
            if any(cleaned_data.get(name) not in {None, "", False} for name in field_names):
                yield row, cleaned_data.get(row.field("of"), POINTS)

    def faults(self, cleaned_data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """What is missing in a row, or cannot go together: the field, and a sentence."""
        for row, unit in self._used(cleaned_data):
            names = (*row.whens, *map(row.field, ("name", "much", "concealed")))
            # A field that is wrong by itself is said to be so already.
            if all(name in cleaned_data for name in names):
                yield from self._faults_of(row, unit, cleaned_data)

    def _faults_of(
        self, row: OwnLine, unit: str, cleaned_data: Mapping[str, Any]
    ) -> Iterator[tuple[str, str]]:
        conditions = [
            cleaned_data[field_name] for field_name in row.whens if cleaned_data[field_name]
        ]
        kinds = {condition.partition(":")[0] for condition in conditions}
        if not cleaned_data[row.field("name")]:
            yield row.field("name"), NO_NAME_MESSAGE
        if cleaned_data[row.field("much")] is None:
            yield row.field("much"), NO_WORTH_MESSAGE
        elif cleaned_data[row.field("much")] > MAX_WORTH[unit]:
            yield row.field("much"), f"Enter a whole number from 1 to {MAX_WORTH[unit]}."
        if len(kinds) != 1:
            yield row.whens[0], BOTH_KINDS_MESSAGE if kinds else NO_CONDITION_MESSAGE
        elif cleaned_data[row.field("concealed")] is not None and (kinds, unit) != (
            {SET_CONDITION},
            POINTS,
        ):
            yield row.field("concealed"), ONE_WORTH_MESSAGE

    def data(self, cleaned_data: Mapping[str, Any]) -> dict[str, Any]:
        """The lines as data; the places of their fields are known from then on."""
        data: dict[str, list[dict[str, Any]]] = {}
        for row, unit in self._used(cleaned_data):
            lines = data.setdefault(f"more_{unit}", [])
            conditions = [
                cleaned_data[field_name].partition(":")
                for field_name in row.whens
                if cleaned_data[field_name]
            ]
            is_of_sets = conditions[0][0] == SET_CONDITION
            worth, concealed = cleaned_data[row.field("much")], cleaned_data[row.field("concealed")]
            line = {
                "name": cleaned_data[row.field("name")],
                "sets" if is_of_sets else "when": [name for _kind, _, name in conditions],
                unit: worth if concealed is None else [worth, concealed],
            }
            if cleaned_data.get(row.field("everyone")) and not is_of_sets:
                line["who"] = Who.EVERYONE.value
            path = f"more_{unit}.{len(lines)}"
            self.places |= {path: row.whens[0], f"{path}.name": row.field("name")}
            self.places |= {
                f"{path}.{unit}": row.field("much"),
                f"{path}.who": row.field("everyone"),
            }
            lines.append(line)
        return dict(data)
