"""Who comes in and who leaves while an evening is being played."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from django import forms
from django.forms import ChoiceField

from clubs.models import Player, Session
from clubs.selectors.changing import ChangesNow, TableNow, playing, waiting
from clubs.services import changing as services

Act = Callable[..., tuple[str, ...]]
SIZES = {2: "two", 3: "three", 4: "four", 5: "five"}
WITHOUT, ENDS = "without", "ends"


class _Change(forms.Form):
    """One kind of change of this evening."""

    def __init__(self, session: Session, data: Any = None) -> None:
        super().__init__(data, prefix=type(self).__name__.lower())
        self.session = session


def _choice(label: str, choices: list[tuple[str, str]], missing: str) -> ChoiceField:
    return ChoiceField(
        label=label,
        choices=choices,
        widget=forms.RadioSelect,
        error_messages=dict.fromkeys(("required", "invalid_choice"), missing),
    )


def _person(label: str, people: Any, shown: Iterable[Player]) -> "forms.ModelChoiceField[Player]":
    field = forms.ModelChoiceField(
        label=label,
        queryset=people,
        error_messages=dict.fromkeys(("required", "invalid_choice"), "Choose a player."),
    )
    field.choices = [("", "Choose a player"), *_named(shown)]
    return field


def _named(people: Iterable[Player]) -> list[tuple[str, str]]:
    return [(str(player.pk), player.name) for player in people]


class Comes(_Change):
    """Someone who waits sits down at a table that can take one more."""

    def __init__(self, session: Session, now: ChangesNow, data: Any = None) -> None:
        super().__init__(session, data)
        self.fields["player"] = _person("Player", waiting(session), now.waiters)
        tables = [(str(one.number), _joined(one)) for one in now.tables if one.takes]
        self.fields["number"] = _choice("Table", tables, "Choose a table.")

    @property
    def act(self) -> Act:
        """They sit in."""
        told = self.cleaned_data
        return partial(
            services.sit_in,
            session=self.session,
            player=told["player"],
            number=int(told["number"]),
        )


def _joined(table: TableNow) -> str:
    return f"Table {table.number}, which becomes a {SIZES[len(table.seats) + 1]}"


class Leaves(_Change):
    """Someone gives up their seat; someone takes it, the others go on, or the table ends."""

    def __init__(self, session: Session, now: ChangesNow, data: Any = None) -> None:
        super().__init__(session, data)
        self.fields["leaver"] = _person("Player leaving", playing(session), now.players)
        takers = [(key, f"{name} takes over the seat") for key, name in _named(now.waiters)]
        rest = [(WITHOUT, "The others carry on without them"), (ENDS, "The table ends here")]
        self.fields["then"] = _choice(
            "What happens to the table?", [*takers, *rest], "Choose what happens to the table."
        )
        self.fields["home"] = forms.BooleanField(
            label="They are going home",
            required=False,
            initial=True,
            help_text="Leave unticked if they are staying and want another seat.",
        )

    @property
    def act(self) -> Act:
        """The seat is given up in the way that was chosen."""
        told = self.cleaned_data
        leaving = {
            "session": self.session,
            "leaver": told["leaver"],
            "goes_home": told["home"],
        }
        if told["then"] == WITHOUT:
            return partial(services.leave, **leaving)
        if told["then"] == ENDS:
            return partial(services.end_table, **leaving)
        taker = waiting(self.session).get(pk=told["then"])
        return partial(services.take_over, player=taker, **leaving)


class NewTable(_Change):
    """Those who wait make a table of their own."""

    def __init__(self, session: Session, now: ChangesNow, data: Any = None) -> None:
        super().__init__(session, data)
        players = forms.ModelMultipleChoiceField(
            label="Who sits there",
            queryset=waiting(session),
            widget=forms.CheckboxSelectMultiple,
            error_messages=dict.fromkeys(
                ("required", "invalid_choice", "invalid_pk_value"), "Choose who sits there."
            ),
        )
        players.choices = _named(now.waiters)
        self.fields["players"] = players

    @property
    def act(self) -> Act:
        """The table is laid."""
        players = list(self.cleaned_data["players"])
        return partial(services.lay_another, session=self.session, players=players)
