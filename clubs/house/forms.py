"""A club set up in the browser; house rules as a form, for what clubs most often change."""

import json
from calendar import day_name
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

from django import forms
from django.contrib.auth.forms import SetPasswordMixin
from django.core.exceptions import ValidationError

from clubs.core.addresses import is_answered, opens_only_here
from clubs.core.forms import ChangeForm, ShownTextField, is_unusual
from clubs.evenings.forms import time_field
from clubs.house.first_run import is_set_up_code
from clubs.house.services import WeeklyEvening
from clubs.models import Club, MarkColour, User
from scoring import BadHouseRules, RuleSet, house, rule_set_keys
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


MOST_BYTES = 100_000
LINES = {"max_length": "That text is too long. Check that you pasted the right thing."}


class HouseLinesForm(forms.Form):
    """The lines of house rules; valid, it holds them in ``cleaned_data["declared"]``."""

    file = forms.FileField(
        label="Rules file",
        required=False,
        error_messages={"empty": "This file is empty."},
        widget=forms.FileInput(attrs={"accept": ".json,.txt,application/json,text/plain"}),
    )
    lines = forms.CharField(
        label="Or paste the rules",
        required=False,
        strip=False,
        max_length=MOST_BYTES,
        widget=forms.Textarea(attrs={"rows": 16, "spellcheck": "false"}),
        error_messages=LINES,
    )

    def clean_file(self) -> str:
        file = self.cleaned_data["file"]
        if not file:
            return ""
        if file.size > MOST_BYTES:
            raise ValidationError(LINES["max_length"])
        try:
            return str(file.read().decode("utf-8-sig"))
        except UnicodeDecodeError as wrong:
            fault = "We cannot read the characters in this file because it is not saved as UTF-8."
            raise ValidationError(fault) from wrong

    def clean(self) -> dict[str, Any]:
        """One of the two is needed; the file counts where both are there."""
        if self.errors:
            return self.cleaned_data
        self.cleaned_data["lines"] = text = self.cleaned_data["file"] or self.cleaned_data["lines"]
        if not text.strip():
            self.add_error("lines", "Choose a file, or paste the rules here.")
            return self.cleaned_data
        try:
            self.cleaned_data["declared"] = declared_in(text)
        except ValidationError as wrong:
            self.add_error("lines", wrong)
        return self.cleaned_data

    def showing_the_text(self) -> "HouseLinesForm":
        """The same answer with the file's text where it can be put right on the page."""
        if not self.cleaned_data.get("lines"):
            return self
        shown = HouseLinesForm({"lines": self.cleaned_data["lines"]})
        shown.full_clean()
        return shown


def as_lines(declared: house.HouseRules) -> str:
    return json.dumps(declared.as_data(), ensure_ascii=False, indent=2)


def declared_in(text: str) -> house.HouseRules:
    """The house rules in the text. Raises ValidationError with every fault."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as wrong:
        raise ValidationError(
            f"Line {wrong.lineno}, character {wrong.colno}: there is a mistake here. Look for a "
            "missing or extra comma, bracket or quotation mark."
        ) from wrong
    except (ValueError, RecursionError) as wrong:
        fault = "We cannot read this text. Check that you pasted the right thing."
        raise ValidationError(fault) from wrong
    try:
        return house.read_house_rules(data)
    except BadHouseRules as bad:
        placed = [(problem.where, problem.sentence) for problem in bad.problems]
        faults = [f"{where}: {sentence}" if where else sentence for where, sentence in placed]
        raise ValidationError(faults) from bad


MOST_HANDS = 8


class HandsForm(forms.Form):
    """So many hands more at every table."""

    hands = forms.IntegerField(
        label="Hands at each table",
        min_value=1,
        max_value=MOST_HANDS,
        initial=4,
        widget=forms.NumberInput(attrs={"inputmode": "numeric", "class": "input--short"}),
        error_messages=dict.fromkeys(
            ("required", "invalid", "min_value", "max_value"),
            f"Enter how many hands to play: 1 to {MOST_HANDS}.",
        ),
    )


class ClubNameForm(ChangeForm):
    """The club's name, and the colour of its mark."""

    name = ShownTextField(
        label="Name of the club",
        max_length=80,
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
        error_messages={"required": "Enter the name of the club."},
    )
    mark_colour = forms.ChoiceField(
        label="Colour of the club’s mark",
        help_text="The mark is the tile beside the club’s name. Red is the usual colour.",
        choices=MarkColour.choices,
        widget=forms.RadioSelect,
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose a colour."),
    )


