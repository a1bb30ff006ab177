"""Hands entered at a table: the next one, tile by tile, and those a phone has kept."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from http import HTTPStatus
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone

from clubs.core.access import public_view
from clubs.core.forms import field_of
from clubs.core.pages import run_action
from clubs.language.words import whole_number
from clubs.table import services
from clubs.table.event import PLAYERS_CHANGED
from clubs.table.forms.hands import (
    NO_WINNER,
    HandForm,
    PlayingSeat,
    add_tiles,
    apply_figure_button,
    hand_number,
    playing_seats,
    read_tiles,
    refill_form,
)
from clubs.table.forms.rules import Tapping, read_tapping
from clubs.table.pages.repairs import initial_from_undone, undone_message
from clubs.table.pages.table import CONFLICT, UNPROCESSABLE, TablePage, table_news
from clubs.table.rows import doubts_about
from clubs.table.selectors.reviews import is_replaced_link, was_link_of
from clubs.table.selectors.rules import Asker, aid_of
from clubs.table.selectors.tile_entry import Builder, builder_after, builder_at
from scoring import Deal, RuleSet, Wind
from scoring.building import Draft, PlayResult, Steps, seat_draft
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import SEAT_NUMBERS, Hand, Recording
from scoring.scorebook.refusals import AlreadyStands, Refused, refuse
from scoring.scorebook.selectors import drafts_of, winner_of
from scoring.scorebook.services.games import forget_tapped_tiles, tap_tiles
from scoring.scorebook.shares import shares_ahead, totals_ahead
from scoring.table.progression import deals_ahead, deals_ahead_as_json

NOT_SAVED = refuse("session_closed", "This hand was not saved. Show these scores to an organiser.")
PLAYERS_CHANGED_MESSAGE = (
    "The players at this table have changed, so this hand was not saved. "
    "Enter it again for those who played it."
)

EMPTY_DRAFT = Draft(won=False)
TAP_FIELDS = ("was", "add", "v")
MAX_CARRIED = 2000
UNCARRIED_FIELDS = ("csrfmiddlewaretoken", "step", "put")
WINNERS_TILES = "winner"
TILES_CHANGED_MESSAGE = "The tiles were changed on another phone. This is the current hand."
NOT_NOW_CODES = frozenset({"after_the_bell", "after_the_end", "game_closed", "round_not_open"})
MAX_TIME_KEPT = timedelta(hours=12)


def look_ahead(request: HttpRequest, page: TablePage) -> HttpResponse:
    """Every deal possible in the next thirty hands; 204 if the game is over.

    With ``?totals=`` the scores that can be at these deals: under house rules they take seconds.
    """
    if page.view.game.is_over:
        return HttpResponse(status=204)
    states = deals_ahead(page.winners, **page.course)
    if "totals" in request.GET:
        return JsonResponse(totals_ahead(states, page.rules))
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
        seat_winds = "".join(f"{seat}{wind}" for seat, wind in state.deal.winds.items())
        deals[f"{seat_winds}.{state.deal.dealer}"] = state.deal
    entry = {"page": page, "table": page.view, **page.extra}
    forms = {}
    for key, deal in deals.items():
        form_context = {"form": page.blank_form(deal), "deal": deal, "square": page.square(deal)}
        forms[key] = render_to_string("clubs/table/_entry.html", entry | form_context, request)
    context = {
        "version": page.version,
        "forms": forms,
        "prevailing": prevailing,
        "shares": shares_ahead(states, page.rules),
    }
    return JsonResponse(context | deals_ahead_as_json(states))


def name_dealer(request: HttpRequest, page: TablePage) -> HttpResponse:
    """Set the first dealer to the chosen seat, or say why that is refused."""
    dealer = request.POST["dealer"]
    seat = int(dealer) if dealer in set(map(str, SEAT_NUMBERS)) else 0
    if reason := page.closed_because or page.done_because:
        messages.error(request, reason)
    else:
        name = partial(services.name_first_dealer, table=page.event, seat=seat)
        run_action(request, name, lambda _: f"{page.view.names[seat]} deals the first hand.")
    return redirect(page.address)


def enter_hand(request: HttpRequest, page: TablePage) -> HttpResponse:
    """The table; with ``?v=``, 204 if it has not changed."""
    if request.method == "POST":
        if page.is_of_others(request.POST):
            messages.warning(request, PLAYERS_CHANGED_MESSAGE)
            return redirect(page.address)
        return (name_dealer if "dealer" in request.POST else _submit)(request, page)
    if "v" in request.GET:
        return table_news(request, page)
    is_over = page.closed_because or page.done_because or page.view.game.is_over
    undone_entry = initial_from_undone(request, page)
    start = initial_beside_tiles(undone_entry, page) or initial_from_table(request, page)
    # After ``?saved=`` confirm the newest hand, whichever phone sent it. The
    # book says so, not a cookie: a phone may have several senders, and only one gets the response.
    newest = page.next_number - 1
    if newest and request.GET.get("saved") == str(newest):
        messages.success(request, f"Hand {page.next_at_table - 1} saved.")
    return _render_table(
        request, page, form=None if is_over else page.form(**start), is_reentry=bool(undone_entry)
    )


def _submit(request: HttpRequest, page: TablePage) -> HttpResponse:
    if (tiles := redirect_to_tiles(request, page)) is not None:
        return tiles
    form_data, step = add_stored_tiles(request, page)
    if step == "change" or step.startswith("tell:"):
        return _render_table(
            request, page, form=page.form(**refill_form(form_data)), is_fresh=False
        )
    form = page.form(apply_figure_button(form_data))
    try:
        recorded_hand = _preview_or_record(page, form, save=step == "save")
    except AlreadyStands as stands:
        return _render_beside(request, page, form, stands.hand, "conflict", status=CONFLICT)
    except Refused as refused:
        problems = [
            problem
            for problem in refused.problems
            if field_of(form, problem.path) not in form.errors
        ]
        form.offer(NOT_SAVED if page.closed_because else Refused(problems))
        recorded_hand = None
    if recorded_hand is None:
        return _render_table(request, page, form=form, status=UNPROCESSABLE, is_fresh=False)
    if recorded_hand.is_new and step != "save":
        return _render_beside(request, page, form, recorded_hand.hand, "check")
    return _render_stored(request, page, form, recorded_hand.hand)


def _render_stored(
    request: HttpRequest, page: TablePage, form: HandForm, hand: Hand
) -> HttpResponse:
    """What the book has now: this very hand, another one, or a note that it was taken back."""
    if scorebook.is_undone(hand):
        messages.warning(request, undone_message(page, hand))
        return redirect(page.address)
    if hand.submission_id == form.cleaned_data["submission_id"]:
        return redirect(f"{page.address}?saved={hand.number}")
    messages.success(
        request, f"Hand {hand.number_at_table} was already recorded with the same scores."
    )
    return redirect(page.address)


def _preview_or_record(
    page: TablePage, form: HandForm, *, save: bool
) -> scorebook.RecordedHand | None:
    """Preview or record the form's hand; an invalid form is only checked further."""
    is_valid = form.is_valid()
    if not form.tells_a_hand:
        return None
    submission_id, number = form.cleaned_data["submission_id"], form.cleaned_data["number"]
    if save and is_valid:
        return services.post_page_hand(page, submission_id, number, form.report)
    recorded_hand = services.preview_hand(
        table=page.event, submission_id=submission_id, number=number, report=form.report
    )
    return recorded_hand if is_valid else None


