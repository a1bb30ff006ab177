"""The repair wizard: its table, its steps, and a mistake in a sentence."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from clubs.core.forms import add_problems
from clubs.models.names import first_names
from clubs.table.event import PlayedTable
from clubs.table.forms.hands import as_data, places_of, typed_again, with_figure
from clubs.table.forms.repairs import (
    FiguresForm,
    ReasonForm,
    RepairForm,
    SeatsForm,
    SheetsForm,
    WinnerForm,
)
from clubs.table.pages.table import UNPROCESSABLE, TablePage
from clubs.table.rows import HandView, TableView
from clubs.table.services import repair_hands, tried_out, undo_repair
from scoring.hands.problems import Code
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Game, Hand, Repair, RepairKind
from scoring.scorebook.refusals import Finding, Refusal, Refused
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import hand_row
from scoring.scorebook.services import Mistake

SEAT: Final = re.compile(r"\bSeat ([1-5])\b")
WHERE: Final = re.compile(r"games\.(\d+)\.hands\.(\d+)")


@dataclass(frozen=True, slots=True)
class HandChange:
    """One hand before and after; None if it is new or removed."""

    number: int
    old: HandView | None
    new: HandView | None


@dataclass(frozen=True, slots=True)
class TableChange:
    """The changes at one table: its hands, and each player's total before and after."""

    title: str
    pays: bool
    hands: tuple[HandChange, ...]
    totals: tuple[tuple[str, int, int], ...]


def named(table: TableView) -> dict[int, str]:
    return first_names(table.names)


def changes(page: PlayedTable, done: scorebook.Repaired) -> tuple[TableChange, ...]:
    result = []
    for rewriting in done.rewritings:
        if not rewriting.changes:
            continue
        table = page.tables[rewriting.game.pk]
        names = named(table)
        hands, gained = [], dict.fromkeys(names, 0)
        for change in rewriting.changes:
            hands.append(
                HandChange(change.number, _shown(change.old, names), _shown(change.new, names))
            )
            for hand, sign in ((change.old, -1), (change.new, 1)):
                for seat, gain in (hand.gains if hand else {}).items():
                    gained[seat] += sign * gain
        before = {seat: points + page.stake for seat, points in table.game.totals.items()}
        totals = tuple(
            (names[seat], before[seat], before[seat] + gained[seat]) for seat in sorted(names)
        )
        result.append(TableChange(table.title, page.pays, tuple(hands), totals))
    return tuple(result)


def _shown(hand: Hand | None, names: Mapping[int, str]) -> HandView | None:
    return None if hand is None else HandView(hand_row(hand), names)


def in_words(mistake: Mistake, tables: Mapping[int, TableView]) -> str:
    """A sentence on the repair that the table reads."""
    own = tables[mistake.game_id]
    if mistake.kind == RepairKind.SHEETS and mistake.other_id is not None:
        which = "All hands" if mistake.first == 1 else f"The hands from {mistake.first} on"
        there = tables[mistake.other_id]
        return f"{which} of {own.title.lower()} and {there.title.lower()} are swapped."
    if mistake.kind == RepairKind.WINNER and mistake.report is not None:
        winner = mistake.report.winner
        who = "nobody" if winner is None else named(own)[winner]
        return f"Hand {mistake.first}: {who} went Mah-Jong."
    first, second = (named(own)[seat] for seat in mistake.seats or ())
    if mistake.kind == RepairKind.FIGURES:
        return f"The scores of {first} and {second} are swapped {_hands(mistake)}."
    what = (
        "only the winds are swapped" if mistake.names_are_right else "winds and scores are swapped"
    )
    return f"{first} and {second} sat in each other’s seats {_hands(mistake)}: {what}."


def _hands(mistake: Mistake) -> str:
    first, last = mistake.first, mistake.last
    if last == first:
        return f"in hand {first}"
    if last is not None:
        return f"in hands {first} to {last}"
    return f"from hand {first} on"


def in_names(refused: Refused, tables: Mapping[int, TableView]) -> Refused:
    """The refusal with players instead of seats, and with the table if there are two."""
    return Refused([_named(finding, tables) for finding in refused.problems])


def _named(finding: Finding, tables: Mapping[int, TableView]) -> Finding:
    code, sentence = finding.code, finding.sentence
    match = WHERE.fullmatch(finding.where)
    table = tables.get(int(match[1])) if match else None
    if match is None or table is None:
        return finding
    names = named(table)
    seat = SEAT.search(sentence)
    if code == Code.BAD_OUTCOME and seat:
        why = "would sit out and cannot have gone Mah-Jong."
        sentence = f"hand {match[2]} would not fit: {names[int(seat[1])]} {why}"
        return Refusal(code, f"{table.title}, {sentence}")
    sentence = SEAT.sub(lambda match: names.get(int(match[1]), match[0]), sentence)
    return Refusal(code, f"{table.title}, {sentence[0].lower()}{sentence[1:]}")


def repair_at(game: Game, repair_id: int) -> Repair | None:
    return Repair.objects.filter(pk=repair_id, games__game=game).first()


LOOKING: Final = "only looked at"
ASKED_OF: Final = {
    RepairKind.SEATS: "who sat in each other’s seats, and when?",
    RepairKind.FIGURES: "whose scores were swapped, and when?",
    RepairKind.SHEETS: "which table’s score sheet was swapped with this one?",
}
NOT_CARRIED: Final = {"csrfmiddlewaretoken", "step", "reason", "mark"}


