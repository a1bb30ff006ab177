"""Pages about members: the list, subscriptions, imports and merged records."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_POST

from clubs.accounts.services import join_member, possible_own_records
from clubs.core.access import ClubRequest, requires
from clubs.core.forms import add_problems, overtaken_fields
from clubs.core.pages import (
    Step,
    attachment,
    breadcrumbs,
    club_context,
    member_breadcrumbs,
    render_form,
    run_action,
    save_if_valid,
)
from clubs.core.people_names import active_records
from clubs.core.permissions import MANAGE_MEMBERS, SEE_CLUB
from clubs.language.moments import long_date, readable_value
from clubs.language.words import count_words
from clubs.members import forms, selectors as rows
from clubs.members.files import csv_of_members, xlsx_of_members
from clubs.members.import_plan import SKIP_CHOICE, PlannedLine, choice_of, plan_import
from clubs.members.lists import lines_skipped, nicknames_left_out
from clubs.members.papers import members_pdf
from clubs.members.services import imports, merging, people as services
from clubs.models import Club, MemberImport, Player, PlayerMerge, TwoPeople
from clubs.paper.formats import format_from_query
from clubs.paper.response import pdf_response
from scoring.scorebook.refusals import Refused

MEMBERS_STEP = ("Members", "members")
XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
DUPLICATES_STEP = ("Possible duplicates", "members-twins")
MEMBERS_URL = "c/<slug:club>/members/"


@requires(SEE_CLUB)
def member_list(request: ClubRequest, club: Club) -> HttpResponse:
    may_manage = request.has_permission(MANAGE_MEMBERS)
    members = rows.members(club, reader=request.reader)
    context = club_context(club, "members", members=members, may_manage=may_manage)
    context["people"] = rows.people_count_words(members)
    if may_manage:
        context["duplicates"] = rows.likely_duplicates(club)
        context["perhaps_me"] = (
            () if request.reader.player else possible_own_records(club, request.user)
        )
    return render(request, "clubs/members/members.html", context)


@requires(MANAGE_MEMBERS, "added {player<made} to the list", log_for="POST api-player-list")
def add_member(request: ClubRequest, club: Club) -> HttpResponse:
    form = forms.MemberForm(request.POST or None)
    if new_player := save_if_valid(
        form, lambda: services.add_player(club=club, **form.cleaned_data)
    ):
        messages.success(request, f"{new_player.name} added.")
        return redirect("member-add" if "another" in request.POST else "members", club.slug)
    context = _member_context(club, "Add a member", form=form)
    return render_form(request, "clubs/members/add.html", context, form)


@requires(MANAGE_MEMBERS, "changed {player}’s details", log_for="PATCH api-player-detail")
def change_member(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    player = get_object_or_404(active_records(club), pk=pk)
    form = forms.MemberChangeForm(request.POST or None, initial=rows.details_of(player))
    if form.is_valid():
        try:
            changed_player = services.change_player(
                player=player, changes=form.changes, shown_details=form.shown_values
            )
        except Refused as refused:
            add_problems(form, refused)
            form.show_beside(rows.details_of(player), overtaken_fields(refused))
        else:
            messages.success(request, f"{changed_player.name} saved.")
            return redirect("player", club.slug, pk)
    crumbs = member_breadcrumbs(club, player, title="Edit member")
    context = club_context(club, "members", form=form, breadcrumbs=crumbs)
    return render_form(request, "clubs/members/change.html", context, form)


@requires(MANAGE_MEMBERS, "recorded subscriptions", log_for="PATCH api-subscriptions")
def subscription_list(request: ClubRequest, club: Club) -> HttpResponse:
    """Whose subscription is due, which guests are asked to join, and from which visit on."""
    form = forms.GuestVisitsForm(request.POST or None, initial={"visits": club.guest_visits})
    if form.is_valid():
        services.set_guest_visits(club=club, visits=form.cleaned_data["visits"])
        messages.success(request, "Saved.")
        return redirect("members-due", club.slug)
    subscriptions = rows.subscriptions(club, timezone.localdate())
    context = club_context(club, "members", form=form, subscriptions=subscriptions)
    return render_form(request, "clubs/members/due.html", context, form)


@requires(MANAGE_MEMBERS, "recorded that {player} has paid", log_for="POST api-player-renew")
@require_POST
def renew_subscription(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Paid for a year more; a second press of the same button adds no second year."""
    form = forms.RenewForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("Reload the page, then press the button again.")
    renew = partial(
        services.renew_subscription,
        shown_details=forms.shown_details(form.cleaned_data, request.POST),
    )
    return _run_on_member(request, club, pk, renew, "{0.name} is paid until {1}.")


