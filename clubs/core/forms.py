"""Forms: errors from refusals, shared fields, and the state in which a form was shown."""

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, time
from typing import Any, ClassVar, Final, TypeVar

from django import forms
from django.core.exceptions import ValidationError
from django.db import transaction
from django.forms import BaseForm
from django.forms.models import ModelChoiceIterator
from django.http import QueryDict

from clubs.core.audit_log import AuditRow, last_entry
from clubs.core.locks import CHANGED_SINCE
from clubs.language.moments import moment, readable_value, time_of_day
from clubs.language.words import text_fault, whole_number
from clubs.models import Club
from clubs.models.names import by_surname
from scoring.scorebook.refusals import Refusal, Refused

TILES_PATH = re.compile(r"tiles\.([1-5]).*")
SHARED_FIELDS = {
    "scores": "score",
    "tiles": "score",
    "won_by": "last_tile",
    "discarder": "last_tile",
}

DAY_ERRORS = {"invalid": "Enter a date like 24/11/2026.", "required": "Choose a day."}
# To the end of the calendar: a life member’s subscription is paid until 31/12/9999.
YEARS: Final = range(1900, 10_000)

MAX_ROUND_NUMBER = 9999
CHANGED_MESSAGE = "This was changed after you opened it. Check it again before you continue."
MAX_VALUE_LENGTH: Final = 300  # characters quoted from a text that someone else wrote
Saved = TypeVar("Saved")


def add_problems(form: BaseForm, refusal: Refused) -> None:
    """Add each problem to the field it names, else to the form.

    ``scores.3`` and ``tiles.3.bonus`` map to the field ``score_3``; ``tallies.3`` to ``count_3``.
    """
    for problem in refusal.problems:
        form.add_error(field_of(form, problem.path), problem.message)


def overtaken_fields(refusal: Refused) -> list[str]:
    """Mark the fields that someone else changed while the page was open (``changed_since``)."""
    return [problem.path for problem in refusal.problems if problem.code == CHANGED_SINCE]


def field_of(form: BaseForm, path: str) -> str | None:
    """The form's field for a problem's path, None for the form as a whole.

    A form for the winner's score alone has one ``score``; how the hand was won and who discarded
    share one field, ``last_tile``.
    """
    place, _, _ = path.partition(".")
    at_seat = path.replace("scores.", "score_").replace("tallies.", "count_")
    at_seat = TILES_PATH.sub(r"score_\1", at_seat)
    names = (at_seat, SHARED_FIELDS.get(place, ""))
    return next((name for name in names if name in form.fields), None)


class _SurnameIterator(ModelChoiceIterator):  # type: ignore[type-arg]
    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        if self.field.empty_label is not None:
            yield "", self.field.empty_label
        yield from map(self.choice, by_surname(self.queryset))


class PersonField(forms.ModelChoiceField):  # type: ignore[type-arg]
    """One person of a list, which is shown by surname."""

    iterator = _SurnameIterator


class PeopleField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    """Selected people; a number too large for the database is an invalid choice."""

    iterator = _SurnameIterator

    def clean(self, value: Any) -> Any:
        """The players. Raises ``invalid_choice`` for anyone not on the list."""
        try:
            return super().clean(value)
        except OverflowError as too_large:
            raise ValidationError(self.error_messages["invalid_choice"]) from too_large


class ShownTextField(forms.CharField):
    """A text that others read; rejects invisible characters."""

    def validate(self, value: Any) -> None:
        super().validate(value)
        if fault := text_fault(value):
            raise ValidationError(fault, code="unseen")


def check_year(day: date) -> None:
    """Raises ``ValidationError`` for a year that somebody mistyped, such as 0026."""
    if day.year not in YEARS:
        raise ValidationError(f"Check the year. It must be {YEARS[0]} or later.", code="year")


def day_field(label: str, **options: Any) -> forms.DateField:
    widget = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    return forms.DateField(
        label=label, widget=widget, error_messages=DAY_ERRORS, validators=[check_year], **options
    )


