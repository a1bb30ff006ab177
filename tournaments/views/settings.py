"""A tournament's settings, for as long as they can be changed."""

from collections.abc import Sequence
from typing import cast

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render

from clubs.core.access import ClubRequest, door
from clubs.core.forms import add_problems
from clubs.core.stale_forms import Event, Overtaken, refuse_overtaken
from clubs.models import Club
from scoring.naming import listed
from scoring.scorebook.refusals import Refused
from tournaments import services
from tournaments.forms.tournament import TournamentChangeForm, settings_of
from tournaments.models import Tournament
from tournaments.permissions import RUN_TOURNAMENT
from tournaments.selectors.settled import SETTINGS, settled
from tournaments.services.making import Settings
from tournaments.views.pages import UNPROCESSABLE, about, find


@door(RUN_TOURNAMENT)
def change(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Change what can be changed; what is settled says why."""
    tournament = find(club, pk)
    sent = request.POST if request.method == "POST" else None
    frozen = settled(tournament)
    form = TournamentChangeForm(sent, club=club, initial=settings_of(tournament), frozen=frozen)
    if form.is_valid() and (changed := _changed(tournament, form)):
        messages.success(request, f"Settings saved.{_seats(changed)}")
        return redirect("tournament", club.slug, pk)
    context = about(request, tournament, "tournament-settings", form=form)
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "tournaments/settings.html", context, status=status)


def _changed(tournament: Tournament, form: TournamentChangeForm) -> services.Changed | None:
    """What became of the rounds; None where it was refused, and the form says why."""
    told = cast(Settings, {name: form.cleaned_data[name] for name in SETTINGS})
    event = Event(tournament.club, "tournament", tournament.pk, {"tournament-settings": ""})
    try:
        return services.change_tournament(
            tournament=tournament,
            check=lambda now: refuse_overtaken(form, event, settings_of(now)),
            **told,
        )
    except Overtaken:
        return None
    except Refused as refused:
        add_problems(form, refused)
        return None


def _seats(changed: services.Changed) -> str:
    """What became of the rounds' seats, in words; empty where nothing did."""
    both = (("Also seated", changed.seated), ("No longer seated", changed.unseated))
    return "".join(f" {words}: {_rounds(numbers)}." for words, numbers in both if numbers)


def _rounds(numbers: Sequence[int]) -> str:
    return f"{'round' if len(numbers) == 1 else 'rounds'} {listed(map(str, numbers))}"
