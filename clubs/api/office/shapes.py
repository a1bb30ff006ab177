"""The shapes of what the secretary's desk answers."""

from rest_framework import serializers

from clubs.models import Player


class HeldShape(serializers.ModelSerializer[Player]):
    """One person's details, for those who may change them."""

    id = serializers.IntegerField(source="pk")
    nicknames = serializers.SerializerMethodField()

    class Meta:
        model = Player
        fields = [
            "id",
            "name",
            "nicknames",
            "kind",
            "email",
            "wants_results",
            "phone",
            "shown_as",
            "is_active",
            "joined_on",
            "paid_until",
            "lapsed_on",
        ]

    def get_nicknames(self, player: Player) -> list[str]:
        """Other names by which the person is known on lists."""
        return [alias.name for alias in player.aliases.all()]
