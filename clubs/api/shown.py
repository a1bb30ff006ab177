"""What a program looked at before it changes a state."""

from typing import Any

from rest_framework import serializers

from clubs.api.fields import TextField


class ShownIn(serializers.Serializer[Any]):
    """What was looked at before."""

    shown = TextField(
        required=False,
        max_length=80,
        help_text="as it was read: refused (409) where someone has changed it since, and by whom",
    )
