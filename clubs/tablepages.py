"""The page of one table, for phone and organiser, of an evening or a tournament alike."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import Any

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from clubs.chairs import chairs_after
from clubs.doors import View, by_secret_link
from clubs.forms.hands import (
    CorrectionForm,
    HandForm,
    Place,
    blank_hand,
    keeping_tiles,
    places_of,
    told_number,
    told_of,
)
from clubs.forms.problems import add_problems, field_of
from clubs.names import first_names
from clubs.rows import HandLine, HandView, SeatRow, TableView
from scoring import Deal, RuleSet
from scoring.policies import Succession
from scoring.scorebook import services as scorebook
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import Game, Hand, HandState
from scoring.scorebook.refusals import AlreadyStands, Refused
from scoring.scorebook.selectors import hand_row, mark_of, progress, replaced_hands

UNPROCESSABLE = 422
CONFLICT = 409
DONE = {
    HandState.AGREED: "Hand {number} is agreed by the table.",
    HandState.DISPUTED: "Hand {number} is marked as not right. The scorer will look at it.",
    HandState.DECIDED: "Hand {number} stands as it is.",
}


@dataclass(frozen=True, slots=True)
class BookRow:
    """A hand of the organisers' list, and what stood in its place before corrections."""

    hand: HandView
    before: tuple[HandView, ...]
    seats: tuple[int, ...]

    @property
    def lines(self) -> list[HandLine | None]:
        """What each seat scored and gained, in the order of the seats; None for who sat out."""
        return in_seats(self.hand, self.seats)

    @property
    def was(self) -> list[tuple[HandView, list[HandLine | None]]]:
        """The same for each version that was corrected."""
        return [(old, in_seats(old, self.seats)) for old in self.before]


def in_seats(hand: HandView, seats: Sequence[int]) -> list[HandLine | None]:
    """A hand's lines in the order of these seats."""
    lines = {line.seat: line for line in hand.lines}
    return [lines.get(seat) for seat in seats]


@dataclass(frozen=True, kw_only=True)
class TablePage:
    """One table and the calls behind its buttons; ``sent_by`` is kept with every hand.

    ``done_because``: why it plays no further hand; ``stake``: what lay before each player at first.
    """

    game: Game
    read: Callable[[], TableView]
    template: str
    address: str
    standings: str
    closed_because: str
    may_change: bool
    sent_by: str
    preview: Callable[..., scorebook.Recorded]
    post: Callable[..., scorebook.Recorded]
    judge: Callable[..., Hand]
    correct: Callable[..., Hand]
    extra: dict[str, Any] = field(default_factory=dict)
    done_because: str = ""
    stake: int = 0

    @cached_property
    def view(self) -> TableView:
        """The table, totals with the stake; people go by their first names here."""
        view = self.read()
        totals = {seat: points + self.stake for seat, points in view.game.totals.items()}
        return replace(view, names=first_names(view.names), game=replace(view.game, totals=totals))

    @cached_property
    def mark(self) -> str:
        """What a page compares to know whether it still shows the table as it is."""
        return f"{mark_of(self.game)}-{bool(self.closed_because)}-{bool(self.done_because)}"

    @property
    def rules(self) -> RuleSet:
        """The edition that the table plays under."""
        return rule_set(self.game.rules)

    @property
    def pays(self) -> bool:
        """Whether players pay one another under the game's rules."""
        return self.rules.zero_sum

    @property
    def deal_moves(self) -> bool:
        """Whether the winner deals while the winds stay where they are."""
        return self.rules.passing.succession is Succession.WINNER_DEALS

    @property
    def next_number(self) -> int:
        """The number of the hand to enter next."""
        return len(self.view.game.hands) + 1

    def square(self, deal: Deal) -> list[dict[str, Any]]:
        """The seats round the square table: everybody keeps a chair, the winds move."""
        before = self.view.game.hands[: deal.number - 1]
        chairs = chairs_after([*(row.winds for row in before), deal.winds])
        points = self.view.game.totals
        return [
            {
                "key": str(place.number),
                "position": chairs[place.number],
                "wind": place.wind,
                "name": place.name,
                "points": points[place.number],
                "deals": self.deal_moves and place.number == deal.dealer,
            }
            for place in places_of(deal.winds, self.view.names)
        ]

    def resting(self, deal: Deal) -> list[SeatRow]:
        """Who sits the hand out, at a table of five."""
        return [seat for seat in self.view.seats if seat.number not in deal.winds]

    @property
    def final(self) -> list[SeatRow]:
        """The seats by their totals, the highest first."""
        return sorted(self.view.seats, key=lambda seat: -seat.points)

    @property
    def first_home(self) -> list[str]:
        """Who has won the race to so many points, if the rules have one and it is over."""
        return [self.view.names[seat] for seat in self.view.game.winners]

    @property
    def newest_first(self) -> list[HandView]:
        """The recorded hands, the last first."""
        return list(reversed(self.view.hands))

    @property
    def unsettled(self) -> HandView | None:
        """The last hand, as long as the table has not agreed on it."""
        last = self.view.last_hand
        return last if last and last.row.state in {HandState.REPORTED, HandState.DISPUTED} else None

    @property
    def book(self) -> list[BookRow]:
        """Every hand, the last first, each with what stood in its place before."""
        before: dict[int, list[HandView]] = defaultdict(list)
        for row in replaced_hands(self.game):
            before[row.number].append(HandView(row, self.view.names))
        return [
            BookRow(hand, tuple(before[hand.row.number]), tuple(sorted(self.view.names)))
            for hand in self.newest_first
        ]

    def deal(self, number: int) -> Deal:
        """The deal of the hand of this number; the last there is for a number out of range."""
        upcoming = self.view.game.next_deal
        if upcoming is not None and upcoming.number == number:
            return upcoming
        dealt = progress(self.game).deals
        return dealt[number - 1] if 0 < number <= len(dealt) else dealt[-1]

    def form(self, data: Any = None, **initial: Any) -> HandForm:
        """The form of a hand: fresh, as it was sent, or filled with what was sent."""
        start = initial or blank_hand(self.next_number)
        number = told_number(data or start)
        places = places_of(self.deal(number).winds, self.view.names)
        return HandForm(places, data, start, rules=self.rules)


