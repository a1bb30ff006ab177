"""Forms that change something and know what their page showed, so that only changes are saved."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.http import QueryDict


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
            value = self.fields[name].prepare_value(held[name])
            data[self.add_initial_prefix(name)] = "" if value is None else str(value)
        self.data = data