def _render_beside(
    request: HttpRequest,
    page: TablePage,
    form: HandForm,
    hand: Hand,
    template: str,
    *,
    status: int = 200,
) -> HttpResponse:
    """Show what was typed as the hand that it makes, or beside the one that was recorded."""
    hand_view = page.hand_view(hand)
    context = {
        "page": page,
        "form": form,
        "hand": hand_view,
        "said": hand_view.payment_sentences,
        "doubts": doubts_about(hand_view, page.rules),
        "number": hand.number,
        **page.extra,
    }
    return render(request, f"clubs/table/{template}.html", context, status=status)


def _render_table(
    request: HttpRequest,
    page: TablePage,
    *,
    form: HandForm | None,
    is_fresh: bool = True,
    is_reentry: bool = False,
    status: int = 200,
) -> HttpResponse:
    context = {"page": page, "table": page.view, "form": form, "is_fresh": is_fresh, **page.extra}
    context |= {"again": is_reentry, **tapped_context(page)}
    deal_number = (
        page.next_number if form is None else hand_number({"number": form["number"].value()})
    )
    deal = page.deal(deal_number)
    context |= {"deal": deal, "square": page.square(deal)}
    if "X-Put-Away" in request.headers:  # what was said is kept for whoever looks
        context["messages"] = ()
    return render(request, page.template, context, status=status)


