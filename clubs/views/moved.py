"""Pages that have a new address: the old one leads there, whatever was asked or sent."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from clubs.core.access import open_to_all


@open_to_all
def moved(request: HttpRequest, to: str, **where: Any) -> HttpResponse:
    """Lead to the page of that name for good, with the question asked and the form sent."""
    address = reverse(to, kwargs=where)
    query = request.META.get("QUERY_STRING", "")
    whole = f"{address}?{query}" if query else address
    return redirect(whole, permanent=True, preserve_request=True)
