"""The forms of a webhook."""

from django import forms

from clubs.models import News

KIND_CHOICES = [(kind.value, kind.label.capitalize()) for kind in News if kind is not News.TRIED]


class WebhookForm(forms.Form):
    """Where the program listens, and of what it is told."""

    address = forms.CharField(
        label="Webhook URL",
        max_length=500,
        help_text="Where to send events, for example https://example.org/tongbox/",
        widget=forms.URLInput(attrs={"autocomplete": "off", "inputmode": "url"}),
    )
    kinds = forms.MultipleChoiceField(
        label="Events",
        choices=KIND_CHOICES,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one."},
    )


class WebhookChangeForm(WebhookForm):
    """The same, and whether it is told at all."""

    is_active = forms.BooleanField(label="Status", required=False)