class SeatTilesLink(NamedTuple):
    """The link to one player's tiles, and how many there are."""

    place: PlayingSeat
    address: str
    tiles: int
    won: bool


@dataclass(frozen=True, slots=True)
class Rack:
    """The page of one seat's tiles; ``carried_query``: what was typed at the table meanwhile."""

    page: TablePage
    deal: Deal
    seat: int
    carried_query: str

    @property
    def address(self) -> str:
        return self.with_carried(tiles_address(self.page, self.seat))

    @property
    def return_url(self) -> str:
        return self.with_carried(self.page.address)

    @property
    def place(self) -> PlayingSeat:
        return next(place for place in self.places if place.number == self.seat)

    @property
    def places(self) -> tuple[PlayingSeat, ...]:
        """Everyone who plays the hand, from East on."""
        return playing_seats(self.deal.winds, self.page.view.names)

    def seats(self, drafts: Mapping[int, Draft]) -> list[SeatTilesLink]:
        result = []
        for place in self.places:
            draft = drafts.get(place.number, EMPTY_DRAFT)
            address = self.with_carried(tiles_address(self.page, place.number))
            result.append(SeatTilesLink(place, address, draft.tile_counts.total(), draft.won))
        return result

    def draft_at_seat(self, draft: Draft) -> Draft:
        return seat_draft(draft, self.seat, self.deal, self.page.rules)

    def with_carried(self, address: str, **fields: str) -> str:
        """The URL with what was typed at the table, and more."""
        query = "&".join(filter(None, [self.carried_query, urlencode(fields)]))
        return f"{address}?{query}" if query else address


def seat_tiles(request: HttpRequest, page: TablePage, seat: int) -> HttpResponse:
    """One seat's tiles of the current hand: shown, or changed by taps."""
    upcoming = page.view.game.next_deal
    reason = page.closed_because or page.done_because
    if upcoming is None or reason or seat not in upcoming.winds:
        return _redirect_to_table(request, page, reason or "This player has no tiles entered.")
    query = request.GET.copy()
    for name in TAP_FIELDS:
        query.pop(name, None)
    text = query.urlencode()
    rack = Rack(page, upcoming, seat, text if len(text) <= MAX_CARRIED else "")
    if request.method == "POST":
        return _apply_taps(request, rack)
    # The stored hand; an empty one is marked Mah-Jong if the table has said so.
    other_drafts = drafts_of(page.game, upcoming)
    draft = other_drafts.pop(seat, None)
    if draft is None:
        won = request.GET.get("winner") == str(seat) and not winner_of(other_drafts)
        draft = rack.draft_at_seat(replace(EMPTY_DRAFT, won=won))
    tapping = read_tapping(request.GET)
    play_result = PlayResult(Steps(draft, tapping.steps.previous_drafts))
    builder = builder_at(draft, play_result, other_drafts, page.rules, page.view.names)
    return _render_tiles(request, rack, builder, tapping, other_drafts)


def tapped_tiles(request: HttpRequest, page: TablePage) -> HttpResponse:
    """The tapped tiles, seat by seat, for an open page; 204 if unchanged."""
    if request.GET.get("v") == tiles_mark(page):
        return HttpResponse(status=204)
    upcoming = page.view.game.next_deal
    places = playing_seats(upcoming.winds, page.view.names) if upcoming else ()
    context = {"page": page, "places": places, "way": request.GET.get("way", "")}
    return render(request, "clubs/table/_tile_entry.html", context | tapped_context(page))


def tiles_address(page: TablePage, seat: int) -> str:
    return f"{page.address}tiles/{seat}/"


def tapped_context(page: TablePage) -> dict[str, Any]:
    """The context for showing the tapped hands, with a mark that changes with every tile."""
    return {"tapped": page.tapped_seats, "tiles_mark": tiles_mark(page)}


