"""How many hands the pretend members play by themselves."""

from django import forms

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
