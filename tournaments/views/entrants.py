"""The entry list: members by a tick, many by pasting, one by one, and whoever withdraws."""

from collections.abc import Callable
from typing import Any, cast

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, door
from clubs.core.forms import add_problems
from clubs.core.stale_forms import ChangeForm, Event, Overtaken, Shown, as_shown, refuse_overtaken
from clubs.models import Club
from scoring.scorebook.refusals import Refused
from tournaments import services
from tournaments.forms.entries import (
    EntrantForm,
    EntryRulesForm,
    MembersForm,
    NamesForm,
    NoteForm,
    terms_held,
)
from tournaments.models import Entrant, Tournament, TournamentState
from tournaments.permissions import RUN_TOURNAMENT
from tournaments.selectors.people import entrant_state, entry_list
from tournaments.selectors.preflight import before_withdrawing
from tournaments.views.pages import UNPROCESSABLE, about, find
from tournaments.views.steps import ask

Way = Callable[[Tournament, Form], int]


@door(RUN_TOURNAMENT)
def entrants(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Who has entered, and three ways to enter more."""
    tournament = find(club, pk)
    forms = _forms(tournament)
    way = request.POST.get("way", "")
    if request.method == "POST" and way in forms:
        forms = _forms(tournament, **{way: request.POST})
        if _enter(request, tournament, forms[way], WAYS[way]):
            return redirect("entrants", club.slug, pk)
    is_wrong = any(form.errors for form in forms.values())
    context = about(request, tournament, "entrants", forms=forms, **_listed(tournament))
    status = UNPROCESSABLE if is_wrong else 200
    return render(request, "tournaments/entrants.html", context, status=status)


def _listed(tournament: Tournament) -> dict[str, Any]:
    entries = entry_list(tournament)
    others = (("waiting", entries.waiting), ("withdrawn", entries.withdrawn))
    return {
        "entries": entries,
        "others": [(title, rows) for title, rows in others if rows],
        "is_open": tournament.state != TournamentState.FINISHED,
    }


@door(RUN_TOURNAMENT)
def withdraw(request: ClubRequest, club: Club, pk: int, entrant: int) -> HttpResponse:
    """Take someone off the list, after a look at what that does."""
    if request.method == "POST":
        return _change(request, club, pk, entrant, services.withdraw, "{} has withdrawn.")
    tournament = find(club, pk)
    try:
        leaving = _entrant(tournament, entrant)
    except Overtaken as refused:
        messages.info(request, str(refused))
        return redirect("entrants", club.slug, pk)
    now = Shown("entrant-withdraw", entrant_state(leaving, "entrant-withdraw"))
    return ask(request, tournament, before_withdrawing(leaving), now=now)


@door(RUN_TOURNAMENT)
@require_POST
def readmit(request: ClubRequest, club: Club, pk: int, entrant: int) -> HttpResponse:
    """Someone who withdrew or waits plays after all."""
    return _change(request, club, pk, entrant, services.readmit, "{} added to the tournament.")


@door(RUN_TOURNAMENT)
@require_POST
def note(request: ClubRequest, club: Club, pk: int, entrant: int) -> HttpResponse:
    """Tick that someone has paid or is here, or take the tick back."""
    tournament, form = find(club, pk), NoteForm(request.POST)
    try:
        ticked = _entrant(tournament, entrant)
    except Overtaken as refused:
        messages.info(request, str(refused))
        return redirect("entrants", club.slug, pk)
    if form.is_valid():
        told = {form.cleaned_data["tick"]: form.cleaned_data["to"]}
        services.note(tournament=tournament, entrant=ticked, **told)
    return redirect(f"{reverse('entrants', args=[club.slug, pk])}#entrant-{entrant}")


def _change(
    request: ClubRequest, club: Club, pk: int, entrant: int, act: Callable[..., None], said: str
) -> HttpResponse:
    tournament, match = find(club, pk), request.resolver_match
    shown = as_shown(str(match.url_name) if match else "", request.POST)
    try:
        changed = _entrant(tournament, entrant)
        act(tournament=tournament, entrant=changed, shown=shown)
    except Overtaken as refused:
        messages.info(request, str(refused))
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, said.format(changed.name))
    return redirect("entrants", club.slug, pk)


def _entrant(tournament: Tournament, pk: int) -> Entrant:
    """The entrant of the address; raises ``Overtaken`` for one who was withdrawn for good."""
    entrant = tournament.entrants.filter(pk=pk).first()
    if entrant is None:
        raise services.withdrawn_before(tournament, pk) or Http404
    return entrant


def _forms(tournament: Tournament, **data: Any) -> dict[str, Form]:
    return {
        "members": MembersForm(tournament, data.get("members")),
        "names": NamesForm(data.get("names")),
        "one": EntrantForm(data.get("one")),
        "rules": EntryRulesForm(
            data.get("rules"),
            initial=terms_held(tournament),
        ),
    }


def _enter(request: ClubRequest, tournament: Tournament, form: Form, way: Way) -> bool:
    """Whether the form's people are entered; otherwise the form says why not."""
    if not form.is_valid():
        return False
    try:
        count = way(tournament, form)
    except Overtaken:  # the form says who changed what
        return False
    except Refused as refused:
        add_problems(form, refused)
        return False
    people = "1 player has" if count == 1 else f"{count} players have"
    messages.success(request, f"{people} been entered." if count else "Saved.")
    return True


def _members(tournament: Tournament, form: Form) -> int:
    names = [player.name for player in form.cleaned_data["players"]]
    return services.enter_many(tournament=tournament, names=names)


def _names(tournament: Tournament, form: Form) -> int:
    return services.enter_many(tournament=tournament, names=form.cleaned_data["names"])


def _one(tournament: Tournament, form: Form) -> int:
    services.enter(
        tournament=tournament,
        name=form.cleaned_data["name"],
        from_club=form.cleaned_data["from_club"],
        team=form.cleaned_data["team"],
    )
    return 1


def _rules(tournament: Tournament, form: Form) -> int:
    event = Event(tournament.club, "tournament", tournament.pk, {"entrants:rules": ""})
    services.set_entry_rules(
        tournament=tournament,
        check=lambda now: refuse_overtaken(cast(ChangeForm, form), event, terms_held(now)),
        **form.cleaned_data,
    )
    return 0


WAYS: dict[str, Way] = {"members": _members, "names": _names, "one": _one, "rules": _rules}
