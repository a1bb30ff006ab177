"""The questions about house rules: what a Mah-Jong may be, who pays whom, how the deal moves."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final, NamedTuple

from django import forms

from scoring import RuleSet, house
from scoring.house import declared
from scoring.rules.declarations import Minimum, Payments, Role

MOST_LIMIT: Final = 1_000_000
MOST_DOUBLES: Final = 20
MOST_TIMES: Final = 10
LONGEST_RUN: Final = 99
YES_NO_LABELS: Final = {True: "Yes", False: "No"}
EVERYONE_PAYS, PAYS_FOR_ALL, PAYS_ALONE, PAYS_TIMES = "everyone", "for_all", "alone", "times"
ALL_HANDS, SPECIAL_HANDS, DIFFERENT_LIMITS, NO_LIMIT = "all", "special", "different", "none"
LIMIT_LABELS: Final = {
    "ordinary": "Limit of an ordinary Mah-Jong",
    "special": "Limit of a special hand",
    "losers": "Limit of the other players’ hands",
}


class FieldQuestion(NamedTuple):
    """A question that one field answers; the field's ``initial`` is what the book answers."""

    path: Annotated[str, "the path of the answer in the data"]
    field: forms.Field
    book: Any
    starting_answer: Annotated[Any, "the answer of the rules that the form begins with"]

    @property
    def name(self) -> str:
        return self.path.replace(".", "_")


class Questions(ABC):
    """Some questions of the form: their fields, and the data that their answers come to."""

    def __init__(self) -> None:
        self.fields: dict[str, forms.Field] = {}
        self.starting_answers: Annotated[dict[str, Any], "what each field begins with"] = {}
        self.places: Annotated[dict[str, str], "the field of each path of the data"] = {}

    @abstractmethod
    def data(self, cleaned_data: Mapping[str, Any]) -> dict[str, Any]:
        """What is answered otherwise than in the book."""


class SingleQuestions(Questions):
    """Questions of one field each."""

    def __init__(self, questions: Iterable[FieldQuestion]) -> None:
        super().__init__()
        self.questions = list(questions)
        for question in self.questions:
            is_choice = isinstance(question.field, forms.ChoiceField)
            self.fields[question.name] = question.field
            self.starting_answers[question.name] = (
                str(question.starting_answer) if is_choice else question.starting_answer
            )
            self.places[question.path] = question.name

    def data(self, cleaned_data: Mapping[str, Any]) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for question in self.questions:
            answer = cleaned_data[question.name]
            if answer != question.book:
                *path, last = question.path.split(".")
                place = data
                for name in path:
                    place = place.setdefault(name, {})
                place[last] = answer
        return data


class LimitQuestions(Questions):
    """Which hands have the limit; others may have another, or none."""

    def __init__(self, book: RuleSet, starting_rules: house.HouseRules) -> None:
        super().__init__()
        stored_limits = starting_rules.bounds.get("limits")
        limits = {
            limit_name: (stored_limits or {}).get(limit_name, starting_rules.limit)
            for limit_name in LIMIT_LABELS
        }
        answers = {
            ALL_HANDS: "Every hand",
            SPECIAL_HANDS: "Special hands only",
            DIFFERENT_LIMITS: "Different limits for different hands",
            NO_LIMIT: "No hand: every hand scores its full value",
        }
        if not (book.specials or starting_rules.specials):
            del answers[SPECIAL_HANDS]
        self.fields["limits"] = radio_field("The limit applies to", answers, ALL_HANDS)
        for limit_name, label in LIMIT_LABELS.items():
            field = number_field(label, None, most=MOST_LIMIT, least=1, required=False)
            field.help_text = "Leave empty for no limit."
            self.fields[f"limits_{limit_name}"] = field
        kind = ALL_HANDS if stored_limits is None else DIFFERENT_LIMITS
        if stored_limits is not None and set(limits.values()) == {None}:
            kind = NO_LIMIT
        elif (
            stored_limits is not None
            and limits == self._special(starting_rules.limit)
            and SPECIAL_HANDS in answers
        ):
            kind = SPECIAL_HANDS
        self.starting_answers = {"limits": kind}
        if kind == DIFFERENT_LIMITS:
            self.starting_answers |= {
                f"limits_{limit_name}": most for limit_name, most in limits.items()
            }
        self.places = {
            f"limits.{limit_name}": f"limits_{limit_name}" for limit_name in LIMIT_LABELS
        } | {"limits": "limits"}

    def _special(self, limit: int | None) -> dict[str, int | None]:
        return {"ordinary": None, "special": limit, "losers": None}

    def data(self, cleaned_data: Mapping[str, Any]) -> dict[str, Any]:
        kind, limit = cleaned_data["limits"], cleaned_data["limit"]
        if kind == NO_LIMIT:
            return {"limits": None}
        limits = self._special(limit)
        if kind == DIFFERENT_LIMITS:
            limits = {
                limit_name: cleaned_data[f"limits_{limit_name}"] for limit_name in LIMIT_LABELS
            }
        differs = {limit_name: most for limit_name, most in limits.items() if most != limit}
        return {"limits": differs} if kind != ALL_HANDS and differs else {}


