"""What is typed about table money: who has paid, and the price."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from clubs.models import Club, Player

PRICE = {
    "required": "Enter the amount, for example 2.50.",
    "invalid": "Enter the amount in pounds, for example 2.50.",
    "max_decimal_places": "Enter whole pence, for example 2.50.",
    "min_value": "The price cannot be negative.",
    "max_value": "That price is too high. Check the amount.",
}


class PriceForm(forms.Form):
    """What an evening costs a head, in pounds; ``pence`` holds it in pence."""

    price = forms.DecimalField(
        label="Price per person (£)",
        help_text="For example 2.50. Payments already recorded do not change.",
        min_value=0,
        max_value=100,
        decimal_places=2,
        error_messages=PRICE,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "class": "input--short"}),
    )

    @property
    def pence(self) -> int:
        """The price in pence."""
        return int(self.cleaned_data["price"] * 100)


class PaidForm(forms.Form):
    """One press: ``paid`` or ``unpaid``, and who."""

    paid = forms.ModelChoiceField(queryset=Player.objects.none(), required=False)
    unpaid = forms.ModelChoiceField(queryset=Player.objects.none(), required=False)

    def __init__(self, club: Club, data: Any) -> None:
        super().__init__(data)
        for name in ("paid", "unpaid"):
            self.fields[name].queryset = club.players.all()  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Exactly one person."""
        told = [self.cleaned_data.get(name) for name in ("paid", "unpaid")]
        if self.errors or sum(player is not None for player in told) != 1:
            raise ValidationError("That person is no longer in the member list.")
        return {"player": told[0] or told[1], "has_paid": told[0] is not None}