def tiles_mark(page: TablePage) -> str:
    return f"{page.next_number}" + "".join(
        f"*{seat}{hand.text}" for seat, hand in sorted(page.tapped_seats.items())
    )


def _apply_taps(request: HttpRequest, rack: Rack) -> HttpResponse:
    tapping = read_tapping(request.POST)
    try:
        answer = tap_tiles(
            game_id=rack.page.game.pk,
            number=hand_number(request.POST),
            seat=rack.seat,
            sent_steps=tapping.steps,
            taps=tapping.taps,
        )
    except Refused as refused:
        return _redirect_to_table(request, rack.page, str(refused))
    previous_draft = rack.draft_at_seat(tapping.steps.draft)
    builder = builder_after(previous_draft, answer, rack.page.rules, rack.page.view.names)
    if _is_by_script(request) or builder.refusals:
        return _render_tiles(request, rack, builder, tapping, answer.other_drafts)
    address = rack.with_carried(
        tiles_address(rack.page, rack.seat), was=builder.earlier_text, add=tapping.adding
    )
    return redirect(f"{address}#hand")


def _render_tiles(
    request: HttpRequest,
    rack: Rack,
    builder: Builder,
    tapping: Tapping,
    other_drafts: Mapping[int, Draft],
) -> HttpResponse:
    context = {
        "page": rack.page,
        "rack": rack,
        "builder": builder,
        "tapping": tapping,
        "seats": rack.seats({**other_drafts, rack.seat: builder.draft}),
        "number": rack.deal.number,
        **rack.page.extra,
    }
    template = "clubs/table/_tiles.html" if _is_by_script(request) else "clubs/table/tiles.html"
    return render(request, template, context, status=UNPROCESSABLE if builder.refusals else 200)


def _redirect_to_table(request: HttpRequest, page: TablePage, reason: str) -> HttpResponse:
    """Redirect to the table, which says why; the page's script goes there by itself."""
    messages.warning(request, reason)
    if _is_by_script(request):
        return HttpResponse(page.address, status=CONFLICT, content_type="text/plain")
    return redirect(page.address)


def _is_by_script(request: HttpRequest) -> bool:
    return bool(request.htmx)  # type: ignore[attr-defined]


def redirect_to_tiles(request: HttpRequest, page: TablePage) -> HttpResponse | None:
    """The link to a seat's tiles, if that was pressed, with everything typed so far."""
    step, _, text = request.POST.get("step", "").partition(":")
    if step != "tiles":
        return None
    seat = request.POST.get("winner", "") if text == WINNERS_TILES else text
    query = urlencode(
        {
            name: value
            for name, value in request.POST.items()
            if value and name not in UNCARRIED_FIELDS and not name.startswith("tiles_")
        }
    )
    if seat not in {str(number) for number in page.view.names}:
        messages.warning(request, "First choose who went Mah-Jong.")
        return redirect(f"{page.address}?{query}")
    return redirect(f"{tiles_address(page, int(seat))}?{query}")


def initial_beside_tiles(start: dict[str, Any], page: TablePage) -> dict[str, Any]:
    """A form's initial data, without the scores that the tiles determine."""
    score_fields = {f"score_{seat}" for seat in page.tapped_seats}
    score_fields |= {"score"} if winner_in_tiles(page) else set()
    return {name: value for name, value in start.items() if name not in score_fields}


def initial_from_table(request: HttpRequest, page: TablePage) -> dict[str, Any]:
    """Initial data: what was typed before the tiles were tapped, and the tiles' winner."""
    entries = {name: request.GET[name] for name in request.GET if name != "v"}
    if hand_number(entries) != page.next_number or page.is_of_others(entries):
        entries = {}
    tiles_winner = winner_in_tiles(page)
    won = {"winner": tiles_winner} if tiles_winner else {}
    return {**page.blank_hand(), **entries, **won} if entries or won else {}