def repair(request: HttpRequest, page: TablePage) -> HttpResponse:
    """One step of the wizard: the next question, or the result."""
    if not page.may_change:
        messages.error(request, page.closed_because)
        return redirect(page.address)
    query = request.POST if request.method == "POST" else request.GET
    kind, step = query.get("kind", ""), request.POST.get("step", "")
    form = _form(page, kind, query, is_sent=request.method == "POST")
    if form is None:
        return _show(request, page, "which_hand" if kind == RepairKind.WINNER else "what")
    if request.method != "POST" or step.startswith(("change", "tell:")) or not form.is_valid():
        return _ask(request, page, kind, form)
    return _done(request, page, form) if step == "save" else _look(request, page, form)


def _done(request: HttpRequest, page: TablePage, form: RepairForm) -> HttpResponse:
    """Step 4: save as previewed; preview again if the game has changed."""
    reason = ReasonForm(request.POST)
    if not reason.is_valid():
        return _look(request, page, form, reason)
    why, mark = reason.cleaned_data["reason"], request.POST.get("mark", "")
    try:
        done = repairing(page, form.mistake(page.game.pk))(reason=why, mark=mark)
    except Refused as refused:
        add_problems(reason, in_names(refused, page.tables))
        return _look(request, page, form, reason)
    messages.success(request, f"Corrected. {done.repair.words}")
    return redirect(page.address)


def _form(page: TablePage, kind: str, value: Any, *, is_sent: bool) -> RepairForm | None:
    """The form for that kind of repair; None if the kind is unknown."""
    view, data = page.view, value if is_sent else None
    if kind == RepairKind.WINNER:
        return _winner_form(page, value, data)
    if kind == RepairKind.SHEETS:
        return sheets_form(page, data)
    if kind == RepairKind.SEATS:
        return SeatsForm(view.names, view.hands, data)
    return FiguresForm(view.names, view.hands, data) if kind == RepairKind.FIGURES else None


def sheets_form(table: PlayedTable, data: Any) -> SheetsForm:
    """The form for two tables' sheets, with the tables beside this one."""
    others = table.beside
    names = {
        key: f"{other.title}: {', '.join(other.names.values())}" for key, other in others.items()
    }
    hands = [len(view.game.hands) for view in (table.view, *others.values())]
    return SheetsForm(names, range(1, max(hands) + 1), data)


def _winner_form(page: TablePage, value: Any, data: Any) -> WinnerForm | None:
    view = next(
        (view for view in page.view.hands if str(view.row.number) == value.get("hand")), None
    )
    if view is None:
        return None
    if data is not None:
        is_told_otherwise = data.get("step", "").startswith("tell:")
        data = None if is_told_otherwise else with_figure(data)
    initial = as_data(view.row) if data is None else None
    if value.get("step", "").startswith("tell:"):
        initial = typed_again(value)
    before = Report.from_json(view.row.report).had
    return WinnerForm(
        places_of(view.row.winds, page.view.names),
        view.row,
        data,
        initial=initial,
        rules=page.rules,
        had=page.had(view.row.number) | dict(before),
    )


def repairing(table: PlayedTable, mistake: Mistake) -> Callable[..., scorebook.Repaired]:
    """The repair, without a reason yet."""
    words = in_words(mistake, table.tables)
    return partial(
        repair_hands, table=table.event, mistake=mistake, words=words, made_by=table.sent_by
    )


def _look(
    request: HttpRequest, page: TablePage, form: RepairForm, reason: ReasonForm | None = None
) -> HttpResponse:
    """Step 3: preview every change by applying it and rolling back."""
    try:
        act = partial(repairing(page, form.mistake(page.game.pk)), reason=LOOKING)
        trial = tried_out(act, page.event)
    except Refused as refused:
        add_problems(form, in_names(refused, page.tables))
        return _ask(request, page, str(request.POST["kind"]), form)
    carried = [(name, value) for name, value in request.POST.items() if name not in NOT_CARRIED]
    return _show(
        request,
        page,
        "consequences",
        words=trial.done.repair.words,
        changes=changes(page, trial.done),
        moved=trial.moved,
        mark=trial.done.mark,
        carried=carried,
        form=reason or ReasonForm(),
        status=UNPROCESSABLE if reason else 200,
    )


def _ask(request: HttpRequest, page: TablePage, kind: str, form: RepairForm) -> HttpResponse:
    """Step 2: choose players, hands and table."""
    return _show(
        request,
        page,
        "winner" if kind == RepairKind.WINNER else "question",
        kind=kind,
        asked=ASKED_OF.get(RepairKind(kind)),
        form=form,
        status=UNPROCESSABLE if form.errors else 200,
    )


def _show(
    request: HttpRequest, page: TablePage, step: str, *, status: int = 200, **context: Any
) -> HttpResponse:
    context = {"page": page, **page.extra, **context}
    return render(request, f"clubs/table/repair_{step}.html", context, status=status)


def restore(request: HttpRequest, page: TablePage, repair: int) -> HttpResponse:
    """Preview undoing a repair; on POST, undo it."""
    result = repair_at(page.game, repair)
    if result is None:
        raise Http404
    act = partial(undo_repair, table=page.event, repair=result, undone_by=page.sent_by)
    try:
        if request.method == "POST":
            act()
            messages.success(request, f"Correction undone: {result.words}")
            return redirect(page.address)
        trial = tried_out(act, page.event)
    except Refused as refused:
        messages.error(request, str(in_names(refused, page.tables)))
        return redirect(page.address)
    context = {
        "page": page,
        "repair": result,
        "changes": changes(page, trial.done),
        "moved": trial.moved,
        **page.extra,
    }
    return render(request, "clubs/table/repair_back.html", context)
