"""The club's settings: where each is, and what people who are not signed in can see."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from clubs.core.access import ClubRequest, door
from clubs.core.locks import lock_club
from clubs.core.page_context import SETTINGS_TRAIL, framed, trail
from clubs.core.permissions import MANAGE_CLUB
from clubs.core.stale_forms import Event, save_over
from clubs.forms.public import PublicForm, switches_held
from clubs.models import Club
from clubs.services import settings as services

UNPROCESSABLE = 422


@door(MANAGE_CLUB)
def index(request: ClubRequest, club: Club) -> HttpResponse:
    """Every setting of the club, each a link to its page."""
    return render(request, "clubs/settings.html", framed(club, "settings"))


@door(MANAGE_CLUB)
def public(request: ClubRequest, club: Club) -> HttpResponse:
    """What people who are not signed in can see, with a switch for each part."""
    sent = request.POST if request.method == "POST" else None
    form = PublicForm(sent, initial=switches_held(club))
    saved = save_over(
        form,
        Event(club, "club", club.pk, {"club-public": ""}),
        lock=lambda: lock_club(club.pk),
        held=lambda: switches_held(Club.objects.get(pk=club.pk)),
        save=lambda: services.publish(club=club, **form.cleaned_data),
    )
    if saved is not None:
        messages.success(request, "Saved. This is what everyone can see from now on.")
        return redirect("club-public", club.slug)
    crumbs = trail(club, SETTINGS_TRAIL, here="What everyone can see")
    home = settings.SITE_ADDRESS + reverse("club", args=[club.slug])
    context = framed(club, "settings", form=form, home=home, breadcrumbs=crumbs)
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "clubs/public.html", context, status=status)
