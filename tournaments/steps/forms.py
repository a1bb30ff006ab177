"""What is asked before a step is taken, and what a table says when it calls the director."""

from django import forms

from clubs.core.forms import ShownTextField

CALLS = ("A question about the rules", "We do not agree", "Something else")


class ReasonForm(forms.Form):
    """Why a step is taken back; whether a reason is good enough the service says."""

    reason = ShownTextField(
        required=False,
        label="Reason",
        help_text="The reason is shown on the director’s desk.",
        widget=forms.TextInput(attrs={"maxlength": 200}),
    )


class AnsweredForm(forms.Form):
    """Which call of a table was answered, by its key."""

    call = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)


class CallForm(forms.Form):
    """What a call is about, one of ``CALLS``; nothing where they do not say."""

    what = forms.ChoiceField(required=False, choices=[(what, what) for what in CALLS])


class MinutesForm(forms.Form):
    """Minutes to add (below nothing: to take away), and how many had been added when asked."""

    minutes = forms.IntegerField(label="Minutes")
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)