@dataclasses.dataclass(frozen=True, slots=True)
class ShownState:
    """The state of an event when a form for it was shown.

    ``act`` is the URL name of the form, ``state`` the event's state on the page and ``round`` the
    round's number. Empty fields are not compared.
    """

    act: str
    state: str = ""
    round: int | None = None


def shown_state(act: str, form_data: Mapping[str, str]) -> ShownState:
    """The state that a form was shown for, from its hidden fields ``shown`` and ``round``."""
    number = whole_number(form_data.get("round"), most=MAX_ROUND_NUMBER)
    return ShownState(act, form_data.get("shown", ""), number)


@dataclasses.dataclass(frozen=True, slots=True)
class Event:
    """An evening or a tournament whose state a form changes.

    ``kind`` is the name of its key in API addresses; ``done_sentences`` has a sentence for each act
    that changes the state, such as ``The evening was already finished``; empty for acts that can be
    repeated. ``log_lookup`` is what else the log's entries must name, such as an entrant.
    """

    club: Club
    kind: str
    pk: int
    done_sentences: Mapping[str, str]
    log_lookup: Mapping[str, int] = dataclasses.field(default_factory=dict)


class Overtaken(Refused):
    """Someone else was faster; ``is_done`` if they did the same."""

    def __init__(self, message: str, *, is_done: bool) -> None:
        super().__init__([Refusal("already_done" if is_done else "overtaken", message)])
        self.is_done = is_done


def overtaken_refusal(event: Event, page_state: ShownState) -> Overtaken:
    """Who changed the event last, what they did, and when; one or two queries."""
    last = last_entry(
        event.club, event.kind, event.pk, tuple(event.done_sentences), **event.log_lookup
    )
    if last is None:
        return Overtaken(CHANGED_MESSAGE, is_done=False)
    if last.is_act(page_state.act) and event.done_sentences[page_state.act]:
        return done_already_refusal(event, page_state, last)
    change_text = f"{last.sentence.removesuffix('.')} at {moment(last.at)}"
    advice = "after you opened this. Check it again before you continue."
    return Overtaken(f"{change_text}, {advice}", is_done=False)


def done_already_refusal(event: Event, page_state: ShownState, last: AuditRow | None) -> Overtaken:
    """The act was already done: by whom and when, if that is logged."""
    text = event.done_sentences[page_state.act].replace("{round}", str(page_state.round))
    actor_phrase = f" by {last.actor} at {moment(last.at)}" if last else ""
    return Overtaken(f"{text}{actor_phrase}.", is_done=True)


