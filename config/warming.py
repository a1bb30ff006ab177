"""What is done in advance, so that the first visitor and the first hand need not wait for it."""

from itertools import product
from threading import Thread
from typing import Final

from django.conf import settings
from django.db import connection
from django.template.loader import get_template
from django.urls import reverse

from clubs.models import Club
from clubs.tenancy import across_clubs
from scoring import RuleSet, Wind, possible_totals
from scoring.scorebook.editions import rule_set
from tournaments.models import Tournament, TournamentState

_WINDS: Final = tuple(Wind)


def load_pages() -> None:
    """Load every address and template before anyone asks for a page."""
    reverse("home")
    folder = settings.BASE_DIR / "templates"
    for path in folder.rglob("*.html"):
        get_template(path.relative_to(folder).as_posix())


def start_warming() -> Thread:
    """Start with the rules that the clubs here play by; the thread ends with the process."""
    thread = Thread(target=compute_all_totals, name="warming", daemon=True)
    thread.start()
    return thread


def compute_totals(rules: RuleSet) -> None:
    """Work out the totals of winners and losers in every wind, and those of a goulash.

    Seconds the first time, then none.
    """
    goulashes = (False, True) if rules.passing.goulash_after_a_draw else (False,)
    for goulash, won, seat, prevailing in product(goulashes, (True, False), _WINDS, _WINDS):
        possible_totals(rules, won=won, seat_wind=seat, prevailing_wind=prevailing, goulash=goulash)


def compute_all_totals() -> None:
    """Work out the totals of every rule set in use."""
    for rules in rules_in_use():
        compute_totals(rules)


def rules_in_use() -> list[RuleSet]:
    """The rules that a club, or a tournament not finished yet, plays by."""
    try:
        clubs = list(Club.objects.values_list("rules", flat=True).distinct())
        with across_clubs():
            tournaments = Tournament.objects.exclude(state=TournamentState.FINISHED)
            cups = list(tournaments.order_by().values_list("rules", flat=True).distinct())
        return [rule_set(key) for key in {*clubs, *cups}]
    finally:
        connection.close()
