"""Hands entered at a table: the next one, those a phone has kept, or a whole paper sheet."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from http import HTTPStatus
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from clubs.core.access import open_to_all
from clubs.core.forms import field_of
from clubs.core.pages import pressed
from clubs.table.event import TableEvent
from clubs.table.forms.hands import HandForm, hand_number, typed_again, with_figure
from clubs.table.forms.sheets import Sheet, after_step
from clubs.table.pages.agreement import typed_before, was_taken_back
from clubs.table.pages.table import CONFLICT, UNPROCESSABLE, TablePage, news
from clubs.table.pages.tile_entry import (
    beside_the_tiles,
    refuse_changed_tiles,
    tapped_part,
    to_the_tiles,
    typed_at_the_table,
    with_kept_tiles,
)
from clubs.table.rows import HandView, doubts_about
from clubs.table.selectors.receipts import is_replaced, was_link_of
from clubs.table.services import (
    draft_of,
    forget_draft,
    keep_draft,
    name_first_dealer,
    others_typing,
    post_from,
    post_sheet,
    preview_hand,
)
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import SEAT_NUMBERS, Hand
from scoring.scorebook.refusals import AlreadyStands, Refused
from scoring.scorebook.selectors import hand_row
from scoring.table.progression import ahead, ahead_as_json


def look_ahead(request: HttpRequest, page: TablePage) -> HttpResponse:
    """Every deal possible in the next thirty hands; 204 if the game is over."""
    if page.view.game.is_over:
        return HttpResponse(status=204)
    states = ahead(page.winners, **page.course)
    # The centre of the square table for each possible prevailing wind.
    winds = {state.deal.prevailing_wind for state in states}
    prevailing = {
        wind or "": render_to_string(
            "parts/square_table.html", {"prevailing": wind, "centre": page.aim}
        )
        for wind in winds
    }
    # A form for each possible deal: ``1E2S3W4N.1``, the winds by seat and the dealer.
    deals = {}
    for state in states:
        seated = "".join(f"{seat}{wind}" for seat, wind in state.deal.winds.items())
        deals[f"{seated}.{state.deal.dealer}"] = state.deal
    entry = {"page": page, "table": page.view, **page.extra}
    forms = {}
    for key, deal in deals.items():
        shown = {"form": page.blank_form(deal), "deal": deal, "square": page.square(deal)}
        forms[key] = render_to_string("clubs/table/_entry.html", entry | shown, request)
    context = {"version": page.version, "forms": forms, "prevailing": prevailing}
    return JsonResponse(context | ahead_as_json(states))


def name_dealer(request: HttpRequest, page: TablePage) -> HttpResponse:
    """Set the first dealer to the chosen seat, or say why that is refused."""
    sent = request.POST["dealer"]
    seat = int(sent) if sent in set(map(str, SEAT_NUMBERS)) else 0
    if why := page.closed_because or page.done_because:
        messages.error(request, why)
    else:
        name = partial(name_first_dealer, table=page.event, seat=seat)
        pressed(request, name, lambda _: f"{page.view.names[seat]} deals the first hand.")
    return redirect(page.address)


def show(request: HttpRequest, page: TablePage) -> HttpResponse:
    """The table; with ``?v=``, 204 if it has not changed."""
    if request.method == "POST":
        return (name_dealer if "dealer" in request.POST else _submit)(request, page)
    if "v" in request.GET:
        return news(request, page)
    is_over = page.closed_because or page.done_because or page.view.game.is_over
    before = typed_before(request, page)
    start = beside_the_tiles(before, page) or typed_at_the_table(request, page)
    # After ``?saved=`` confirm the newest hand, whichever phone sent it. The
    # book says so, not a cookie: a phone may have several senders, and only one gets the response.
    newest = page.next_number - 1
    if newest and request.GET.get("saved") == str(newest):
        messages.success(request, f"Hand {newest} saved.")
    return _render(request, page, form=None if is_over else page.form(**start), again=bool(before))


def _submit(request: HttpRequest, page: TablePage) -> HttpResponse:
    if (tiles := to_the_tiles(request, page)) is not None:
        return tiles
    sent, step = with_kept_tiles(request, page)
    if step == "change" or step.startswith("tell:"):
        return _render(request, page, form=page.form(**typed_again(sent)), is_fresh=False)
    form = page.form(with_figure(sent))
    try:
        recorded = _send(page, form, save=step == "save")
    except AlreadyStands as stands:
        return _beside(request, page, form, stands.hand, "conflict", status=CONFLICT)
    except Refused as refused:
        # Only what the fields do not show themselves.
        problems = [it for it in refused.problems if field_of(form, it.where) not in form.errors]
        form.offer(Refused(problems))
        recorded = None
    if recorded is None:
        return _render(request, page, form=form, status=UNPROCESSABLE, is_fresh=False)
    if recorded.is_new and step != "save":
        return _beside(request, page, form, recorded.hand, "check")
    return _stored(request, page, form, recorded.hand)


def _stored(request: HttpRequest, page: TablePage, form: HandForm, hand: Hand) -> HttpResponse:
    """What the book has now: this very hand, another one, or a note that it was taken back."""
    if scorebook.is_taken_back(hand):
        messages.warning(request, was_taken_back(page, hand))
        return redirect(page.address)
    if hand.submission_id == form.cleaned_data["submission_id"]:
        return redirect(f"{page.address}?saved={hand.number}")
    messages.success(request, f"Hand {hand.number} was already recorded with the same scores.")
    return redirect(page.address)


def _send(page: TablePage, form: HandForm, *, save: bool) -> scorebook.Recorded | None:
    """Preview or record the form's hand; an invalid form is only checked further."""
    is_valid = form.is_valid()
    if not form.tells_a_hand:
        return None
    submission_id, number = form.cleaned_data["submission_id"], form.cleaned_data["number"]
    if save and is_valid:
        return post_from(page, submission_id, number, form.report)
    recorded = preview_hand(
        table=page.event, submission_id=submission_id, number=number, report=form.report
    )
    return recorded if is_valid else None