def initial_name(club: Club) -> dict[str, str]:
    return {name: getattr(club, name) for name in ClubNameForm.base_fields}


class ClubEmailForm(ChangeForm):
    """Where answers to the club's emails go."""

    contact_email = forms.EmailField(
        label="Address for replies",
        required=False,
        help_text="When a member answers an email from the club, the answer goes here. Without an "
        "address it goes to the person who sent the message.",
        error_messages={"invalid": "Enter an email address like name@example.org."},
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


def initial_email(club: Club) -> dict[str, str]:
    return {"contact_email": club.contact_email}


class PublicForm(ChangeForm):
    """A switch for each part of a club's pages that can be made public."""

    shows_results = forms.BooleanField(
        label="Results",
        required=False,
        help_text="Evenings, players’ pages, special hands and tournaments.",
    )
    shows_league = forms.BooleanField(
        label="League", required=False, help_text="League tables, ranking rules and ratings."
    )
    shows_calendar = forms.BooleanField(
        label="Calendar", required=False, help_text="The dates, times and place of coming evenings."
    )


SWITCHES = tuple(PublicForm.base_fields)


def initial_switches(club: Club) -> dict[str, bool]:
    return {name: getattr(club, name) for name in SWITCHES}


LATER: Final = ""
PASSWORDS: Final = {  # by field: its hint, and what is missing
    "password1": (
        "Use at least 8 characters. Do not use only numbers or a common password.",
        "Choose a password.",
    ),
    "password2": ("", "Enter the password again."),
}
ADDRESS_FAULT: Final = "Enter an address like http://192.168.1.20:8000."


class NewClubForm(forms.Form):
    """A new club: its name and rules, and its weekly evening."""

    name = ShownTextField(
        label="Club name",
        max_length=80,
        error_messages={"required": "Enter the name of your club."},
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
    )
    rules = forms.ChoiceField(
        label="Scoring rules",
        help_text="You can change this later, and write house rules.",
        initial=rule_set_keys()[0],
        widget=forms.RadioSelect,
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose the rules you play."),
    )
    weekday = forms.TypedChoiceField(
        label="Day of the week",
        required=False,
        choices=[(LATER, "Choose later"), *((str(n), day) for n, day in enumerate(day_name))],
        coerce=int,
        empty_value=None,
    )
    starts_at = time_field("Starts at", "14:00")
    ends_at = time_field("Ends at", "16:30")
    place = ShownTextField(
        label="Place", max_length=120, required=False, help_text="For example: Village Hall."
    )

    def __init__(self, data: Any = None, *, initial: Any = None) -> None:
        super().__init__(data, initial=initial)
        rules: Any = self.fields["rules"]
        rules.choices = [(key, rule_set(key).name) for key in rule_set_keys()]
        for name in ("starts_at", "ends_at"):
            self.fields[name].required = False

    def clean(self) -> dict[str, Any]:
        """The evening, in ``evening``, is whole or left for later."""
        cleaned = self.cleaned_data
        weekday = cleaned.get("weekday")
        for name in ("starts_at", "ends_at"):
            if weekday is not None and not cleaned.get(name) and name not in self.errors:
                self.add_error(name, "Enter a time.")
        if not self.errors:
            when = {name: cleaned[name] for name in ("starts_at", "ends_at", "place")}
            cleaned["evening"] = None if weekday is None else WeeklyEvening(weekday, **when)
        return cleaned


def person_field() -> ShownTextField:
    return ShownTextField(
        label="Your name",
        max_length=80,
        error_messages={"required": "Enter your name."},
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )


def email_field() -> forms.EmailField:
    return forms.EmailField(
        label="Your email address",
        max_length=254,
        help_text="You sign in with it.",
        error_messages={
            "required": "Enter your email address.",
            "invalid": "Enter an email address like name@example.org.",
        },
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


class WithPassword(SetPasswordMixin, forms.Form):  # type: ignore[type-arg]
    """A password of a new account, entered twice."""

    password1, password2 = SetPasswordMixin.create_password_fields(
        label1="Choose a password", label2="Confirm password"
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, (hint, required) in PASSWORDS.items():
            self.fields[name].help_text = hint
            self.fields[name].error_messages["required"] = required

    def check_password(self, *, email: str, person: str) -> None:
        """Both are the same, and one that no one guesses from the name or address."""
        self.validate_passwords()
        self.validate_password_for_user(User(email=email, name=person))


class FirstPersonForm(WithPassword):
    """Whoever sets up this installation: their code, name, email address and password.

    Only people nearby need no code.
    """

    code = forms.CharField(
        label="Set-up code",
        help_text="Tongbox printed it when it started. It is in the window or log of the server.",
        error_messages={"required": "Enter the set-up code."},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters"}),
    )
    person = person_field()
    email = email_field()

    def __init__(self, *args: Any, asks_code: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not asks_code:
            del self.fields["code"]

    def clean_code(self) -> str:
        code: str = self.cleaned_data["code"]
        if not is_set_up_code(code):
            fault = "That is not the set-up code. Copy it from the window or log of the server."
            raise ValidationError(fault)
        return code

    def clean(self) -> dict[str, Any]:
        """The password is one that nobody guesses."""
        super().clean()
        cleaned: dict[str, Any] = self.cleaned_data
        self.check_password(email=cleaned.get("email", ""), person=cleaned.get("person", ""))
        return cleaned


class BringForm(forms.Form):
    """A club file; valid, it is open in ``cleaned_data["file"]``."""

    file = forms.FileField(
        label="Club file",
        help_text="Its name ends in .tongbox.",
        error_messages={
            "required": "Choose the club file.",
            "empty": "This file is empty. Download the club again.",
        },
        widget=forms.FileInput(attrs={"accept": ".tongbox"}),
    )


class BringFirstForm(FirstPersonForm, BringForm):
    """The first club from its file; valid, it holds what ``bring_first`` takes."""

    def clean(self) -> dict[str, Any]:
        """What ``bring_first`` takes, once everything is valid."""
        cleaned = super().clean()
        if self.errors:
            return cleaned
        kept = {name: cleaned[name] for name in ("file", "person")}
        return kept | {"email": cleaned["email"].lower(), "password": cleaned["password1"]}


class SetUpForm(FirstPersonForm, NewClubForm):
    """The first club: its name and rules, its secretary, its evening, the address for phones.

    Without ``asks_address`` the environment says the address. Valid, it holds what ``set_up``
    takes in ``cleaned_data``.
    """

    address = forms.CharField(
        label="Address for phones",
        required=False,
        max_length=200,
        widget=forms.URLInput(attrs={"autocomplete": "off"}),
    )
    field_order = (
        *("code", "name", "rules", "person", "email", "password1", "password2"),
        *("weekday", "starts_at", "ends_at", "place", "address"),
    )

    def __init__(
        self, data: Any = None, *, asks_code: bool, asks_address: bool, address: str
    ) -> None:
        super().__init__(data, initial={"address": address}, asks_code=asks_code)
        if not asks_address:
            del self.fields["address"]

    def clean_address(self) -> str:
        """An address others can open, without what follows the host."""
        typed: str = self.cleaned_data["address"]
        if not typed:
            return ""
        try:
            parts = urlsplit(typed if "://" in typed else f"http://{typed}")
            is_whole = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
        except ValueError as wrong:
            raise ValidationError(ADDRESS_FAULT) from wrong
        if not is_whole or parts.username is not None or parts.path.strip("/") or parts.query:
            raise ValidationError(ADDRESS_FAULT)
        address = f"{parts.scheme}://{parts.netloc}"
        if opens_only_here(address):
            fault = "That address works only on this computer. Enter another, or leave this empty."
            raise ValidationError(fault)
        if not is_answered(address):
            fault = f"Tongbox does not answer at {parts.netloc}. Check it, or leave this empty."
            raise ValidationError(fault)
        return address

    def clean(self) -> dict[str, Any]:
        """What ``set_up`` takes, once everything is valid."""
        cleaned = super().clean()
        if self.errors:
            return cleaned
        return {name: cleaned[name] for name in ("name", "rules", "person", "email", "evening")} | {
            "password": cleaned["password1"],
            "address": cleaned.get("address", ""),
        }
