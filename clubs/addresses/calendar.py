"""Where the club's year is: the evenings that come, and what belongs to them."""

from django.urls import path

from clubs.views import calendar, money, standby

YEAR = "c/<slug:club>/calendar/"
EVENING = "c/<slug:club>/evenings/<int:pk>/"
MONEY = "c/<slug:club>/money/"

urlpatterns = [
    path(YEAR, calendar.calendar, name="calendar"),
    path(f"{YEAR}regular/new/", calendar.add, name="series-add"),
    path(f"{YEAR}regular/<int:pk>/", calendar.change, name="series-change"),
    path(f"{YEAR}regular/<int:pk>/remove/", calendar.remove, name="series-remove"),
    path(f"{YEAR}closed-dates/", calendar.holidays, name="holidays"),
    path(f"{YEAR}closed-dates/<int:pk>/remove/", calendar.holiday_remove, name="holiday-remove"),
    path("c/<slug:club>/substitutes/", standby.next_day, name="substitutes"),
    path("c/<slug:club>/substitutes/<str:day>/", standby.standby, name="standby"),
    path(f"{EVENING}money/", money.evening_money, name="money"),
    path(f"{EVENING}money.csv", money.evening_money_file, name="money-file"),
    path(MONEY, money.this_year, name="money-now"),
    path(f"{MONEY}<int:year>/", money.year_money, name="money-year"),
    path(f"{MONEY}<int:year>.csv", money.year_money_file, name="money-year-file"),
    path("come/<slug:key>/", standby.answer, name="standby-answer"),
    path("cal/<slug:key>/evenings.ics", calendar.feed, name="calendar-feed"),
    path("cal/<slug:key>/<str:day>/evening.ics", calendar.day, name="calendar-day"),
]
