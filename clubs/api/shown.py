"""What a program read before it changes a state."""

from typing import Any

from rest_framework import serializers

from clubs.api.fields import TextField


class ShownIn(serializers.Serializer[Any]):
    """What was read before."""

    shown = TextField(
        required=False,
        max_length=80,
        help_text="as it was read: refused (409) if someone has changed it since, with their name",
    )
