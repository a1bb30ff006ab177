"""A tournament's entry list and its settings."""

from collections.abc import Callable
from typing import Any, cast

from django.contrib import messages
from django.forms import Form
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, requires
from clubs.core.forms import (
    ChangeForm,
    Event,
    Overtaken,
    ShownState,
    add_problems,
    refuse_overtaken,
    shown_state,
)
from clubs.core.pages import attachment, render_form, run_action
from clubs.members.forms import ColumnsForm, are_capitals_rewritten, columns_of
from clubs.members.lists import lines_skipped
from clubs.models import Club
from scoring.hands.hand import join_words
from scoring.scorebook.refusals import Refused
from tournaments.core import (
    RUN_TOURNAMENT,
    TOURNAMENT_PATH,
    file_name_of,
    get_tournament_or_404,
    tournament_context,
)
from tournaments.models import Entrant, OddNumber, Tournament, TournamentState
from tournaments.results.exports import entries_csv
from tournaments.rounds import steps
from tournaments.rounds.couples import unknown_partner
from tournaments.rounds.selectors import entrant_state, entry_list, rounds_of
from tournaments.seating.selectors import TABLE_SIZE, unmet_criteria
from tournaments.setup import corrections, services as services_entries, written_entries
from tournaments.setup.forms import (
    CorrectEntrantForm,
    EntrantForm,
    EntryCheckForm,
    EntryListForm,
    EntryRulesForm,
    MembersForm,
    NamesForm,
    NoteForm,
    TournamentChangeForm,
    details_of,
    initial_entry_rules,
    settings_of,
)
from tournaments.setup.selectors import fixed_settings
from tournaments.steps.selectors import preflight_withdrawal
from tournaments.steps.views import render_preflight

SEE_OPTIONS_HINT = (
    "To see whether new seats are better, press “Seating”, “Change seating” and "
    "“Preview the options”."
)

ENTRANT_PATH = f"{TOURNAMENT_PATH}entrants/<int:entrant>/"


