"""The club's settings: where each is, and what people who are not signed in can see."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from clubs.doors import ClubRequest, door
from clubs.forms.public import SWITCHES, PublicForm
from clubs.frame import framed, trail
from clubs.models import Club
from clubs.permissions import MANAGE_CLUB
from clubs.services import settings as services

SETTINGS = ("Settings", "settings")


@door(MANAGE_CLUB)
def index(request: ClubRequest, club: Club) -> HttpResponse:
    """Every setting of the club, each a link to its page."""
    return render(request, "clubs/settings.html", framed(club, "settings"))


@door(MANAGE_CLUB)
def public(request: ClubRequest, club: Club) -> HttpResponse:
    """What people who are not signed in can see, with a switch for each part."""
    now = {name: getattr(club, name) for name in SWITCHES}
    form = PublicForm(request.POST if request.method == "POST" else None, initial=now)
    if form.is_valid():
        services.publish(club=club, **form.cleaned_data)
        messages.success(request, "Saved. This is what everyone can see from now on.")
        return redirect("club-public", club.slug)
    crumbs = trail(club, SETTINGS, here="What everyone can see")
    home = settings.SITE_ADDRESS + reverse("club", args=[club.slug])
    context = framed(club, "settings", form=form, home=home, breadcrumbs=crumbs)
    return render(request, "clubs/public.html", context)
