"""The next hand at a table: typed, checked, said in sentences, saved."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from clubs.core.forms import field_of
from clubs.forms.hands import HandForm, told_number
from clubs.rows import HandView
from clubs.sentences import doubts_about, said_of
from clubs.tablepages.dealing import name_dealer
from clubs.tablepages.news import news
from clubs.tablepages.page import CONFLICT, UNPROCESSABLE, TablePage
from clubs.tablepages.tapping import tapped_part
from clubs.tablepages.telling import retold, with_figure
from clubs.tablepages.tiled import (
    beside_the_tiles,
    to_the_tiles,
    typed_at_the_table,
    with_kept_tiles,
)
from clubs.tablepages.undoing import typed_before, was_taken_back
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import AlreadyStands, Refused
from scoring.scorebook.selectors import hand_row


def show(request: HttpRequest, page: TablePage) -> HttpResponse:
    """The table; or, asked with ``?v=``, only whether it has changed since (204: it has not)."""
    if request.method == "POST":
        return (name_dealer if "dealer" in request.POST else _submit)(request, page)
    if "v" in request.GET:
        return news(request, page)
    is_over = page.closed_because or page.done_because or page.view.game.is_over
    before = typed_before(request, page)
    start = beside_the_tiles(before, page) or typed_at_the_table(request, page)
    _tell_of_the_saved(request, page)
    return _render(request, page, form=None if is_over else page.form(**start), again=bool(before))


def _submit(request: HttpRequest, page: TablePage) -> HttpResponse:
    if (tiles := to_the_tiles(request, page)) is not None:
        return tiles
    sent, step = with_kept_tiles(request, page)
    if step == "change" or step.startswith("tell:"):
        return _render(request, page, form=page.form(**retold(sent)), is_fresh=False)
    form = page.form(with_figure(sent))
    try:
        told = _send(page, form, save=step == "save")
    except AlreadyStands as stands:
        return _conflict(request, page, form, stands.hand)
    except Refused as refused:
        form.offer(_unsaid(form, refused))
        told = None
    if told is None:
        return _render(request, page, form=form, status=UNPROCESSABLE, is_fresh=False)
    if told.is_new and step != "save":
        return _check(request, page, form, told.hand)
    return _stored(request, page, form, told.hand)


def _stored(request: HttpRequest, page: TablePage, form: HandForm, hand: Hand) -> HttpResponse:
    """What is in the book now: this very hand, another one in its place, or it was taken back."""
    if scorebook.is_taken_back(hand):
        messages.warning(request, was_taken_back(page, hand))
        return redirect(page.address)
    if hand.submission_id == form.cleaned_data["submission_id"]:
        return redirect(f"{page.address}?saved={hand.number}")
    was_there = f"Hand {hand.number} was already recorded with the same scores."
    messages.success(request, was_there)
    return redirect(page.address)


def _tell_of_the_saved(request: HttpRequest, page: TablePage) -> None:
    """After ``?saved=`` the newest hand is said to be saved, whoever carried it to the book.

    The book says it and no cookie: a phone may have several senders, of which one is answered.
    """
    newest = page.next_number - 1
    if newest and request.GET.get("saved") == str(newest):
        messages.success(request, f"Hand {newest} saved.")


def _send(page: TablePage, form: HandForm, *, save: bool) -> scorebook.Recorded | None:
    """Preview or post what the form says; a form with mistakes is only looked at for more."""
    is_valid = form.is_valid()
    if not form.tells_a_hand:
        return None
    told = {name: form.cleaned_data[name] for name in ("submission_id", "number")}
    if save and is_valid:
        return page.post(**told, report=form.report, sent_by=page.sent_by)
    recorded = page.preview(**told, report=form.report)
    return recorded if is_valid else None


def _unsaid(form: HandForm, refused: Refused) -> Refused:
    """The problems of fields that nothing has been said about yet."""
    return Refused(
        [found for found in refused.problems if field_of(form, found.where) not in form.errors]
    )


def _check(request: HttpRequest, page: TablePage, form: HandForm, hand: Hand) -> HttpResponse:
    """Who would pay whom, before anything is saved."""
    shown = HandView(hand_row(hand), page.view.names)
    return render(
        request,
        "tables/check.html",
        {
            "page": page,
            "form": form,
            "hand": shown,
            "said": said_of(shown),
            "doubts": doubts_about(shown, page.rules),
            "number": hand.number,
            **page.extra,
        },
    )


def _conflict(request: HttpRequest, page: TablePage, form: HandForm, stands: Hand) -> HttpResponse:
    """What stands beside what was typed: nobody's figures are lost."""
    shown = HandView(hand_row(stands), page.view.names)
    return render(
        request,
        "tables/conflict.html",
        {"page": page, "form": form, "hand": shown, **page.extra},
        status=CONFLICT,
    )


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
    shown = page.next_number if form is None else told_number({"number": form["number"].value()})
    deal = page.deal(shown)
    context |= {"deal": deal, "square": page.square(deal)}
    if "X-Put-Away" in request.headers:  # what was said is kept for whoever looks
        context["messages"] = ()
    return render(request, page.template, context, status=status)
