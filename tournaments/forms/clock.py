"""How many minutes are added to a clock, or taken from it."""

from django import forms


class MinutesForm(forms.Form):
    """Minutes to add (below nothing: to take away), and how many had been added when asked."""

    minutes = forms.IntegerField(label="Minutes")
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)