def add_stored_tiles(request: HttpRequest, page: TablePage) -> tuple[QueryDict, str]:
    """The form data with the stored tiles, and the step it is for.

    Only what was checked is saved: if a tile has changed since, it is checked again.
    """
    form_data, step = request.POST, request.POST.get("step", "check")
    if hand_number(form_data) != page.next_number:
        return form_data, step
    tile_texts = draft_texts(page)
    if step == "save":
        told_otherwise = form_data.get("way") in {Recording.TALLIES, Recording.WINNER}
        if (
            read_tiles(form_data) == tile_texts
            or form_data.get("winner") == NO_WINNER
            or told_otherwise
        ):
            return form_data, step
        messages.warning(request, TILES_CHANGED_MESSAGE)
        step = "check"
    act, _, text = step.partition(":")
    if act == "type" and (seat := whole_number(text, most=SEAT_NUMBERS[-1])):
        forget_tapped_tiles(game_id=page.game.pk, number=page.next_number, seat=seat)
        tile_texts.pop(seat, None)
        step = "check"
    merged_data = add_tiles(form_data, tile_texts)
    tiles_winner = winner_in_tiles(page)
    if tiles_winner and not merged_data.get("winner") and "drawn" not in merged_data:
        merged_data["winner"] = str(tiles_winner)
    return merged_data, step


def refuse_changed_tiles(form_data: QueryDict, page: TablePage) -> None:
    """Raises ``Refused`` if a script sends a hand whose tiles differ from the stored ones."""
    fields = read_tiles(form_data)
    if fields and hand_number(form_data) == page.next_number and fields != draft_texts(page):
        raise refuse("tiles_changed", TILES_CHANGED_MESSAGE)


def draft_texts(page: TablePage) -> dict[int, str]:
    return {seat: hand.text for seat, hand in page.tapped_seats.items()}


def winner_in_tiles(page: TablePage) -> int | None:
    return next((seat for seat, hand in page.tapped_seats.items() if hand.draft.won), None)


def tile_aid(request: HttpRequest, page: TablePage) -> HttpResponse:
    """The beginner's aid for this table's rules; on a seat's link with its wind."""
    context = {"page": page, "frame": "clubs/table/page.html", **page.extra}
    return show_aid(request, page.rules, page.asker, **context)


def show_aid(request: HttpRequest, rules: RuleSet, asker: Asker, **extra: Any) -> HttpResponse:
    """The aid; ``?own=`` and ``?prevailing=`` set the winds, ``?tile=`` the tile."""
    asker = asker.asking(
        _parse_wind(request.GET.get("own")), _parse_wind(request.GET.get("prevailing"))
    )
    aid = aid_of(rules, asker, request.GET.get("tile", ""))
    return render(request, "clubs/table/aid.html", {"aid": aid, "rules": rules, **extra})


def _parse_wind(text: str | None) -> Wind | None:
    return Wind(text) if text in set(Wind) else None


def save_stored_hand(request: HttpRequest, page: TablePage) -> JsonResponse:
    """Save a stored hand: 201 saved, 200 was there, 409 conflict, 422 invalid, 403 not now.

    Never overwrites. If it is not saved, the response says what to show.
    """
    form = page.kept_form(request.POST)
    is_valid = form.is_valid()
    corrected_hand = _hand_put_right(request, page, form)
    if not (is_valid or corrected_hand):
        return _refusal_response(
            request, page, page.form(request.POST), HTTPStatus.UNPROCESSABLE_ENTITY
        )
    try:
        recorded_hand = corrected_hand or _save_hand(request, page, form)
    except AlreadyStands as stands:
        hand = page.hand_view(stands.hand)
        review = page.reviews.get(stands.hand.pk)
        form = page.form(request.POST)
        return _trouble_response(request, page, form, HTTPStatus.CONFLICT, hand=hand, review=review)
    except Refused as refused:
        form = page.form(request.POST)
        form.offer(refused)
        codes = {problem.code for problem in refused.problems}
        status = HTTPStatus.FORBIDDEN if codes & NOT_NOW_CODES else HTTPStatus.UNPROCESSABLE_ENTITY
        return _refusal_response(request, page, form, status, is_of_others=PLAYERS_CHANGED in codes)
    if recorded_hand.hand.game_id == page.game.pk and scorebook.is_undone(recorded_hand.hand):
        messages.warning(request, undone_message(page, recorded_hand.hand))
    response_data = {
        "saved": str(form.cleaned_data["submission_id"]),
        "number": recorded_hand.hand.number,
    }
    return JsonResponse(
        response_data, status=HTTPStatus.CREATED if recorded_hand.is_new else HTTPStatus.OK
    )