def _beside(
    request: HttpRequest,
    page: TablePage,
    form: HandForm,
    hand: Hand,
    template: str,
    *,
    status: int = 200,
) -> HttpResponse:
    """Show what was typed as the hand that it makes, or beside the one that was recorded."""
    shown = HandView(hand_row(hand), page.view.names)
    context = {
        "page": page,
        "form": form,
        "hand": shown,
        "said": shown.payment_sentences,
        "doubts": doubts_about(shown, page.rules),
        "number": hand.number,
        **page.extra,
    }
    return render(request, f"clubs/table/{template}.html", context, status=status)


def _render(
    request: HttpRequest,
    page: TablePage,
    *,
    form: HandForm | None,
    is_fresh: bool = True,
    again: bool = False,
    status: int = 200,
) -> HttpResponse:
    context = {"page": page, "table": page.view, "form": form, "is_fresh": is_fresh, **page.extra}
    context |= {"again": again, **tapped_part(page)}
    shown = page.next_number if form is None else hand_number({"number": form["number"].value()})
    deal = page.deal(shown)
    context |= {"deal": deal, "square": page.square(deal)}
    if "X-Put-Away" in request.headers:  # what was said is kept for whoever looks
        context["messages"] = ()
    return render(request, page.template, context, status=status)


NOT_NOW = frozenset({"after_the_bell", "after_the_end", "game_closed", "round_not_open"})
KEPT_AT_MOST = timedelta(hours=12)