def by_link(tables: Callable[[], QuerySet[Any]]) -> Callable[[View], View]:
    """For views below a printed key: look its table up; a key that opens nothing says so."""

    def wrap(view: View) -> View:
        @by_secret_link
        @wraps(view)
        def inner(request: HttpRequest, key: str, **kwargs: Any) -> HttpResponse:
            table = tables().filter(link_key=key).first()
            if table is None:
                return render(request, "tables/unknown.html", status=404)
            return view(request, table, **kwargs)

        return inner

    return wrap


def show(request: HttpRequest, page: TablePage) -> HttpResponse:
    """The table; or, asked with ``?v=``, only whether it has changed since (204: it has not)."""
    if request.method == "POST":
        return _submit(request, page)
    if "v" in request.GET:
        return _news(request, page)
    is_over = page.closed_because or page.done_because or page.view.game.is_over
    return _render(request, page, form=None if is_over else page.form())


def judge(request: HttpRequest, page: TablePage, hand: int, verdict: HandState) -> HttpResponse:
    """Agree or dispute a hand and go back to its table."""
    try:
        judged = page.judge(hand_id=hand, verdict=verdict)
    except Hand.DoesNotExist as missing:
        raise Http404 from missing
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, DONE[verdict].format(number=judged.number))
    return redirect(page.address)


def correct(request: HttpRequest, page: TablePage, hand: int) -> HttpResponse:
    """The scorer's page of one hand: let it stand, or say what it should be."""
    if request.POST.get("step") == "uphold":
        return judge(request, page, hand, HandState.DECIDED)
    found = next((view for view in page.view.hands if view.row.pk == hand), None)
    if found is None:
        messages.error(request, "That hand has been corrected meanwhile. Here is what stands now.")
        return redirect(page.address)
    if request.method == "POST":
        return _correct(request, page, found)
    form = CorrectionForm(_places(page, found), None, told_of(found.row), rules=page.rules)
    return _correction(request, page, found, form)


def _places(page: TablePage, hand: HandView) -> tuple[Place, ...]:
    return places_of(hand.row.winds, page.view.names)