def _hand_put_right(
    request: HttpRequest, page: TablePage, form: HandForm
) -> scorebook.RecordedHand | None:
    """The hand that a phone kept in trouble, if it was put right and saved without that phone.

    The phone still has the figures that were refused, so they are not compared.
    """
    submission_id = form.cleaned_data.get("submission_id")
    if submission_id is None or "put_right" not in request.POST:
        return None
    hand = page.game.hands.filter(submission_id=submission_id).first()
    return None if hand is None else scorebook.RecordedHand(hand, is_new=False)


def _save_hand(request: HttpRequest, page: TablePage, form: HandForm) -> scorebook.RecordedHand:
    submission_id, number = form.cleaned_data["submission_id"], form.cleaned_data["number"]
    if page.is_of_others(request.POST):
        stored_hand = services.hand_before_change(submission_id, form.report)
        return scorebook.RecordedHand(stored_hand, is_new=False)
    refuse_changed_tiles(request.POST, page)
    kept_for = request.POST.get("kept_for", "")
    entry_time = entered_at(kept_for, now=timezone.now())
    return services.post_page_hand(page, submission_id, number, form.report, entered_at=entry_time)


def entered_at(kept_for: str, *, now: datetime) -> datetime:
    """When a hand was entered that a phone has kept for so many seconds.

    The phone's clock may be wrong, its waiting time is not. Invalid values count as now.
    """
    seconds = whole_number(kept_for, most=999_999) or 0
    return now - min(timedelta(seconds=seconds), MAX_TIME_KEPT)


def _refusal_response(
    request: HttpRequest,
    page: TablePage,
    form: HandForm,
    status: HTTPStatus,
    *,
    is_of_others: bool = False,
) -> JsonResponse:
    """Show the reason; what was typed can be changed and is then the next hand.

    Not so what other players scored: only the organiser can enter it for them.
    """
    entries = form.typed_values | {"number": str(page.next_number)}
    is_late = status == HTTPStatus.FORBIDDEN
    extra_context = {"typed": entries, "is_late": is_late, "is_of_others": is_of_others}
    return _trouble_response(request, page, form, status, **extra_context)


def _trouble_response(
    request: HttpRequest, page: TablePage, form: HandForm, status: HTTPStatus, **extra_context: Any
) -> JsonResponse:
    context = {"page": page, "form": form, **extra_context}
    fields = {
        "problems": form.errors.get_json_data(),
        "page": render_to_string("clubs/table/_kept_trouble.html", context, request),
    }
    return JsonResponse(fields, status=status)


def no_table(request: HttpRequest, *, key: str, is_void: bool) -> HttpResponse:
    """410 if the link was replaced, else 404, with a sentence and advice."""
    if is_void or is_replaced_link(key):
        return render(request, "clubs/table/replaced.html", status=HTTPStatus.GONE)
    return render(request, "clubs/table/unknown.html", status=HTTPStatus.NOT_FOUND)


def hands_not_sent(request: HttpRequest, *, key: str, is_void: bool) -> HttpResponse:
    """The same for the script that sends stored hands: they stay on the phone for the new card."""
    if is_void or is_replaced_link(key):
        page = render_to_string("clubs/table/_kept_replaced.html", request=request)
        return JsonResponse({"problems": {}, "page": page}, status=HTTPStatus.GONE)
    return no_table(request, key=key, is_void=False)


def check_old_link(request: HttpRequest, table: object, old: str) -> HttpResponse:  # noqa: ARG001
    """204 if the old link was this table's: the phone then sends its stored hands here."""
    is_its_own = was_link_of(old, getattr(table, "link_key", ""))
    return HttpResponse(status=HTTPStatus.NO_CONTENT if is_its_own else HTTPStatus.NOT_FOUND)


@public_view
def table_worker(request: HttpRequest) -> HttpResponse:
    """The service worker; served below the tables' links, which limits its scope."""
    return render(request, "clubs/table/worker.js", content_type="text/javascript")
