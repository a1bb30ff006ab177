"""What someone types about their own sign-in."""

from django import forms


class AddressForm(forms.Form):
    """The address that someone wants to sign in with."""

    email = forms.EmailField(
        label="New email address",
        max_length=254,
        widget=forms.EmailInput({"autocomplete": "email"}),
    )
