"""Forms that change something and know what their page showed, so that only changes are saved."""

from collections.abc import Iterable, Mapping
from datetime import date, time
from typing import Any, Final

from django import forms
from django.http import QueryDict

from clubs.language.moments import time_of_day
from clubs.language.words import value_words

MOST_TOLD: Final = 300  # characters of a text that someone else has written


class ChangeForm(forms.Form):
    """A form that sends along what its page showed, in hidden inputs (``initial-name``).

    ``changes`` is what someone typed over, ``shown`` what stood there before. A field that came
    without its hidden input is compared with ``initial``, and is not in ``shown``.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            is_sent = self.add_initial_prefix(name) in self.data
            field.show_hidden_initial = is_sent or not self.is_bound

    @property
    def changes(self) -> dict[str, Any]:
        """The cleaned values of the fields that were changed."""
        return {name: self.cleaned_data[name] for name in self.changed_data}

    @property
    def shown(self) -> dict[str, Any]:
        """What the page showed, by the names of the fields."""
        found = {}
        for name, field in self.fields.items():
            if field.show_hidden_initial:
                sent = self._widget_data_value(field.hidden_widget(), self.add_initial_prefix(name))  # type: ignore[attr-defined]
                sent = list(filter(None, sent)) if isinstance(sent, list) else sent
                try:
                    found[name] = field.to_python(sent)
                except forms.ValidationError:
                    found[name] = None
        return found

    def show_beside(self, held: Mapping[str, Any], names: Iterable[str]) -> None:
        """Take these fields as shown with what is held now; what was typed stays in them.

        So the next press changes what is held now.
        """
        data = QueryDict(mutable=True)
        data.update(self.data)
        for name in names:
            data.setlist(self.add_initial_prefix(name), self._as_sent(name, held[name]))
        self.data = data

    def overtaken(self, held: Mapping[str, Any]) -> list[str]:
        """The fields that are neither as the page showed them nor as they were typed here."""
        shown = self.shown
        return [
            name
            for name, value in held.items()
            if name in shown
            and not self.fields[name].disabled
            and self._differs(name, value, shown[name])
            and self._differs(name, value, self[name].data)
        ]

    def show_now(self, held: Mapping[str, Any], names: Iterable[str], who: str, at: str) -> None:
        """Say at these fields what someone else has saved since.

        What was typed stays; a field that was not touched shows what is saved now.
        """
        typed = set(self.changed_data)
        for name in names:
            self.add_error(
                name, self._changed_by(name, held[name], who, at, is_typed=name in typed)
            )
        self.show_beside(held, names)
        for name in set(names) - typed:
            self.data.setlist(self.add_prefix(name), self._as_sent(name, held[name]))  # type: ignore[attr-defined]

    def _as_sent(self, name: str, value: Any) -> list[str]:
        """A value as a browser sends it."""
        value = self.fields[name].prepare_value(value)
        values = value if isinstance(value, list | tuple) else [value]
        return ["" if one is None else str(one) for one in values] or [""]

    def _differs(self, name: str, held: Any, other: Any) -> bool:
        field, told = self.fields[name], (held, other)
        held, other = (
            one.replace("\r\n", "\n").strip() if isinstance(one, str) else one for one in told
        )
        return field.has_changed(held, other)

    def _changed_by(self, name: str, held: Any, who: str, at: str, *, is_typed: bool) -> str:
        did = f"{who or 'Someone else'} {self._told(name, held)}{at and f' at {at}'}."
        if is_typed:
            return f"{did} What you typed is not saved yet: press Save again to use it instead."
        return f"{did} Nothing is saved yet: check it, then press Save again."

    def _told(self, name: str, held: Any) -> str:
        """What was done to a field, in words."""
        if isinstance(held, bool):
            return "ticked this" if held else "unticked this"
        labels = {str(key): label for key, label in getattr(self.fields[name], "choices", ())}
        values = held if isinstance(held, list | tuple) else [held]
        words = ", ".join(str(labels.get(str(one), _in_words(one))) for one in values)
        return f"changed this to “{words}”" if words else "emptied this"


def _in_words(value: Any) -> str:
    if value is None or isinstance(value, date):
        return value_words(value)
    words = time_of_day(value) if isinstance(value, time) else str(value)
    return words if len(words) <= MOST_TOLD else f"{words[:MOST_TOLD]}…"