class ChangeForm(forms.Form):
    """A form that also sends what its page showed, in hidden inputs (``initial-name``).

    ``changes`` are the new values, ``shown_values`` the former ones. A field without its hidden
    input is compared with ``initial``, and is not in ``shown_values``.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            is_sent = self.add_initial_prefix(name) in self.data
            field.show_hidden_initial = is_sent or not self.is_bound

    @property
    def changes(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in self.changed_data}

    @property
    def shown_values(self) -> dict[str, Any]:
        result = {}
        for name, field in self.fields.items():
            if field.show_hidden_initial:
                prefixed_name = self.add_initial_prefix(name)
                value = self._widget_data_value(field.hidden_widget(), prefixed_name)  # type: ignore[attr-defined]
                value = list(filter(None, value)) if isinstance(value, list) else value
                try:
                    result[name] = field.to_python(value)
                except forms.ValidationError:
                    result[name] = None
        return result

    def show_beside(self, current: Mapping[str, Any], names: Iterable[str]) -> None:
        """Show these fields' current values as initial; what was typed stays for saving again."""
        data = QueryDict(mutable=True)
        data.update(self.data)
        for name in names:
            data.setlist(self.add_initial_prefix(name), self._as_sent(name, current[name]))
        self.data = data

    def overtaken(self, current: Mapping[str, Any]) -> list[str]:
        """The fields that differ both from what the page showed and from what was typed."""
        shown_values = self.shown_values
        return [
            name
            for name, value in current.items()
            if name in shown_values
            and not self.fields[name].disabled
            and self._differs(name, value, shown_values[name])
            and self._differs(name, value, self[name].data)
        ]

    def show_now(
        self, current: Mapping[str, Any], names: Iterable[str], actor: str, time_text: str
    ) -> None:
        """Note at these fields what someone else has saved since.

        What was typed stays; an untouched field shows the saved value.
        """
        changed_names = set(self.changed_data)
        for name in names:
            change_text = self._change_sentence(name, current[name])
            advice = (
                "What you typed is not saved yet: press Save again to use it instead."
                if name in changed_names
                else "Nothing is saved yet: check it, then press Save again."
            )
            time_phrase = f" at {time_text}" if time_text else ""
            self.add_error(name, f"{actor or 'Someone else'} {change_text}{time_phrase}. {advice}")
        self.show_beside(current, names)
        for name in set(names) - changed_names:
            self.data.setlist(self.add_prefix(name), self._as_sent(name, current[name]))  # type: ignore[attr-defined]

    def _as_sent(self, name: str, value: Any) -> list[str]:
        """A value as a browser submits it."""
        value = self.fields[name].prepare_value(value)
        values = value if isinstance(value, list | tuple) else [value]
        return ["" if value is None else str(value) for value in values] or [""]

    def _differs(self, name: str, current: Any, other_value: Any) -> bool:
        field, rows = self.fields[name], (current, other_value)
        current, other_value = (
            item.replace("\r\n", "\n").strip() if isinstance(item, str) else item for item in rows
        )
        return field.has_changed(current, other_value)

    def _change_sentence(self, name: str, current: Any) -> str:
        if isinstance(current, bool):
            return "ticked this" if current else "unticked this"
        labels = {str(key): label for key, label in getattr(self.fields[name], "choices", ())}
        values = current if isinstance(current, list | tuple) else [current]
        items = []
        for value in values:
            if value is None or isinstance(value, date):
                value_text = readable_value(value)
            else:
                value_text = time_of_day(value) if isinstance(value, time) else str(value)
                value_text = (
                    value_text
                    if len(value_text) <= MAX_VALUE_LENGTH
                    else f"{value_text[:MAX_VALUE_LENGTH]}…"
                )
            items.append(str(labels.get(str(value), value_text)))
        text = ", ".join(items)
        return f"changed this to “{text}”" if text else "emptied this"


def save_unless_overtaken(
    form: ChangeForm,
    event: Event,
    *,
    lock: Callable[[], object],
    current: Callable[[], Mapping[str, Any]],
    save: Callable[[], Saved],
) -> Saved | None:
    """The result of ``save``; None if the form is invalid or the change was refused.

    ``current`` is called with the lock held: the current values, by the form's fields.
    """
    if not form.is_valid():
        return None
    try:
        with transaction.atomic():
            lock()
            refuse_overtaken(form, event, current())
            return save()
    except Overtaken:
        return None
    except Refused as refused:
        add_problems(form, refused)
        return None


def refuse_overtaken(form: ChangeForm, event: Event, current: Mapping[str, Any]) -> None:
    """Raise ``Overtaken`` if someone changed the same fields; the form says who and what."""
    if names := form.overtaken(current):
        last = last_entry(
            event.club, event.kind, event.pk, tuple(event.done_sentences), **event.log_lookup
        )
        actor, time_text = (last.actor, moment(last.at)) if last else ("", "")
        form.show_now(current, names, actor, time_text)
        raise Overtaken(CHANGED_MESSAGE, is_done=False)


class FoldedForm(forms.BaseForm):
    """A form that asks the few things to decide, and folds the rest below its defaults."""

    ABOVE: ClassVar[tuple[str, ...]]

    @property
    def main_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.ABOVE]

    @property
    def folded_fields(self) -> list[forms.BoundField]:
        return [field for field in self if field.name not in self.ABOVE]

    @property
    def is_open_below(self) -> bool:
        return is_unusual(self.folded_fields)


def is_unusual(fields: Iterable[forms.BoundField]) -> bool:
    """Whether one of the fields is wrong, or is not as the sentence of its fold says."""
    return any(
        field.errors or field.field.has_changed(field.field.initial, field.value())
        for field in fields
    )
