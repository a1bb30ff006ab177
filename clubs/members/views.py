"""Pages about members: the list, subscriptions, imports and merged records."""

from collections.abc import Callable
from functools import partial
from typing import Any, cast

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, door
from clubs.core.forms import add_overtaken, add_problems
from clubs.core.page_context import Crumbs, framed, member_trail, trail
from clubs.core.people_names import standing
from clubs.core.permissions import MANAGE_MEMBERS, SEE_CLUB
from clubs.language.moments import value_words
from clubs.members import selectors as rows
from clubs.members.exports import csv_of_members, xlsx_of_members
from clubs.members.forms import (
    GuestVisitsForm,
    ImportForm,
    MemberChangeForm,
    MemberForm,
    MyNameForm,
    OtherRecordForm,
    PreviewForm,
    RenewForm,
    TextForm,
    as_shown,
)
from clubs.members.selectors import imports_of, likely_twins, merges_of, subscriptions
from clubs.members.services import people as services_people
from clubs.members.services import records
from clubs.members.services.people import Details, show_name
from clubs.members.services.records import plan_import
from clubs.models import Club, MemberImport, Player, PlayerMerge
from scoring.scorebook.refusals import Refused

UNPROCESSABLE = 422
LIST = ("Members", "members")


@door(SEE_CLUB)
def members(request: ClubRequest, club: Club) -> HttpResponse:
    """Everyone on the club's list."""
    may_manage = request.may(MANAGE_MEMBERS)
    shown: dict[str, Any] = {
        "members": rows.members(club, reader=request.reader),
        "may_manage": may_manage,
    }
    if may_manage:
        shown["twins"] = likely_twins(club)
    context = framed(club, "members", **shown)
    return render(request, "clubs/members/members.html", context)


@door(MANAGE_MEMBERS)
def add_member(request: ClubRequest, club: Club) -> HttpResponse:
    """A new member."""
    form = MemberForm(request.POST or None)
    if form.is_valid():
        try:
            added = services_people.add_player(club=club, **form.cleaned_data)
        except Refused as refused:
            add_problems(form, refused)
        else:
            messages.success(request, f"{added.name} added.")
            return redirect("member-add" if "another" in request.POST else "members", club.slug)
    return _form_page(request, club, "add", form, trail(club, LIST, here="New member"))


