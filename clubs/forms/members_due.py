"""From which visit on a guest is asked to join."""

from django import forms

MOST_VISITS = 100


class GuestVisitsForm(forms.Form):
    """A number of visits; none: nobody is asked."""

    visits = forms.IntegerField(
        label="Ask guests to join from visit number",
        required=False,
        min_value=1,
        max_value=MOST_VISITS,
        help_text="The list at the door says it then. Leave it empty to ask nobody.",
        error_messages={"invalid": "Type a number, such as 3.", "min_value": "At least 1."},
        widget=forms.NumberInput(attrs={"class": "input--short", "inputmode": "numeric"}),
    )
