"""What a club shows to people who are not signed in."""

from django import forms

from clubs.core.stale_forms import ChangeForm
from clubs.models import Club


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
        label="Calendar",
        required=False,
        help_text="The dates, times and place of coming evenings.",
    )


SWITCHES = tuple(PublicForm.base_fields)


def switches_held(club: Club) -> dict[str, bool]:
    """What the form holds for a club."""
    return {name: getattr(club, name) for name in SWITCHES}