@door(MANAGE_MEMBERS)
def change_member(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Change what the club holds on a person."""
    player = get_object_or_404(standing(club), pk=pk)
    form = MemberChangeForm(request.POST or None, initial=rows.details_of(player))
    if form.is_valid():
        try:
            changes, shown = cast(Details, form.changes), cast(Details, form.shown)
            changed = services_people.change_player(player=player, changes=changes, shown=shown)
        except Refused as refused:
            add_problems(form, refused)
            form.show_beside(rows.details_of(player), add_overtaken(refused))
        else:
            messages.success(request, f"{changed.name} saved.")
            return redirect("player", club.slug, pk)
    crumbs = member_trail(club, player, here="Edit member")
    return _form_page(request, club, "change", form, crumbs)


def _form_page(
    request: ClubRequest, club: Club, page: str, form: MemberForm, crumbs: Crumbs
) -> HttpResponse:
    context = framed(club, "members", form=form, breadcrumbs=crumbs)
    status = UNPROCESSABLE if form.errors else 200
    return render(request, f"clubs/members/{page}.html", context, status=status)


@door(MANAGE_MEMBERS)
def due(request: ClubRequest, club: Club) -> HttpResponse:
    """Whose subscription is due, which guests are asked to join, and from which visit on."""
    form = GuestVisitsForm(request.POST or None, initial={"visits": club.guest_visits})
    if form.is_valid():
        services_people.ask_guests_from(club=club, visits=form.cleaned_data["visits"])
        messages.success(request, "Saved.")
        return redirect("members-due", club.slug)
    context = framed(
        club,
        "members",
        form=form,
        subscriptions=subscriptions(club, timezone.localdate()),
    )
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "clubs/members/due.html", context, status=status)


@door(MANAGE_MEMBERS)
@require_POST
def renew(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Paid for a year more; a second press of the same button adds no second year."""
    form = RenewForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("Reload the page, then press the button again.")
    renewed = partial(services_people.renew, shown=as_shown(form.cleaned_data, request.POST))
    return _act(request, club, pk, renewed, "{0.name} is paid until {1}.")


@door(MANAGE_MEMBERS)
@require_POST
def lapse(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """No longer a member, and off the list at the door."""
    words = "{0.name} no longer appears at check-in. All their results are kept."
    return _act(request, club, pk, services_people.lapse, words)


@door(MANAGE_MEMBERS)
@require_POST
def join(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A guest becomes a member."""
    return _act(request, club, pk, services_people.make_member, "{0.name} is now a member.")


def _act(
    request: ClubRequest, club: Club, pk: int, act: Callable[..., Player], words: str
) -> HttpResponse:
    player = get_object_or_404(standing(club), pk=pk)
    try:
        done = act(player=player, today=timezone.localdate())
    except Refused as refused:
        messages.error(request, refused.problems[0].sentence)
    else:
        messages.success(request, words.format(done, value_words(done.paid_until)))
    if "from_list" in request.POST:
        return redirect("members-due", club.slug)
    return redirect("player", club.slug, pk)


XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@door(MANAGE_MEMBERS)
def members_csv(_: ClubRequest, club: Club) -> HttpResponse:
    """Everything about the members, for any spreadsheet."""
    return _file(csv_of_members(club), "text/csv; charset=utf-8", f"{club.slug}-members.csv")


@door(MANAGE_MEMBERS)
def members_xlsx(_: ClubRequest, club: Club) -> HttpResponse:
    """Everything about the members, for Excel."""
    return _file(xlsx_of_members(club), XLSX, f"{club.slug}-members.xlsx")


def _file(content: bytes, kind: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "private"}
    return HttpResponse(content, content_type=kind, headers=headers)


@door(MANAGE_MEMBERS)
def read_in(request: ClubRequest, club: Club) -> HttpResponse:
    """Choose a list; what is wrong with it is said line by line, else it is shown first."""
    form = ImportForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        text = form.cleaned_data["text"]
        try:
            planned = plan_import(club=club, text=text)
        except Refused as refused:
            form = form.showing_the_text()
            add_problems(form, refused)
        else:
            file = request.FILES.get("file")
            initial = {"text": text, "file_name": file.name if file else ""}
            return _preview(request, club, PreviewForm(planned, initial=initial))
    context = _context(club, "Import members", form=form, imports=imports_of(club))
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "clubs/members/import.html", context, status=status)


@door(MANAGE_MEMBERS)
@require_POST
def store(request: ClubRequest, club: Club) -> HttpResponse:
    """Store the list as the preview says and as was chosen there."""
    text_form = TextForm(request.POST)
    if not text_form.is_valid():
        return redirect("members-import", club.slug)
    try:
        planned = plan_import(club=club, text=text_form.cleaned_data["text"])
    except Refused as refused:
        messages.error(request, " ".join(problem.sentence for problem in refused.problems))
        return redirect("members-import", club.slug)
    form = PreviewForm(planned, request.POST)
    if form.is_valid():
        inputs = {name: form.cleaned_data[name] for name in ("text", "file_name")}
        try:
            made = records.import_members(
                club=club, choices=form.choices(), made_by=request.user, **inputs
            )
        except Refused as refused:
            add_problems(form, refused)
        else:
            added, changed = len(made.added), len(made.before) - len(made.added)
            people = "person is" if added == 1 else "people are"
            messages.success(request, f"{added} {people} new on the list, {changed} changed.")
            return redirect("members", club.slug)
    return _preview(request, club, form)


@door(MANAGE_MEMBERS)
@require_POST
def undo_import(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Everyone as they were before the list was read in."""
    made = get_object_or_404(MemberImport, club=club, pk=pk)
    try:
        records.undo_import(made=made)
    except Refused as refused:
        messages.error(
            request,
            "This import can no longer be undone, so nothing has changed. "
            + " ".join(problem.sentence for problem in refused.problems),
        )
        return redirect("members-import", club.slug)
    messages.success(request, "Import undone. Everyone is as they were before.")
    return redirect("members", club.slug)


def _preview(request: ClubRequest, club: Club, form: PreviewForm) -> HttpResponse:
    context = _context(club, "Check your import", form=form)
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "clubs/members/preview.html", context, status=status)


def _context(club: Club, here: str, **context: object) -> dict[str, object]:
    return framed(club, "members", breadcrumbs=trail(club, LIST, here=here), **context)


TWINS = ("Possible duplicates", "members-twins")


@door(MANAGE_MEMBERS)
def twins(request: ClubRequest, club: Club) -> HttpResponse:
    """Who is perhaps twice on the list, and which records were made one."""
    context = framed(club, "members", twins=likely_twins(club), merges=merges_of(club))
    return render(request, "clubs/members/duplicates.html", context)


@door(MANAGE_MEMBERS)
def merge(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Choose the other record, see what moves, make the two one."""
    kept = get_object_or_404(standing(club).select_related("club"), pk=pk)
    query = request.GET if "gone" in request.GET else None
    form = OtherRecordForm(kept, request.POST or query)
    if not form.is_valid():
        return _page(request, kept, form, status=UNPROCESSABLE if form.errors else 200)
    gone = form.cleaned_data["gone"]
    if request.method == "POST":
        try:
            records.merge_players(kept=kept, gone=gone, made_by=request.user)
        except Refused as refused:
            messages.error(request, refused.problems[0].sentence)
        else:
            messages.success(request, f"{gone.name} and {kept.name} have been merged.")
            return redirect("player", club.slug, kept.pk)
    return _page(request, kept, form, gone)


@door(MANAGE_MEMBERS)
@require_POST
def undo_merge(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The two records as they were."""
    merged = get_object_or_404(PlayerMerge, club=club, pk=pk)
    try:
        records.undo_merge(merge=merged)
    except Refused as refused:
        messages.error(request, refused.problems[0].sentence)
    else:
        messages.success(
            request, f"{merged.gone.name} and {merged.kept.name} are separate records again."
        )
    return redirect("members-twins", club.slug)


def _page(
    request: ClubRequest,
    kept: Player,
    form: OtherRecordForm,
    gone: Player | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    context = framed(
        kept.club,
        "members",
        kept=kept,
        form=form,
        gone=gone,
        moves=records.what_moves(gone) if gone else (),
        problems=records.what_parts(kept, gone) if gone else (),
        breadcrumbs=trail(kept.club, LIST, TWINS, here=f"Merge {kept.name}"),
    )
    return render(request, "clubs/members/merge.html", context, status=status)


@door(SEE_CLUB)
def my_name(request: ClubRequest, club: Club) -> HttpResponse:
    """The three ways, with one’s own name in each; whoever is nobody on the list is told so."""
    me = club.players.filter(pk=request.reader.player or 0).first()
    if me is None:
        return render(request, "clubs/members/my_name.html", framed(club, "account", me=None))
    form = MyNameForm(request.POST or None, initial={"shown_as": me.shown_as})
    if form.is_valid():
        show_name(player=me, shown_as=form.cleaned_data["shown_as"])
        messages.success(request, "Saved. Your name is now shown as you chose.")
        return redirect("my-name", club.slug)
    status = UNPROCESSABLE if form.errors else 200
    context = framed(club, "account", me=me, form=form, ways=tuple(form.ways(me.name)))
    return render(request, "clubs/members/my_name.html", context, status=status)