class MinimumQuestions(Questions):
    """The least doubles or points of a Mah-Jong; of either there may be none."""

    def __init__(
        self,
        bound: str,
        book: RuleSet,
        book_minimum: Minimum | None,
        starting_rules: house.HouseRules,
    ) -> None:
        super().__init__()
        self.path = bound
        self.book = (
            None
            if book_minimum is None
            else declared.LeastScore(book_minimum.doubles, book_minimum.points)
        )
        now = starting_rules.bounds.get(bound, self.book)
        two = " with two players" if bound == "minimum_with_two" else ""
        kinds = ("points",) if book.adding else ("doubles", "points")
        for unit in kinds:
            book_value = getattr(self.book, unit, None)
            most = MOST_DOUBLES if unit == "doubles" else MOST_LIMIT
            label = f"Minimum {unit} for a Mah-Jong{two}"
            field = number_field(label, book_value, most=most, least=1, required=False)
            field.help_text = _book_help(book_value)
            self.fields[f"{bound}_{unit}"] = field
            self.starting_answers[f"{bound}_{unit}"] = getattr(now, unit, None)
        self.places = {f"{bound}.{unit}": f"{bound}_{unit}" for unit in kinds}
        self.places[bound] = f"{bound}_{kinds[0]}"

    def data(self, cleaned_data: Mapping[str, Any]) -> dict[str, Any]:
        least = declared.LeastScore(
            *(cleaned_data.get(f"{self.path}_{unit}") for unit in ("doubles", "points"))
        )
        answer = least if any(least) else None
        if answer == self.book:
            return {}
        return {self.path: answer and {unit: n for unit, n in answer._asdict().items() if n}}


class DiscarderQuestions(Questions):
    """Who pays where the winning tile was claimed."""

    def __init__(self, payments: Payments, starting_rules: house.HouseRules) -> None:
        super().__init__()
        self.book = _discarder_payment(payments)
        now = (starting_rules.payments or {}).get("discarder", self.book)
        answers = {
            EVERYONE_PAYS: "Everyone, as for any other Mah-Jong",
            PAYS_FOR_ALL: "The discarder, for everyone",
            PAYS_ALONE: "The discarder alone, a multiple of the score",
            PAYS_TIMES: "Everyone, with the discarder paying a multiple",
        }
        label = "Who pays when the winning tile was claimed"
        in_the_book = self.book.payment_kind if self.book else EVERYONE_PAYS
        times = number_field("How many times the discarder pays", None, most=MOST_TIMES, least=1)
        times.required, times.initial = False, self.book and self.book.times
        times.help_text = "A whole number, such as 2 for double."
        self.fields = {
            "discarder": radio_field(label, answers, in_the_book),
            "discarder_times": times,
        }
        self.starting_answers = {"discarder": now.payment_kind if now else EVERYONE_PAYS}
        self.starting_answers["discarder_times"] = (
            now.times if now and now.payment_kind in {PAYS_ALONE, PAYS_TIMES} else None
        )
        self.places = {"payments.discarder": "discarder_times"}

    def data(self, cleaned_data: Mapping[str, Any]) -> dict[str, Any]:
        payment_kind = cleaned_data["discarder"]
        answer = declared.Discarder(payment_kind)
        if payment_kind in {PAYS_ALONE, PAYS_TIMES}:
            answer = answer._replace(times=cleaned_data["discarder_times"])
        if payment_kind == EVERYONE_PAYS:
            return {"payments": {"discarder": None}} if self.book else {}
        if answer == self.book:
            return {}
        return {
            "payments": {
                "discarder": payment_kind
                if payment_kind == PAYS_FOR_ALL
                else {payment_kind: answer.times}
            }
        }


