"""How it looks on this phone: large letters, strong contrast, left hand; one press each."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from clubs.appearance import SETTINGS, looks_of
from clubs.core.access import open_to_all


@open_to_all
def how_it_looks(request: HttpRequest) -> HttpResponse:
    """The settings with a piece of a table to try them on; kept in a cookie."""
    back = _back(request.POST.get("from") or request.GET.get("from", ""))
    if request.method != "POST":
        return render(request, "clubs/how_it_looks.html", {"back": back})
    told = {name: str(value) for name, value in request.POST.items()}
    answer = redirect(_here(back, told))
    looks_of(request).choosing(told).keep(answer, secure=request.is_secure())
    return answer


def _here(back: str, told: dict[str, str]) -> str:
    """This page again, at the setting that was pressed."""
    asked = f"?{urlencode({'from': back})}" if back else ""
    pressed = "".join(f"#looks-{one.name}" for one in SETTINGS if one.name in told)
    return f"{reverse('how-it-looks')}{asked}{pressed}"


def _back(address: str) -> str:
    """Where the reader came from, if that is a page of ours."""
    is_ours = address.startswith("/") and url_has_allowed_host_and_scheme(address, None)
    return address if is_ours else ""
