"""The organisers give a table another link: what that does, then the new card."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from clubs.models import Club
from clubs.services.links import replace_link


def renew(
    request: HttpRequest, club: Club, table: Any, *, phone: str, card: str, context: dict[str, Any]
) -> HttpResponse:
    """A page that says what a new link does; a press of its button, and it shows the new one.

    ``phone`` names the address of the table's phone page, ``card`` is where its card is printed.
    """
    if request.method == "POST":
        replace_link(table=table, club=club)
        return redirect(f"{request.path}?made=yes")
    context |= {"table": table, "card": card, "is_made": "made" in request.GET}
    address = reverse(phone, args=[table.link_key])
    context["address"] = request.build_absolute_uri(address) if context["is_made"] else ""
    return render(request, "tables/new_link.html", context)