class PaymentQuestions(Questions):
    """Whether anyone pays at all."""

    def __init__(self, starting_rules: house.HouseRules) -> None:
        super().__init__()
        label = "The players pay each other"
        answers = {True: "Yes", False: "No, each player adds up their own scores"}
        self.fields = {"paying": radio_field(label, answers, book=True)}
        self.starting_answers = {"paying": str(starting_rules.payments is not None)}
        self.places = {"payments": "paying"}

    def data(self, cleaned_data: Mapping[str, Any]) -> dict[str, Any]:
        return {} if cleaned_data["paying"] else {"payments": None}


def _discarder_payment(payments: Payments) -> declared.Discarder | None:
    if payments.discarder_alone:
        return declared.Discarder(PAYS_ALONE, payments.discarder_alone)
    if payments.discarder is None:
        return None
    payment_kind = PAYS_FOR_ALL if payments.discarder.for_all else PAYS_TIMES
    return declared.Discarder(payment_kind, payments.discarder.times)


def mahjong_questions(book: RuleSet, starting_rules: house.HouseRules) -> list[Questions]:
    """What a Mah-Jong may be, and what it must reach."""
    chows = book.chows._asdict() | dict(starting_rules.bounds.get("chows", {}))
    most: dict[int | None, str] = {None: "Any number", 0: "None"} | {
        n: f"{n} at most" for n in (1, 2, 3)
    }
    most |= {} if chows["most"] in most else {chows["most"]: f"{chows['most']} at most"}
    single = [
        FieldQuestion(
            "chows.most",
            radio_field("Chows in a Mah-Jong", most, book.chows.most),
            book.chows.most,
            chows["most"],
        )
    ]
    if len(book.seats) > 1:
        players: dict[int | None, str] = {None: "Every table"}
        players |= {n: f"Tables of {n} players or more" for n in (3, 4)}
        starting_answer = None if chows["players"] == min(book.seats) else chows["players"]
        label = "Tables that may have chows"
        field = radio_field(label, players, book.chows.players)
        single.append(FieldQuestion("chows.players", field, book.chows.players, starting_answer))
    label = "Chows are allowed in a goulash"
    is_allowed = book.chows.in_a_goulash
    single.append(
        FieldQuestion(
            "chows.in_a_goulash",
            yes_or_no_field(label, book=is_allowed),
            is_allowed,
            chows["in_a_goulash"],
        )
    )
    suits = {False: "No", True: "Yes, except special hands", declared.EVERY_HAND: "Yes, every hand"}
    one_suit = book.one_suit is not None and (book.one_suit.but_special or declared.EVERY_HAND)
    field = radio_field("A Mah-Jong must be in one suit", suits, one_suit)
    field.help_text = "Winds and dragons are allowed with any suit."
    single.append(
        FieldQuestion("one_suit", field, one_suit, starting_rules.bounds.get("one_suit", one_suit))
    )
    questions: list[Questions] = [
        SingleQuestions(single),
        MinimumQuestions("minimum", book, book.minimum_of_all, starting_rules),
    ]
    if min(book.seats) == 2:
        questions.append(MinimumQuestions("minimum_with_two", book, book.minimum, starting_rules))
    return questions


def special_hand_questions(book: RuleSet, starting_rules: house.HouseRules) -> SingleQuestions:
    """What special hands score besides what each of them is worth."""
    single = []
    fishing_values = [hand.fishing for hand in book.specials]
    fishing_values += [hand.fishing for hand in starting_rules.specials]
    if any(fishing_values):
        field = yes_or_no_field("A hand one tile short of a special hand scores for it", book=True)
        now = starting_rules.bounds.get("fishing", True)
        single.append(FieldQuestion("fishing", field, book=True, starting_answer=now))
    if book.special_rules and book.bonus_points:
        has_bonus_tiles = book.special_rules.bonus_tiles_beside
        field = yes_or_no_field(
            "Flowers and seasons count beside a special hand", book=has_bonus_tiles
        )
        now = starting_rules.bounds.get("bonus_tiles_beside", has_bonus_tiles)
        single.append(FieldQuestion("bonus_tiles_beside", field, has_bonus_tiles, now))
    return SingleQuestions(single)