def send(request: HttpRequest, page: TablePage) -> JsonResponse:
    """Save a stored hand: 201 saved, 200 was there, 409 conflict, 422 invalid, 403 not now.

    Never overwrites. If it is not saved, the response says what to show.
    """
    form = page.form(request.POST)
    if not form.is_valid():
        return _refused(request, page, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        refuse_changed_tiles(request.POST, page)
        recorded = post_from(
            page,
            form.cleaned_data["submission_id"],
            form.cleaned_data["number"],
            form.report,
            entered_at=entered_at(request.POST.get("kept_for", ""), now=timezone.now()),
        )
    except AlreadyStands as stands:
        hand = HandView(hand_row(stands.hand), page.view.names)
        review = page.reviews.get(stands.hand.pk)
        return _answer(request, page, form, HTTPStatus.CONFLICT, hand=hand, review=review)
    except Refused as refused:
        form.offer(refused)
        is_late = any(problem.code in NOT_NOW for problem in refused.problems)
        status = HTTPStatus.FORBIDDEN if is_late else HTTPStatus.UNPROCESSABLE_ENTITY
        return _refused(request, page, form, status)
    if scorebook.is_taken_back(recorded.hand):
        messages.warning(request, was_taken_back(page, recorded.hand))
    saved = {"saved": str(form.cleaned_data["submission_id"]), "number": recorded.hand.number}
    return JsonResponse(saved, status=HTTPStatus.CREATED if recorded.is_new else HTTPStatus.OK)


def entered_at(kept_for: str, *, now: datetime) -> datetime:
    """When a hand was entered that a phone has kept for so many seconds.

    The phone's clock may be wrong, its waiting time is not. Invalid values count as now.
    """
    seconds = int(kept_for) if kept_for.isdecimal() and len(kept_for) <= 6 else 0
    return now - min(timedelta(seconds=seconds), KEPT_AT_MOST)


def _refused(
    request: HttpRequest, page: TablePage, form: HandForm, status: HTTPStatus
) -> JsonResponse:
    """Show the reason; what was typed can be changed and is then the next hand."""
    typed = form.typed | {"number": str(page.next_number)}
    return _answer(request, page, form, status, typed=typed, is_late=status == HTTPStatus.FORBIDDEN)


def _answer(
    request: HttpRequest, page: TablePage, form: HandForm, status: HTTPStatus, **shown: Any
) -> JsonResponse:
    context = {"page": page, "form": form, **shown}
    fields = {
        "problems": form.errors.get_json_data(),
        "page": render_to_string("clubs/table/_kept_trouble.html", context, request),
    }
    return JsonResponse(fields, status=status)


def no_table(request: HttpRequest, *, key: str, is_void: bool) -> HttpResponse:
    """410 if the link was replaced, else 404, with a sentence and advice."""
    if is_void or is_replaced(key):
        return render(request, "clubs/table/replaced.html", status=HTTPStatus.GONE)
    return render(request, "clubs/table/unknown.html", status=HTTPStatus.NOT_FOUND)


def nothing_sent(request: HttpRequest, *, key: str, is_void: bool) -> HttpResponse:
    """The same for the script that sends stored hands: they stay on the phone for the new card."""
    if is_void or is_replaced(key):
        page = render_to_string("clubs/table/_kept_replaced.html", request=request)
        return JsonResponse({"problems": {}, "page": page}, status=HTTPStatus.GONE)
    return no_table(request, key=key, is_void=False)


def formerly(request: HttpRequest, table: object, old: str) -> HttpResponse:  # noqa: ARG001
    """204 if the old link was this table's: the phone then sends its stored hands here."""
    is_its_own = was_link_of(old, getattr(table, "link_key", ""))
    return HttpResponse(status=HTTPStatus.NO_CONTENT if is_its_own else HTTPStatus.NOT_FOUND)


@open_to_all
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker; served below the tables' links, which limits its scope."""
    return render(request, "clubs/table/worker.js", content_type="text/javascript")


ASKED_BY_ADDRESS = ("first", "kind")


class Neighbour(NamedTuple):
    """The sheet of another table: the words of the link and where it is."""

    words: str
    address: str


def _neighbours(table: TableEvent) -> list[Neighbour]:
    """The sheets of the tables before and after this one."""
    numbers, own = table.numbers(), table.row.number
    before, after = [at for at in numbers if at < own][-1:], [at for at in numbers if at > own][:1]
    words = [(at, f"← Table {at}") for at in before] + [(at, f"Table {at} →") for at in after]
    name, place = f"{table.desk}-sheet", table.place[:-1]
    return [Neighbour(said, reverse(name, args=[*place, at])) for at, said in words]


def _sheet(page: TablePage, data: Mapping[str, Any]) -> Sheet:
    may_change = bool(page.extra["may_correct"])
    return Sheet(page.game, page.view, page.rules, data, start=page.had(1), may_change=may_change)


def show_sheet(request: HttpRequest, page: TablePage) -> HttpResponse:
    """A fresh sheet, or the one that was begun; sent, it is checked and kept, or saved."""
    if request.method == "POST":
        return _take_sheet(request, page)
    draft = draft_of(request, page.game.pk)
    wanted = {name: request.GET[name] for name in ASKED_BY_ADDRESS if request.GET.get(name)}
    typed = dict(draft.typed) if draft else {}
    if "first" in wanted:
        typed.pop("count", None)
    return _render_sheet(request, page, _sheet(page, typed | wanted), draft=draft)


def _take_sheet(request: HttpRequest, page: TablePage) -> HttpResponse:
    """Check and keep what was sent, or save it in one go if every row is right."""
    # The button that was pressed; a look at the rows is none, whichever has the focus.
    step = "" if "HX-Request" in request.headers else request.POST.get("step", "")
    if step == "afresh":
        forget_draft(request, page.game.pk)
        return redirect(f"{page.address}score-sheet/")
    sent = after_step(request.POST.dict(), step)
    sheet = _sheet(page, sent)
    if step != "save" or sheet.problems or sheet.open_choices:
        _keep(request, page, sheet, sent)
        if "HX-Request" not in request.headers:
            return _render_sheet(request, page, sheet)
        grown = sheet.count > hand_number({"number": request.POST.get("count", "")})
        others = others_typing(request, page.game.pk)
        context = {"page": page, "sheet": sheet, "others": others, "grown": grown, "news": True}
        return render(request, "clubs/table/_sheet_news.html", context)
    try:
        saved = post_sheet(
            table=page.event,
            hands=sheet.ready,
            sent_by=page.sent_by,
            telling=sheet.telling if sheet.may_change else None,
        )
    except Refused as refused:
        fresh = replace(page)
        _keep(request, fresh, sheet, sent)
        said = [problem.sentence for problem in refused.problems]
        return _render_sheet(request, fresh, _sheet(fresh, sent), refused=said)
    forget_draft(request, page.game.pk)
    messages.success(request, f"{page.view.title}: {_saved_sentence(len(saved), sheet.changed)}.")
    return redirect(f"{page.address}score-sheet/")


def _keep(request: HttpRequest, page: TablePage, sheet: Sheet, sent: Mapping[str, str]) -> None:
    if sheet.typed_anything and not page.closed_because:
        keep_draft(request, page.game.pk, sent)


def _saved_sentence(saved: int, changed: int) -> str:
    hands = {0: "no new hands to save", 1: "1 hand saved"}
    words = hands.get(saved, f"{saved} hands saved")
    if not changed:
        return words
    others = "1 recorded hand" if changed == 1 else f"{changed} recorded hands"
    put_right = f"{others} changed to match the paper"
    return f"{words}, {put_right}" if saved else put_right


def _render_sheet(
    request: HttpRequest,
    page: TablePage,
    sheet: Sheet,
    *,
    refused: Sequence[str] = (),
    draft: Any = None,
) -> HttpResponse:
    context = {
        "page": page,
        "table": page.view,
        "sheet": sheet,
        "neighbours": _neighbours(page.event),
        "stack": reverse(f"{page.event.desk}-sheets", args=page.event.place[:-1]),
        "refused": refused,
        "differs": request.method == "POST" and sheet.open_choices,
        "draft": draft,
        "others": others_typing(request, page.game.pk),
        "may_change": sheet.may_change,
        **page.extra,
    }
    # Another report that stands is 409, any other mistake 422; a sheet to look at is 200.
    status = 200
    if request.method == "POST" and sheet.open_choices:
        status = CONFLICT
    elif request.method == "POST" and (refused or sheet.problems):
        status = UNPROCESSABLE
    return render(request, "clubs/table/sheet.html", context, status=status)
