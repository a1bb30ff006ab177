"""The guide for a director, step by step: a tournament of one's own, and the sample club's cup."""

from django.urls import reverse

from tests.browser.guided import Walk, step
from tests.tournaments.cups import SECOND_WINS, play_round
from tournaments.models import RoundState, Tournament
from tournaments.steps import services

SLUG = "riverside"
NAME = "Club Open"
NAMES = "\n".join(
    ("Ann Abbott", "Ben Brown", "Zoë Hill", "Di Dyer", "Eve Ely", "Fay Fox", "Gus Grey", "Hal Hay")
)


def cup() -> Tournament:
    """The sample club's tournament that is half played."""
    return Tournament.objects.get(name="Riverside Autumn Cup")


def own() -> Tournament:
    """The tournament that the walk makes."""
    return Tournament.objects.get(name=NAME)


def of(tournament: Tournament, name: str, *more: int) -> str:
    return reverse(name, args=[SLUG, tournament.pk, *more])


@step("director", "Set up the tournament")
def make(walk: Walk) -> None:
    page = walk.page
    walk.go(reverse("club", args=[SLUG]))
    walk.press("Tournaments")
    walk.press("New tournament")
    walk.press("A day out")
    page.get_by_label("Name", exact=True).fill(NAME)
    page.get_by_label("Hands per round").fill("1")
    walk.press("Create tournament")
    page.get_by_label("Names, one per line").fill(NAMES)
    walk.press("Add all")
    walk.expect("8 players have been entered.")
    walk.picture("entries", page.locator("#entered"))


@step("director", "Seat the rounds")
def seat(walk: Walk) -> None:
    walk.press("Continue to seating")
    walk.press("Seat the 1 rounds")
    walk.picture("draw")
    walk.press("Draw the seating")
    walk.expect("Print and display")


@step("director", "Run a round")
def play(walk: Walk) -> None:
    walk.press("Start round 1")
    walk.expect("Start round 1?")
    walk.press("Start round 1")
    walk.expect("No tables need attention")
    play_round(own(), SECOND_WINS)
    walk.go(of(cup(), "tournament"))
    walk.picture("desk", walk.page.locator("#wanted"))
    walk.go(of(own(), "tournament"))
    walk.press("Close round 1")
    walk.expect("Close round 1?")
    walk.press("Close round 1")
    walk.expect("Reopen round 1")


@step("director", "At a table")
def go_to_a_table(walk: Walk) -> None:
    walk.go(of(cup(), "tournament-table", 2, 3))
    walk.picture("table", walk.page.locator("h1"))
    walk.press("Correct hand")
    walk.go(of(cup(), "tournament-table", 2, 3))
    walk.press("Replace table card")


@step("director", "Late arrivals and withdrawals")
def change(walk: Walk) -> None:
    walk.go(of(cup(), "tournament"))
    walk.press("Entries")
    walk.press("Seating")
    walk.press("Change seating")
    walk.press("Preview the options")


@step("director", "Give the prizes")
def give_prizes(walk: Walk) -> None:
    walk.go(of(cup(), "tournament"))
    walk.press("Prizes")
    walk.picture("prizes", walk.page.locator("h1"))
    walk.press("Standings")
    _play_to_the_end(own())
    walk.go(of(own(), "tournament"))
    walk.press("Finish the tournament")
    walk.expect("Finish the tournament?")
    walk.press("Finish the tournament")
    walk.press("See the standings")


def _play_to_the_end(made: Tournament) -> None:
    for _ in range(made.rounds.filter(state=RoundState.SEATED).count()):
        services.start_round(tournament=made)
        play_round(made, SECOND_WINS)
        services.close_round(tournament=made)


@step("director", "If something goes wrong")
def go_back(walk: Walk) -> None:
    walk.go(of(cup(), "tournament-table", 2, 3))
    walk.go(of(cup(), "tournament"))
    walk.press("All printouts")