@requires(
    RUN_TOURNAMENT,
    {
        "": "changed who is entered for {tournament}",
        "rules": "changed the terms of entry for {tournament}",
    },
    log_for=(
        "POST api-entrant-list",
        "POST api-entrants-names",
        "POST api-entrant-member-list",
        "PATCH api-entrants-terms",
    ),
)
def entrant_list(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The entry list, and three ways to add entrants."""
    tournament = get_tournament_or_404(club, pk)
    forms = _entry_forms(tournament)
    form_name = request.POST.get("way", "")
    if request.method == "POST" and form_name in forms:
        forms = _entry_forms(tournament, **{form_name: request.POST})
        if form_name == "names" and forms[form_name].is_valid():
            return _preview_pasted(request, tournament, forms[form_name].cleaned_data["names"])
        if _enter_from_form(request, tournament, forms[form_name], form_name):
            return redirect("entrants", club.slug, pk)
    entries = entry_list(tournament)
    other_lists = (("waiting", entries.waiting), ("withdrawn", entries.withdrawn))
    extra_context = {
        "entries": entries,
        "others": [(title, rows) for title, rows in other_lists if rows],
        "is_open": tournament.state != TournamentState.FINISHED,
        "may_seat": len(entries.entered) >= TABLE_SIZE
        and (entries.fills_tables or tournament.odd_number != OddNumber.WAIT),
    }
    context = tournament_context(request, tournament, "entrants", forms=forms, **extra_context)
    return render_form(request, "tournaments/setup/entrants.html", context, *forms.values())


@requires(
    RUN_TOURNAMENT, "withdrew {entrant} from {tournament}", log_for="POST api-entrant-withdraw"
)
def withdraw_entrant(request: ClubRequest, club: Club, pk: int, entrant: int) -> HttpResponse:
    """Remove someone from the list, after a page on the consequences."""
    if request.method == "POST":
        return _change_entrant(
            request, club, pk, entrant, services_entries.withdraw, "{} has withdrawn."
        )
    tournament = get_tournament_or_404(club, pk)
    try:
        leaving = _get_entrant(tournament, entrant)
    except Overtaken as refused:
        messages.info(request, str(refused))
        return redirect("entrants", club.slug, pk)
    now = ShownState("entrant-withdraw", entrant_state(leaving, "entrant-withdraw"))
    return render_preflight(
        request, tournament, preflight_withdrawal(leaving), now=now, place="entrants"
    )


@requires(
    RUN_TOURNAMENT, "readmitted {entrant} to {tournament}", log_for="POST api-entrant-readmit"
)
@require_POST
def readmit_entrant(request: ClubRequest, club: Club, pk: int, entrant: int) -> HttpResponse:
    return _change_entrant(
        request, club, pk, entrant, services_entries.readmit, "{} added to the tournament."
    )


@requires(
    RUN_TOURNAMENT,
    "corrected the entry of {entrant} in {tournament}",
    log_for="PATCH api-entrant-detail",
)
def correct_entrant(request: ClubRequest, club: Club, pk: int, entrant: int) -> HttpResponse:
    """Correct an entrant's name, club, team or partner, at any time and everywhere at once."""
    tournament = get_tournament_or_404(club, pk)
    try:
        row = _get_entrant(tournament, entrant)
    except Overtaken as refused:
        messages.info(request, str(refused))
        return redirect("entrants", club.slug, pk)
    row.tournament = tournament
    form = CorrectEntrantForm(request.POST if request.method == "POST" else None, entrant=row)
    if form.is_valid() and _save_correction(request, form, row):
        return redirect(f"{reverse('entrants', args=[club.slug, pk])}#entrant-{entrant}")
    context = tournament_context(request, tournament, "entrants", form=form, entrant=row)
    return render_form(request, "tournaments/setup/correct_entrant.html", context, form)


def _save_correction(request: ClubRequest, form: CorrectEntrantForm, row: Entrant) -> bool:
    """Whether it was saved; otherwise the form says why not."""
    tournament = row.tournament
    done_sentences, row_keys = {"entrant-correct": ""}, {"entrant": row.pk}
    event = Event(tournament.club, "tournament", tournament.pk, done_sentences, row_keys)
    details = {name: form.cleaned_data[name] for name in details_of(row)}
    try:
        corrected_entrant = corrections.correct_entrant(
            tournament=tournament,
            entrant=row,
            details=corrections.EntrantDetails(**details),
            note=form.cleaned_data.get("note", ""),
            made_by=f"user {request.user.pk}",
            check=lambda now: refuse_overtaken(form, event, details_of(now)),
        )
    except Overtaken:
        return False  # the form says who changed what
    except Refused as refused:
        add_problems(form, refused)
        return False
    messages.success(request, "Entry corrected. Print badges and cards again if they were printed.")
    _warn_missing_partner(request, corrected_entrant)
    return True


@requires(RUN_TOURNAMENT, "updated {entrant} in {tournament}", log_for="PATCH api-entrant-detail")
@require_POST
def tick_entrant(request: ClubRequest, club: Club, pk: int, entrant: int) -> HttpResponse:
    """Tick or untick that someone has paid or is here."""
    tournament, form = get_tournament_or_404(club, pk), NoteForm(request.POST)
    try:
        ticked_entrant = _get_entrant(tournament, entrant)
    except Overtaken as refused:
        messages.info(request, str(refused))
        return redirect("entrants", club.slug, pk)
    if form.is_valid():
        fields = {form.cleaned_data["tick"]: form.cleaned_data["to"]}
        services_entries.tick_entrant(tournament=tournament, entrant=ticked_entrant, **fields)
    return redirect(f"{reverse('entrants', args=[club.slug, pk])}#entrant-{entrant}")


def _change_entrant(
    request: ClubRequest, club: Club, pk: int, entrant: int, act: Callable[..., None], message: str
) -> HttpResponse:
    tournament, match = get_tournament_or_404(club, pk), request.resolver_match
    page_state = shown_state(str(match.url_name) if match else "", request.POST)

    def change() -> str:
        changed_entrant = _get_entrant(tournament, entrant)
        act(tournament=tournament, entrant=changed_entrant, page_state=page_state)
        return message.format(changed_entrant.name)

    run_action(request, change, str)
    return redirect("entrants", club.slug, pk)


def _get_entrant(tournament: Tournament, pk: int) -> Entrant:
    """The entrant of the address. Raises ``Overtaken`` for one who was removed for good."""
    entrant = tournament.entrants.filter(pk=pk).first()
    if entrant is None:
        raise steps.withdrawn_before(tournament, pk) or Http404
    return entrant


def _entry_forms(tournament: Tournament, **data: Any) -> dict[str, Form]:
    return {
        "members": MembersForm(tournament, data.get("members")),
        "names": NamesForm(data.get("names")),
        "one": EntrantForm(data.get("one")),
        "rules": EntryRulesForm(data.get("rules"), initial=initial_entry_rules(tournament)),
    }


def _enter_from_form(
    request: ClubRequest, tournament: Tournament, form: Form, form_name: str
) -> bool:
    """Whether the form's people were entered; otherwise the form says why not."""
    if not form.is_valid():
        return False
    try:
        count = _enter_and_count(request, tournament, form, form_name)
    except Refused as refused:
        if not isinstance(refused, Overtaken):  # the form says who changed what
            add_problems(form, refused)
        return False
    people = "1 player has" if count == 1 else f"{count} players have"
    messages.success(request, f"{people} been entered." if count else "Saved.")
    return True


def _warn_missing_partner(request: ClubRequest, entrant: Entrant) -> None:
    """Say that the partner of someone who was just entered or corrected is no entrant."""
    if message := unknown_partner(entrant):
        messages.warning(request, message)


def _enter_and_count(
    request: ClubRequest, tournament: Tournament, form: Form, form_name: str
) -> int:
    """How many were entered; none by the form about the terms."""
    fields = form.cleaned_data
    if form_name == "one":
        entrant = services_entries.enter_entrant(tournament=tournament, **fields)
        _warn_missing_partner(request, entrant)
        return 1
    if form_name == "rules":
        event = Event(tournament.club, "tournament", tournament.pk, {"entrants:rules": ""})
        services_entries.set_entry_rules(
            tournament=tournament,
            check=lambda now: refuse_overtaken(
                cast(ChangeForm, form), event, initial_entry_rules(now)
            ),
            **fields,
        )
        return 0
    names = [player.name for player in fields["players"]]
    return services_entries.enter_members(tournament=tournament, names=names)


def _preview_pasted(request: ClubRequest, tournament: Tournament, names: list[str]) -> HttpResponse:
    """The check page of a pasted list, as for an imported one."""
    text = "\n".join(names)
    written_list = written_entries.try_entries(
        tournament=tournament, text=text, is_pasted=True, small_letters=True
    )
    form = EntryCheckForm({"text": text, "is_pasted": True})
    return _check_entries(request, tournament, form, written_list)


@requires(RUN_TOURNAMENT, "imported entries for {tournament}", log_for="POST api-entrants-import")
def import_entries(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Import entrants: previewed as read, then entered."""
    tournament = get_tournament_or_404(club, pk)
    form = EntryListForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        text = form.cleaned_data["text"]
        form_data = {"text": text, "is_pasted": form.cleaned_data["is_pasted"]}
        columns = columns_of(request.POST, written_entries.TARGETS)
        small = are_capitals_rewritten(request.POST)
        try:
            written_list = written_entries.try_entries(
                tournament=tournament, columns=columns, small_letters=small, **form_data
            )
        except Refused as refused:
            form = EntryListForm(form_data)
            add_problems(form, refused)
        else:
            check = EntryCheckForm(form_data)
            return _check_entries(request, tournament, check, written_list, source=form)
    context = tournament_context(request, tournament, "entrants", form=form)
    return render_form(request, "tournaments/setup/read_in.html", context, form)


def _check_entries(
    request: ClubRequest,
    tournament: Tournament,
    form: EntryCheckForm,
    written_list: written_entries.WrittenEntryList,
    *,
    source: EntryListForm | None = None,
) -> HttpResponse:
    """Enter the list if that was pressed and nothing stands in its way; else show it to check."""
    url_args = (tournament.club.slug, tournament.pk)
    columns = ColumnsForm(written_list, written_entries.TARGETS)
    if written_list.are_all_there and "enter" in request.POST:
        messages.info(request, "Everyone on this list has already been entered.")
        return redirect("entrants", *url_args)
    is_shown = not columns.has_new_columns(request.POST)
    if "enter" in request.POST and is_shown:
        wrong = [] if "rest" in request.POST else written_list.faulty
        for problem in [
            *written_list.problems,
            *(finding.message for row in wrong for finding in row.problems),
        ]:
            form.add_error(None, problem)
        if written_list.entries and form.is_valid():
            count = services_entries.enter_entries(
                tournament=tournament, entries=written_list.entries
            )
            entries_text = f"{count} {'entry' if count == 1 else 'entries'} imported."
            skipped_names = [
                row.entry.name or f"line {row.entry.line}" for row in written_list.faulty
            ]
            skipped_text = f" {lines_skipped(skipped_names)}" if skipped_names else ""
            messages.success(request, f"{entries_text}{skipped_text}")
            return redirect("entrants", *url_args)
    context = tournament_context(
        request, tournament, "entrants", form=form, tried=written_list, columns=columns
    )
    context["source"] = source
    return render_form(request, "tournaments/setup/check_entries.html", context, form)


@requires(RUN_TOURNAMENT)
def download_entries(request: ClubRequest, club: Club, pk: int) -> HttpResponse:  # noqa: ARG001
    tournament = get_tournament_or_404(club, pk)
    return attachment(entries_csv(tournament), f"{file_name_of(tournament, 'entries')}.csv")


@requires(
    RUN_TOURNAMENT, "changed the settings of {tournament}", log_for="PATCH api-tournament-settings"
)
def change_settings(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Change the settings; fixed ones say why."""
    tournament = get_tournament_or_404(club, pk)
    data = request.POST if request.method == "POST" else None
    frozen = fixed_settings(tournament)
    form = TournamentChangeForm(data, club=club, initial=settings_of(tournament), frozen=frozen)
    if round_changes := _save_settings(tournament, form):
        # The effect on the rounds' seats, in words; empty if there is none.
        seat_changes = (
            ("Also seated", round_changes.seated_numbers),
            ("No longer seated", round_changes.unseated_numbers),
        )
        seats = "".join(
            f" {label}: {'rounds' if numbers[1:] else 'round'} {join_words(map(str, numbers))}."
            for label, numbers in seat_changes
            if numbers
        )
        messages.success(request, f"Settings saved.{seats}")
        costs = unmet_criteria(rounds_of(tournament)) if round_changes.seated_numbers else ()
        if costs:
            messages.warning(request, " ".join([*costs, SEE_OPTIONS_HINT]))
        return redirect("tournament", club.slug, pk)
    context = tournament_context(request, tournament, "tournament-settings", form=form)
    return render_form(request, "tournaments/setup/settings.html", context, form)


def _save_settings(
    tournament: Tournament, form: TournamentChangeForm
) -> services_entries.RoundChanges | None:
    """The effect on the rounds; None if the form is invalid or says why it was refused."""
    if not form.is_valid():
        return None
    event = Event(tournament.club, "tournament", tournament.pk, {"tournament-settings": ""})
    try:
        return services_entries.change_tournament(
            tournament=tournament,
            check=lambda now: refuse_overtaken(form, event, settings_of(now)),
            **form.settings,
        )
    except Refused as refused:
        if not isinstance(refused, Overtaken):  # the form says who changed what
            add_problems(form, refused)
        return None


urlpatterns = [
    path(f"{TOURNAMENT_PATH}entrants/", entrant_list, name="entrants"),
    path(f"{ENTRANT_PATH}correct/", correct_entrant, name="entrant-correct"),
    path(f"{ENTRANT_PATH}withdraw/", withdraw_entrant, name="entrant-withdraw"),
    path(f"{TOURNAMENT_PATH}entrants/list/", import_entries, name="entrants-import"),
    path(f"{TOURNAMENT_PATH}entrants/list.csv", download_entries, name="entrants-csv"),
    path(f"{ENTRANT_PATH}readmit/", readmit_entrant, name="entrant-readmit"),
    path(f"{ENTRANT_PATH}note/", tick_entrant, name="entrant-note"),
    path(f"{TOURNAMENT_PATH}settings/", change_settings, name="tournament-settings"),
]