def payment_questions(book: RuleSet, starting_rules: house.HouseRules) -> list[Questions]:
    """Who scores, and who pays whom."""
    single = []
    if not book.losers.unless:
        scores = book.losers.score
        answer = radio_field("Only the winner scores", {True: "No", False: "Yes"}, scores)
        now = starting_rules.bounds.get("losers_score", scores)
        single.append(FieldQuestion("losers_score", answer, scores, now))
    payments = book.payments
    if payments is None:
        return [SingleQuestions(single)]
    answers = {
        "losers_settle": payments.losers_settle,
        "east": payments.by,
        "with_two": payments.multiplied_with_two,
        "unclaimed": payments.unclaimed,
    }
    starting_answers = {
        name: (starting_rules.payments or {}).get(name, answer) for name, answer in answers.items()
    }
    label = "The other players pay each other the difference of their scores"
    fields: dict[str, forms.Field] = {
        "losers_settle": yes_or_no_field(label, book=payments.losers_settle)
    }
    is_east = payments.multiplied is Role.EAST
    dealer_name = "East" if is_east else "the dealer"
    label = f"{dealer_name} pays and receives this many times the score"
    fields["east"] = number_field(label, payments.by, most=MOST_TIMES, least=1)
    like = f"Enter 1 if {dealer_name} pays like everyone else."
    fields["east"].help_text = f"The rule book says {payments.by}. {like}"
    if min(book.seats) == 2:
        label = f"{'East' if is_east else 'The dealer'} also does so with two players"
        fields["with_two"] = yes_or_no_field(label, book=payments.multiplied_with_two)
    label = "How many times everyone pays when the winning tile was not claimed"
    fields["unclaimed"] = number_field(label, payments.unclaimed, most=MOST_TIMES, least=1)
    double = "Enter 2 if everyone then pays double."
    fields["unclaimed"].help_text = f"The rule book says {payments.unclaimed}. {double}"
    single += [
        FieldQuestion(f"payments.{name}", field, answers[name], starting_answers[name])
        for name, field in fields.items()
    ]
    return [
        PaymentQuestions(starting_rules),
        SingleQuestions(single),
        DiscarderQuestions(payments, starting_rules),
    ]


def deal_questions(book: RuleSet, starting_rules: house.HouseRules) -> list[Questions]:
    """How the deal and the winds move."""
    passing = book.passing
    dealer_name = "East" if passing.deals is Role.EAST else "a dealer"
    answers: dict[str, tuple[str, bool]] = {
        "goulash": ("A goulash follows a drawn hand", passing.goulash_after_a_draw),
        "prevailing": ("You play with a prevailing wind", passing.prevailing),
        "draw_moves": ("A drawn hand passes the deal on", passing.moves_after_a_draw),
    }
    if not passing.prevailing:
        del answers["prevailing"]
    single = [
        FieldQuestion(
            f"passing.{name}",
            yes_or_no_field(label, book=answer),
            answer,
            starting_rules.passing.get(name, answer),
        )
        for name, (label, answer) in answers.items()
    ]
    runs = (("most_hands", "hands", 1), ("most_wins", "Mah-Jongs", 1))
    for name, noun, least in (*runs, ("most_draws", "drawn hands", 2)):
        most = getattr(passing, name)
        label = f"Most {noun} in a row for {dealer_name}"
        field = number_field(label, most, most=LONGEST_RUN, least=least, required=False)
        passes_on = f"Then the deal passes on. {_book_help(most)}"
        field.help_text = passes_on
        single.append(
            FieldQuestion(f"passing.{name}", field, most, starting_rules.passing.get(name, most))
        )
    return [SingleQuestions(single)]


def number_field(
    label: str, value: int | None, *, most: int, least: int = 0, required: bool = True
) -> forms.IntegerField:
    """A short field for a whole number."""
    message = f"Enter a whole number from {least} to {most:,}."
    return forms.IntegerField(
        label=label,
        initial=value,
        min_value=least,
        max_value=most,
        required=required,
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), message),
        widget=forms.NumberInput(attrs={"class": "input input--short", "inputmode": "numeric"}),
    )


def radio_field(label: str, answers: Mapping[Any, str], book: Any) -> forms.TypedChoiceField:
    """A choice of one answer, in words by its value; the book's is marked."""
    values = {str(value): value for value in answers}

    def read(text: str) -> Any:
        """The answer; ``ValueError`` for none of them, which Django asks of a refused form too."""
        if text not in values:
            raise ValueError(text)
        return values[text]

    return forms.TypedChoiceField(
        label=label,
        initial=str(book),
        choices=[
            (str(value), f"{answer_label}, as in the rule book" if value == book else answer_label)
            for value, answer_label in answers.items()
        ],
        coerce=read,
        widget=forms.RadioSelect,
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose one of the answers."),
    )


def yes_or_no_field(label: str, *, book: bool) -> forms.TypedChoiceField:
    field = radio_field(label, YES_NO_LABELS, book)
    field.error_messages |= dict.fromkeys(("required", "invalid_choice"), "Choose yes or no.")
    return field


def _book_help(value: int | None) -> str:
    return "The rule book has none." if value is None else f"The rule book says {value:,}."