@requires(MANAGE_MEMBERS, "recorded that {player} has left", log_for="POST api-player-lapse")
@require_POST
def end_membership(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    template = "{0.name} no longer appears at check-in. All their results are kept."
    return _run_on_member(request, club, pk, services.end_membership, template)


@requires(MANAGE_MEMBERS, "made {player} a member", log_for="POST api-player-join")
@require_POST
def make_member(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    return _run_on_member(request, club, pk, services.make_member, "{0.name} is now a member.")


@requires(MANAGE_MEMBERS, "allowed emails to {player} again")
@require_POST
def try_email_again(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Emails go to someone again, though some came back."""
    player = get_object_or_404(active_records(club), pk=pk)
    message = f"Emails go to {player.email} again. If they are not delivered, you will see it here."
    run_action(request, lambda: services.try_email_again(player=player), message)
    return redirect("player", club.slug, pk)


def _run_on_member(
    request: ClubRequest, club: Club, pk: int, act: Callable[..., Player], template: str
) -> HttpResponse:
    player = get_object_or_404(active_records(club), pk=pk)
    run_action(
        request,
        lambda: act(player=player, today=timezone.localdate()),
        lambda changed_player: template.format(
            changed_player, readable_value(changed_player.paid_until)
        ),
    )
    is_from_list = "from_list" in request.POST
    return redirect("members-due", club.slug) if is_from_list else redirect("player", club.slug, pk)


@requires(MANAGE_MEMBERS, "deleted {player}, added by mistake", log_for="DELETE api-player-detail")
def delete_member(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Delete a record that was made by mistake, after a look at what is in the way."""
    player = get_object_or_404(active_records(club), pk=pk)
    if request.method == "POST":
        delete = partial(services.delete_player, player=player)
        if run_action(request, delete, f"{player.name} deleted."):
            return redirect("members", club.slug)
        return redirect("member-delete", club.slug, pk)
    context = club_context(
        club, "members", player=player, why_not=services.deletion_refusal(player)
    )
    context["breadcrumbs"] = member_breadcrumbs(club, player, title="Delete member")
    return render(request, "clubs/members/delete.html", context)


@requires(MANAGE_MEMBERS, "joined their account to {player}")
@require_POST
def this_is_me(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Join the account of whoever presses it to their own record."""
    player = get_object_or_404(active_records(club), pk=pk)
    join = partial(join_member, user=request.user, player=player)
    run_action(request, join, f"Your account is now joined to {player.name} on the list.")
    return redirect("player", club.slug, pk)


@requires(MANAGE_MEMBERS)
def members_csv(_: ClubRequest, club: Club) -> HttpResponse:
    return attachment(csv_of_members(club), f"{club.slug}-members.csv")


@requires(MANAGE_MEMBERS)
def members_xlsx(_: ClubRequest, club: Club) -> HttpResponse:
    return attachment(xlsx_of_members(club), f"{club.slug}-members.xlsx", XLSX_TYPE)


@requires(MANAGE_MEMBERS)
def members_paper(request: ClubRequest, club: Club) -> HttpResponse:
    """Everyone who has not left, on paper."""
    people, day = rows.members(club, reader=request.reader), long_date(timezone.localdate())
    paper = members_pdf(club.name, people, day, format_from_query(request.GET, club))
    return pdf_response(request, paper, f"{club.slug}-members")


@requires(MANAGE_MEMBERS, "imported members")
def import_members(request: ClubRequest, club: Club) -> HttpResponse:
    """Choose a list; it is previewed, or its faults are shown line by line."""
    form = forms.ImportForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        text = form.cleaned_data["text"]
        try:
            plan = plan_import(club=club, text=text, answers=forms.answers_of({}))
        except Refused as refused:
            form = form.showing_the_text()
            add_problems(form, refused)
        else:
            file = request.FILES.get("file")
            initial = {"text": text, "file_name": file.name if file else "", "press": uuid4()}
            initial["guessed"] = form.is_guessed
            return _preview(request, club, forms.PreviewForm(plan, initial=initial), source=form)
    context = _member_context(club, "Import members", form=form, imports=rows.imports_of(club))
    return render_form(request, "clubs/members/import.html", context, form)


@requires(MANAGE_MEMBERS, "imported members", log_for="POST api-import-list")
@require_POST
def save_import(request: ClubRequest, club: Club) -> HttpResponse:
    text_form = forms.PreviewTextForm(request.POST)
    if not text_form.is_valid():
        return redirect("members-import", club.slug)
    text, form_data = text_form.cleaned_data["text"], forms.current_answers(request.POST.dict())
    is_without_days = "without_days" in form_data
    try:
        plan = plan_import(club=club, text=text, answers=forms.answers_of(form_data))
        if is_without_days:
            form_data = forms.drop_incomplete_dates(form_data, plan)
            plan = plan_import(club=club, text=text, answers=forms.answers_of(form_data))
    except Refused as refused:
        messages.error(request, " ".join(problem.message for problem in refused.problems))
        return redirect("members-import", club.slug)
    if member_import := rows.imported_by(club, text_form.cleaned_data["press"]):
        return _import_done(request, member_import)
    form = forms.PreviewForm(plan, form_data, is_skipping_faulty="rest" in form_data)
    has_new_columns = form.has_new_columns(form_data)
    if has_new_columns or is_without_days or "letters" in form_data:
        new_form = forms.PreviewForm(plan, initial=form_data)
        is_chosen = has_new_columns and "kept" not in form_data
        return _preview(request, club, new_form, has_new_columns=is_chosen)
    member_import = save_if_valid(
        form,
        lambda: imports.import_members(
            club=club,
            text=text,
            answers=form.answers(),
            file_name=form.cleaned_data["file_name"],
            press=form.cleaned_data["press"],
            made_by=request.user,
        ),
    )
    if member_import is None:
        return _preview(request, club, form)
    choices = form.answers().choices
    rows_in, skipped_rows = list[PlannedLine](), list[PlannedLine]()
    for row in form.plan.lines:
        (skipped_rows if choice_of(row, choices) == SKIP_CHOICE else rows_in).append(row)
    skipped_names = [row.line.name or f"line {row.line.number}" for row in skipped_rows]
    nicknames = [name for row in rows_in for name in row.left_out]
    return _import_done(request, member_import, skipped_names=skipped_names, nicknames=nicknames)


def _import_done(
    request: ClubRequest,
    member_import: MemberImport,
    *,
    skipped_names: Sequence[str] = (),
    nicknames: Sequence[str] = (),
) -> HttpResponse:
    """``nicknames`` are those that were left out."""
    added_count = len(member_import.added)
    changed_count = len(member_import.before) - len(member_import.added)
    sentences = [
        f"{count_words(number, noun, plural)} {'was' if number == 1 else 'were'} {act}."
        for number, noun, plural, act in (
            (added_count, "person", "people", "added"),
            (changed_count, "person", "people", "updated"),
        )
        if number
    ]
    sentences += [lines_skipped(skipped_names)] if skipped_names else []
    sentences += [nicknames_left_out(nicknames)] if nicknames else []
    messages.success(
        request, " ".join(sentences) or "Nothing has changed: everyone was on the list."
    )
    club = member_import.club
    # A new club goes on with its first steps, which are on its home page.
    is_new = club.shows_first_steps and not club.sessions.exists()
    return redirect("club" if is_new else "members", club.slug)


@requires(MANAGE_MEMBERS, "undid an import", log_for="POST api-import-undo")
@require_POST
def undo_import(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    member_import = get_object_or_404(MemberImport, club=club, pk=pk)
    try:
        imports.undo_import(member_import=member_import)
    except Refused as refused:
        messages.error(
            request,
            "This import can no longer be undone, so nothing has changed. "
            + " ".join(problem.message for problem in refused.problems),
        )
        return redirect("members-import", club.slug)
    messages.success(request, "Import undone. Everyone is as they were before.")
    return redirect("members", club.slug)


def _preview(
    request: ClubRequest, club: Club, form: forms.PreviewForm, **context: object
) -> HttpResponse:
    context = _member_context(club, "Check your import", form=form, **context)
    return render_form(request, "clubs/members/preview.html", context, form)


def _member_context(club: Club, title: str, *steps: Step, **context: object) -> dict[str, Any]:
    return club_context(
        club, "members", breadcrumbs=breadcrumbs(club, MEMBERS_STEP, *steps, title=title), **context
    )


@requires(MANAGE_MEMBERS)
def duplicates(request: ClubRequest, club: Club) -> HttpResponse:
    context = club_context(club, "members", merges=rows.merges_of(club))
    context["duplicates"] = rows.likely_duplicates(club)
    context["pairs"] = rows.two_people_rows(club)
    return render(request, "clubs/members/duplicates.html", context)


@requires(MANAGE_MEMBERS, "merged two records of {player}")
def merge(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Choose the other record, see what moves, merge the two."""
    kept_player = get_object_or_404(active_records(club).select_related("club"), pk=pk)
    query = request.GET if "gone" in request.GET else None
    form = forms.OtherRecordForm(kept_player, request.POST or query)
    merged_player = form.cleaned_data["gone"] if form.is_valid() else None
    if merged_player and request.method == "POST":
        try:
            merging.merge_players(
                kept_player=kept_player, merged_player=merged_player, made_by=request.user
            )
        except Refused as refused:
            messages.error(request, refused.problems[0].message)
        else:
            messages.success(
                request, f"{merged_player.name} and {kept_player.name} have been merged."
            )
            return redirect("player", club.slug, kept_player.pk)
    context = _member_context(
        club,
        f"Merge {kept_player.name}",
        DUPLICATES_STEP,
        kept=kept_player,
        form=form,
        gone=merged_player,
    )
    context["moves"] = (
        merging.rows_to_move(merged_player, kept_player=kept_player) if merged_player else ()
    )
    context["are_told_apart"] = (
        rows.are_two_people(kept_player, merged_player) if merged_player else False
    )
    context["problems"] = (
        merging.merge_problems(kept_player, merged_player) if merged_player else ()
    )
    return render_form(request, "clubs/members/merge.html", context, form)


@requires(MANAGE_MEMBERS, "said that {player} and someone else are two people")
@require_POST
def mark_as_two_people(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The two records are of two people, and are not offered as duplicates again."""
    person = get_object_or_404(active_records(club).select_related("club"), pk=pk)
    form = forms.SomeoneElseForm(person, request.POST)
    if form.is_valid():
        other_person = form.cleaned_data["other"]
        merging.mark_as_two_people(person=person, other_person=other_person, made_by=request.user)
        message = (
            f"{person.name} and {other_person.name} are kept as two people. You can undo this "
            "below."
        )
        messages.success(request, message)
    else:
        messages.error(request, str(form.errors["other"][0]))
    return redirect("members-twins", club.slug)


@requires(MANAGE_MEMBERS, "undid keeping two records as two people")
@require_POST
def undo_two_people(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The two may be one person again, and are listed if their names are similar."""
    pair = get_object_or_404(TwoPeople.objects.select_related("one", "other"), club=club, pk=pk)
    message = f"{pair.one.name} and {pair.other.name} are no longer kept as two people."
    run_action(request, lambda: merging.undo_two_people(pair=pair), message)
    return redirect("members-twins", club.slug)


@requires(MANAGE_MEMBERS, "undid a merge")
@require_POST
def undo_merge(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    merge = get_object_or_404(PlayerMerge, club=club, pk=pk)
    message = f"{merge.gone.name} and {merge.kept.name} are separate records again."
    run_action(request, lambda: merging.undo_merge(merge=merge), message)
    return redirect("members-twins", club.slug)


@requires(
    SEE_CLUB, "changed how their own name is shown", log_for="PATCH api-my-name", drawer="people"
)
def my_name(request: ClubRequest, club: Club) -> HttpResponse:
    """Choose how your name is shown, if you are on the members' list."""
    me = club.players.filter(pk=request.reader.player or 0).first()
    if me is None:
        return render(request, "clubs/members/my_name.html", club_context(club, "account", me=None))
    form = forms.MyNameForm(request.POST or None, initial={"shown_as": me.shown_as})
    if form.is_valid():
        services.show_name(player=me, shown_as=form.cleaned_data["shown_as"])
        messages.success(request, "Saved. Your name is now shown as you chose.")
        return redirect("my-name", club.slug)
    context = club_context(club, "account", me=me, form=form, ways=tuple(form.name_styles(me.name)))
    return render_form(request, "clubs/members/my_name.html", context, form)


@requires(
    SEE_CLUB, "changed which emails they want", log_for="PATCH api-my-emails", drawer="messages"
)
def my_emails(request: ClubRequest, club: Club) -> HttpResponse:
    """Choose what the club may email you, if you are on the members' list."""
    me = club.players.filter(pk=request.reader.player or 0).first()
    if me is None or not me.email:
        return render(request, "clubs/members/my_emails.html", club_context(club, "account", me=me))
    initial = {name: getattr(me, name) for name in forms.MyEmailsForm.base_fields}
    form = forms.MyEmailsForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        services.choose_emails(player=me, **form.cleaned_data)
        messages.success(request, "Saved. You get the emails that you chose.")
        return redirect("my-emails", club.slug)
    context = club_context(club, "account", me=me, form=form)
    return render_form(request, "clubs/members/my_emails.html", context, form)


urlpatterns = [
    path(MEMBERS_URL, member_list, name="members"),
    path("c/<slug:club>/members.csv", members_csv, name="members-csv"),
    path("c/<slug:club>/members.xlsx", members_xlsx, name="members-xlsx"),
    path("c/<slug:club>/members.pdf", members_paper, name="members-pdf"),
    path(f"{MEMBERS_URL}add/", add_member, name="member-add"),
    path(f"{MEMBERS_URL}import/", import_members, name="members-import"),
    path(f"{MEMBERS_URL}import/store/", save_import, name="members-store"),
    path(f"{MEMBERS_URL}import/<int:pk>/back/", undo_import, name="members-take-back"),
    path(f"{MEMBERS_URL}due/", subscription_list, name="members-due"),
    path(f"{MEMBERS_URL}duplicates/", duplicates, name="members-twins"),
    path(f"{MEMBERS_URL}duplicates/<int:pk>/undo/", undo_merge, name="merge-undo"),
    path(f"{MEMBERS_URL}two-people/<int:pk>/undo/", undo_two_people, name="two-people-undo"),
    path(f"{MEMBERS_URL}<int:pk>/merge/", merge, name="member-merge"),
    path(f"{MEMBERS_URL}<int:pk>/apart/", mark_as_two_people, name="member-apart"),
    path(f"{MEMBERS_URL}<int:pk>/renew/", renew_subscription, name="member-renew"),
    path(f"{MEMBERS_URL}<int:pk>/lapse/", end_membership, name="member-lapse"),
    path(f"{MEMBERS_URL}<int:pk>/join/", make_member, name="member-join"),
    path(f"{MEMBERS_URL}<int:pk>/change/", change_member, name="member-change"),
    path(f"{MEMBERS_URL}<int:pk>/me/", this_is_me, name="member-me"),
    path(f"{MEMBERS_URL}<int:pk>/delete/", delete_member, name="member-delete"),
    path(f"{MEMBERS_URL}<int:pk>/email-again/", try_email_again, name="member-email-again"),
    path("c/<slug:club>/my-name/", my_name, name="my-name"),
    path("c/<slug:club>/my-emails/", my_emails, name="my-emails"),
]
