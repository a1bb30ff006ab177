"""The address for phones over the API."""

from collections.abc import Mapping
from typing import Any

from django.urls import path
from rest_framework import serializers

from clubs.api.base import reads
from clubs.api.commands import ChangeAPIView, changes
from clubs.core.addresses import chosen_address, site_address
from clubs.core.permissions import MANAGE_CLUB
from clubs.house import services
from clubs.house.forms.club import AddressForm

Shape = serializers.Serializer[object]


class ClubAddressShape(Shape):
    """Where links, table cards and QR codes lead phones."""

    address = serializers.CharField()
    why_fixed = serializers.CharField(help_text="why the club cannot change it; empty: it can")


class ClubAddressView(ChangeAPIView):
    access = MANAGE_CLUB

    @reads(ClubAddressShape)
    def get(self) -> dict[str, str]:
        """Get where links, table cards and QR codes lead phones."""
        return self.answer()

    def answer(self) -> dict[str, str]:
        return {"address": site_address(), "why_fixed": services.fixed_address(self.club)}

    def current(self) -> Mapping[str, Any]:
        return {"address": chosen_address()}

    @changes(AddressForm, answers=ClubAddressShape)
    def patch(self, validated: dict[str, Any]) -> dict[str, str]:
        """Set where they lead, if the club is the only one of its installation."""
        services.choose_address(club=self.club, **validated)
        return self.answer()


urlpatterns = [
    path("clubs/<slug:club>/settings/address/", ClubAddressView.as_view(), name="api-club-address")
]
