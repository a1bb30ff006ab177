"""The pages of evenings, the calendar and seating preferences."""

from django.urls import path

from clubs.core.access import requires
from clubs.core.permissions import PRINT_PAPERS
from clubs.evenings.event import EveningTable
from clubs.evenings.papers import PAPERS
from clubs.evenings.views import calendar, evenings
from clubs.table.pages.entering import worker
from clubs.table.views import desk_paths, phone_paths

EVENINGS = "c/<slug:club>/evenings/"
EVENING = f"{EVENINGS}<int:pk>/"
TABLE = f"{EVENING}tables/<int:number>/"
PRINT = f"{EVENING}print/"
YEAR = "c/<slug:club>/calendar/"
MONEY = "c/<slug:club>/money/"
PREFERENCES = "c/<slug:club>/seating-preferences/"

urlpatterns = [
    path("w/<slug:key>/", evenings.wall, name="wall"),
    path("w/wall-worker.js", evenings.worker, name="wall-worker"),
    path(EVENINGS, evenings.evenings, name="evenings"),
    path(EVENING, evenings.evening, name="evening"),
    path(f"{EVENING}tick/", evenings.tick, name="tick"),
    path(f"{EVENING}guest/", evenings.guest, name="guest"),
    path(f"{EVENING}seat/", evenings.seat, name="seat"),
    path(f"{EVENING}clear/", evenings.clear, name="clear"),
    path(f"{EVENING}close/", evenings.close, name="close"),
    path(f"{EVENING}reopen/", evenings.reopen, name="reopen"),
    path(f"{EVENING}result/", evenings.result, name="result"),
    *phone_paths("t/<slug:key>/", EveningTable),
    path("t/<slug:key>/standings/", evenings.standings, name="table-standings"),
    path("t/table-worker.js", worker, name="table-worker"),
    path(TABLE, evenings.desk, name="evening-table"),
    *desk_paths(TABLE, EveningTable),
    path(PRINT, evenings.everything, name="papers"),
    path(f"{PRINT}crib.pdf", evenings.crib, name="crib-pdf"),
    *(
        path(
            f"{PRINT}{kind}.pdf",
            requires(PRINT_PAPERS, api=f"api-evening-paper-{kind}")(evenings.printed),
            {"kind": kind},
            name=f"{kind}-pdf",
        )
        for kind in PAPERS
        if kind != "crib"
    ),
    path(YEAR, calendar.calendar, name="calendar"),
    path(f"{YEAR}regular/new/", calendar.add_series, name="series-add"),
    path(f"{YEAR}regular/<int:pk>/", calendar.change_series, name="series-change"),
    path(f"{YEAR}regular/<int:pk>/remove/", calendar.remove_series, name="series-remove"),
    path(f"{YEAR}closed-dates/", calendar.holidays, name="holidays"),
    path(f"{YEAR}closed-dates/<int:pk>/remove/", calendar.holiday_remove, name="holiday-remove"),
    path("c/<slug:club>/substitutes/", calendar.next_day, name="substitutes"),
    path("c/<slug:club>/substitutes/<str:day>/", calendar.standby, name="standby"),
    path(f"{EVENING}money/", evenings.evening_money, name="money"),
    path(f"{EVENING}money.csv", evenings.evening_money_file, name="money-file"),
    path(MONEY, evenings.this_year, name="money-now"),
    path(f"{MONEY}<int:year>/", evenings.year_money, name="money-year"),
    path(f"{MONEY}<int:year>.csv", evenings.year_money_file, name="money-year-file"),
    path("come/<slug:key>/", calendar.answer, name="standby-answer"),
    path("cal/<slug:key>/evenings.ics", calendar.feed, name="calendar-feed"),
    path("cal/<slug:key>/<str:day>/evening.ics", calendar.day, name="calendar-day"),
    path(f"{EVENING}corrections/", evenings.repairs, name="evening-repairs"),
    path(f"{EVENING}why/", evenings.why, name="evening-why"),
    path(f"{EVENING}why.pdf", evenings.paper, name="evening-why-pdf"),
    path(f"{EVENING}arrivals/", evenings.change, name="evening-change"),
    path(f"{EVENING}arrivals/<int:number>/undo/", evenings.undo_change, name="evening-change-undo"),
    path(f"{EVENING}move/", evenings.move, name="evening-move"),
    path(f"{EVENING}score-sheets/", evenings.stack, name="evening-sheets"),
    path(PREFERENCES, calendar.wishes, name="wishes"),
    path(f"{PREFERENCES}add/<slug:kind>/", calendar.add_wish, name="wish-add"),
    path(f"{PREFERENCES}<int:pk>/delete/", calendar.remove_wish, name="wish-back"),
]
