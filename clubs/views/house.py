"""What a club plays, and its own rules: written, looked at beside the book, kept, retired."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, door
from clubs.core.locks import lock_club
from clubs.core.page_context import SETTINGS_TRAIL, framed, trail
from clubs.core.permissions import MANAGE_LEAGUE
from clubs.core.stale_forms import Event, save_over
from clubs.forms.house import HouseRulesForm
from clubs.forms.houselines import HouseLinesForm, as_lines, declared_in
from clubs.league import services as league_services
from clubs.models import Club, HouseRules
from clubs.services import house as services
from clubs.table.forms.rules import ClubRulesForm, rules_held
from clubs.table.selectors.rules import house_rules_of, printed_beside
from scoring import UnknownRuleSet, house, rule_set_keys
from scoring.scorebook.editions import declaration_of, rule_set
from scoring.scorebook.refusals import Refused

UNPROCESSABLE = 422
RULES = ("Club rules", "club-rules")
FIRST_BOOK = rule_set_keys()[0]


@door(MANAGE_LEAGUE)
def club_rules(request: ClubRequest, club: Club) -> HttpResponse:
    """Which rules the club plays where a season names none of its own, and its house rules."""
    form = ClubRulesForm(request.POST or None, club=club)
    if save_over(
        form,
        Event(club, "club", club.pk, {"club-rules": ""}),
        lock=lambda: lock_club(club.pk),
        held=lambda: rules_held(Club.objects.get(pk=club.pk)),
        save=lambda: league_services.change_rules(club=club, **form.cleaned_data),
    ):
        messages.success(request, "Club rules saved.")
        return redirect("settings", club.slug)
    crumbs = trail(club, SETTINGS_TRAIL, here=RULES[0])
    own = house_rules_of(club)
    context = framed(club, "settings", form=form, own=own, breadcrumbs=crumbs)
    return _page(request, "clubs/club_rules.html", context, form)


@door(MANAGE_LEAGUE)
def write(request: ClubRequest, club: Club) -> HttpResponse:
    """House rules from a form that begins with a book, or with rules that are there already."""
    begun = _begun(request, club)
    form = HouseRulesForm(request.POST if "name" in request.POST else None, begun=begun)
    if form.is_valid():
        return _preview(request, club, form.cleaned_data["declared"])
    context = _framed(
        club,
        "House rules",
        form=form,
        lines=as_lines(begun),
        own_hands=[hand.name for hand in begun.specials],
        books=[(key, rule_set(key).name) for key in rule_set_keys()],
        book=rule_set(begun.base),
    )
    return _page(request, "clubs/house_form.html", context, form)


@door(MANAGE_LEAGUE)
def lines(request: ClubRequest, club: Club) -> HttpResponse:
    """House rules as lines, for whoever knows how they are written."""
    is_sent = "sent" in request.POST
    shown = {"lines": request.POST.get("lines") or as_lines(_begun(request, club))}
    form = HouseLinesForm(request.POST, request.FILES) if is_sent else HouseLinesForm(initial=shown)
    if is_sent and form.is_valid():
        return _preview(request, club, form.cleaned_data["declared"])
    form = form.showing_the_text() if is_sent else form
    return _page(
        request, "clubs/house_lines.html", _framed(club, "House rules as text", form=form), form
    )


@door(MANAGE_LEAGUE)
@require_POST
def keep(request: ClubRequest, club: Club) -> HttpResponse:
    """Keep what was looked at; from then on it can be chosen and no longer be changed."""
    form = HouseLinesForm({"lines": request.POST.get("lines", "")})
    if form.is_valid():
        try:
            kept = services.keep_house_rules(
                club=club, declared=form.cleaned_data["declared"], made_by=request.user
            )
        except Refused as refused:
            form.add_error("lines", str(refused))
        else:
            said = f"{kept.edition.name} saved. You can now choose these rules."
            messages.success(request, said)
            return redirect("club-rules", club.slug)
    return _page(
        request, "clubs/house_lines.html", _framed(club, "House rules as text", form=form), form
    )


@door(MANAGE_LEAGUE)
@require_POST
def retire(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """No longer offer house rules; what is played by them stays."""
    return _move(request, club, pk, services.retire_house_rules, "can no longer be chosen.")


@door(MANAGE_LEAGUE)
@require_POST
def offer(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Offer retired house rules again."""
    return _move(request, club, pk, services.offer_house_rules, "can be chosen again.")


def _move(
    request: ClubRequest, club: Club, pk: int, act: Callable[..., HouseRules], said: str
) -> HttpResponse:
    get_object_or_404(club.house_rules, pk=pk)
    try:
        moved = act(club=club, pk=pk)
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, f"{moved.edition.name} {said}")
    return redirect("club-rules", club.slug)


def _begun(request: ClubRequest, club: Club) -> house.HouseRules:
    """What the form begins with: what was typed before, rules that were kept, or a book."""
    try:
        if sent := request.POST.get("lines"):
            return declared_in(sent)
        if (pk := request.GET.get("from", "")).isdecimal():
            kept = get_object_or_404(club.house_rules.select_related("edition"), pk=int(pk))
            return declaration_of(kept.edition.key)
        book = rule_set(request.GET.get("base", FIRST_BOOK))
        return house.read_house_rules({"base": book.key, "name": f"{club.name} rules"[:60]})
    except (UnknownRuleSet, ValidationError, house.BadHouseRules) as unknown:
        raise Http404 from unknown


def _preview(request: ClubRequest, club: Club, declared: house.HouseRules) -> HttpResponse:
    """The whole page of the rules with what is otherwise than in the book marked."""
    printed = printed_beside(declared.rules, rule_set(declared.base))
    context = _framed(club, "View", printed=printed, lines=as_lines(declared))
    return render(request, "clubs/house_preview.html", context)


def _framed(club: Club, here: str, **shown: Any) -> dict[str, Any]:
    return framed(
        club, "settings", breadcrumbs=trail(club, SETTINGS_TRAIL, RULES, here=here), **shown
    )


def _page(request: ClubRequest, template: str, context: dict[str, Any], form: Any) -> HttpResponse:
    status = UNPROCESSABLE if form.is_bound and form.errors else 200
    return render(request, template, context, status=status)