def _submit(request: HttpRequest, page: TablePage) -> HttpResponse:
    step = request.POST.get("step", "check")
    if step == "change":
        return _render(request, page, form=page.form(**_carried(request)), is_fresh=False)
    form = page.form(request.POST)
    try:
        told = _send(page, form, save=step == "save")
    except AlreadyStands as stands:
        return _conflict(request, page, form, stands.hand)
    except Refused as refused:
        add_problems(form, _unsaid(form, refused))
        told = None
    if told is None:
        return _render(request, page, form=form, status=UNPROCESSABLE, is_fresh=False)
    if told.is_new and step != "save":
        return _check(request, page, form, told.hand)
    if told.hand.report != form.report.as_json():
        return _conflict(request, page, form, told.hand)
    messages.success(request, _saved(told.hand, form))
    return redirect(page.address)


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


def _saved(hand: Hand, form: HandForm) -> str:
    if hand.submission_id == form.cleaned_data["submission_id"]:
        return f"Hand {hand.number} is saved."
    return f"Hand {hand.number} was in the book already, with these very figures."


def _carried(request: HttpRequest) -> dict[str, Any]:
    """What the preview carried, for the form to show again."""
    return {name: value for name, value in request.POST.items() if name != "csrfmiddlewaretoken"}


def _check(request: HttpRequest, page: TablePage, form: HandForm, hand: Hand) -> HttpResponse:
    """Who would pay whom, before anything is saved."""
    shown = HandView(hand_row(hand), page.view.names)
    return render(
        request,
        "tables/check.html",
        {"page": page, "form": form, "hand": shown, "number": hand.number, **page.extra},
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


def _news(request: HttpRequest, page: TablePage) -> HttpResponse:
    seen = request.GET["v"]
    if seen == page.mark:
        return HttpResponse(status=204)
    hands = int(page.mark.split("-")[0])
    is_new = seen.split("-")[0] == str(hands - 1)
    return render(request, "tables/_news.html", {"page": page, "number": hands if is_new else None})


def _render(
    request: HttpRequest,
    page: TablePage,
    *,
    form: HandForm | None,
    is_fresh: bool = True,
    status: int = 200,
) -> HttpResponse:
    context = {"page": page, "table": page.view, "form": form, "is_fresh": is_fresh, **page.extra}
    if form is not None:
        deal = page.deal(told_number({"number": form["number"].value()}))
        context |= {"deal": deal, "square": page.square(deal), "resting": page.resting(deal)}
    return render(request, page.template, context, status=status)


def _correct(request: HttpRequest, page: TablePage, found: HandView) -> HttpResponse:
    form = CorrectionForm(_places(page, found), request.POST, rules=page.rules)
    if request.POST.get("step") == "change" or not form.is_valid():
        return _correction(request, page, found, form)
    report = keeping_tiles(form.report, found.row)
    try:
        if request.POST.get("step") != "save":
            moved = scorebook.preview_correction(hand_id=found.row.pk, report=report)
            return _correction(request, page, found, form, moved=moved)
        page.correct(
            hand_id=found.row.pk,
            report=report,
            corrected_by=page.sent_by,
            reason=form.cleaned_data["reason"],
        )
    except Refused as refused:
        add_problems(form, refused)
        return _correction(request, page, found, form)
    messages.success(request, f"Hand {found.row.number} is corrected.")
    return redirect(page.address)


def _correction(
    request: HttpRequest,
    page: TablePage,
    found: HandView,
    form: CorrectionForm,
    *,
    moved: Sequence[scorebook.Replacement] = (),
) -> HttpResponse:
    pairs = [
        (HandView(hand_row(one.old), page.view.names), HandView(hand_row(one.new), page.view.names))
        for one in moved
    ]
    return render(
        request,
        "tables/correct.html",
        {"page": page, "form": form, "hand": found, "moved": pairs, **page.extra},
        status=UNPROCESSABLE if form.errors else 200,
    )


def show_standings(
    request: HttpRequest, *, template: str, version: int, read: Callable[[], dict[str, Any]]
) -> HttpResponse:
    """The live result; asked with ``?v=``, its rows alone, or 204 when there is nothing newer."""
    if "v" not in request.GET:
        return render(request, f"tables/{template}.html", {"version": str(version), **read()})
    if request.GET["v"] == str(version):
        return HttpResponse(status=204)
    return render(request, f"tables/_{template}.html", {"version": str(version), **read()})
