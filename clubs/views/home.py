"""The first page of all, and a club's own first page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from clubs.accounts import selectors
from clubs.core.access import ClubRequest, door, open_to_all
from clubs.core.backups import backup_news
from clubs.core.page_context import framed
from clubs.core.permissions import MANAGE_LEAGUE, MANAGE_MEMBERS, RUN_EVENING, SEE_HOME
from clubs.league.selectors import yearbook
from clubs.models import Club


@open_to_all
def home(request: HttpRequest) -> HttpResponse:
    """What Tongbox is, for strangers; the club, for its people; a choice for those of several."""
    clubs = selectors.clubs_of(request.user)
    if len(clubs) == 1:
        return redirect("club", club=clubs[0].slug)
    page = "choose" if request.user.is_authenticated else "welcome"
    return render(request, f"clubs/{page}.html", {"clubs": clubs})


@door(SEE_HOME)
def club(request: ClubRequest, club: Club) -> HttpResponse:
    """The club at a glance: tonight, who leads, what to do next."""
    today = timezone.localdate()
    context = framed(
        club,
        "club",
        front=yearbook.front_page(club, today=today, sees=request.sees, reader=request.reader),
        today=today,
        may_run=request.may(RUN_EVENING),
        may_manage=request.may(MANAGE_MEMBERS),
        may_lead=request.may(MANAGE_LEAGUE),
        backup=backup_news() if request.may(MANAGE_MEMBERS) else None,
    )
    return render(request, "clubs/club.html", context)
