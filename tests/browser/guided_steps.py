"""The guides, step by step: what each reader does on the sample club."""

from datetime import date, timedelta

from django.urls import reverse
from playwright.sync_api import expect

from clubs.evenings.event import EveningTable
from clubs.models import Club, Session, SessionState, SessionTable
from clubs.table.services import replace_links
from tests.browser.guided import Walk, step
from tests.browser.telling import begin, choose, tell, type_scores
from tests.browser.tour import PASSWORD
from tests.tournaments.cups import SECOND_WINS, play_round
from tournaments.models import RoundState, Tournament
from tournaments.steps import services

SLUG = "riverside"
SCORES = ("20", "60", "8", "4")
HERE = 9
NAME = "Club Open"
NAMES = "\n".join(
    ("Ann Abbott", "Ben Brown", "Zoë Hill", "Di Dyer", "Eve Ely", "Fay Fox", "Gus Grey", "Hal Hay")
)


def table() -> SessionTable:
    """The table that is played at."""
    return SessionTable.objects.get(session__state=SessionState.PLAYING, number=3)


@step("player", "Open your table")
def open_the_table(walk: Walk) -> None:
    walk.go(reverse("table", args=[table().link_key]))
    begin(walk.page)
    walk.picture("phone-table")


@step("player", "Enter a hand")
def enter(walk: Walk) -> None:
    walk.look()
    choose(walk.page, 1)
    walk.expect("What did each hand score?")
    type_scores(walk.page, *SCORES)
    walk.press("Check hand")
    walk.expect("Check this hand")
    walk.picture("phone-check")
    walk.press("Save")
    walk.expect("saved.")


@step("player", "Agree")
def agree(walk: Walk) -> None:
    walk.picture("phone-agree")
    walk.press("More", "Use your own phones", "Hand", "All agree")
    walk.expect("agreed by the table.")


@step("player", "Find out what a hand is worth")
def ask(walk: Walk) -> None:
    choose(walk.page, 1)
    walk.press("Tap the tiles")
    walk.expect("Every tap is shared")
    walk.go(reverse("table", args=[table().link_key]))
    walk.press("More", "What is this tile?")
    walk.press("Scores", "Hands so far")
    walk.go(reverse("table", args=[table().link_key]))
    walk.press("Go back")


@step("player", "Correct a hand")
def correct_own(walk: Walk) -> None:
    tell(walk.page, 1, *SCORES)
    walk.press("Check hand", "Save")
    walk.expect("saved.")
    walk.press("Report a problem")
    walk.picture("phone-not-right")
    walk.press("Cancel", "Undo hand")
    walk.expect("Undo hand")
    walk.press("Undo hand")
    walk.expect("was undone")


@step("player", "If you are offline")
def without_a_network(walk: Walk) -> None:
    page = walk.page
    walk.go(reverse("table", args=[table().link_key]))
    page.locator("[data-net][data-knows][data-put-away]").wait_for()
    walk.press("Go back")  # what the undone hand scored stays to be corrected
    page.context.set_offline(True)
    walk.expect("OFFLINE")
    tell(page, 1, *SCORES)
    walk.look()
    page.get_by_role("button", name="Check hand").click()
    page.get_by_role("button", name="on this phone").wait_for()
    walk.press("Save hand")
    walk.expect("the last at")
    walk.expect("SAVED ON THIS PHONE")
    walk.picture("phone-kept")
    page.context.set_offline(False)
    walk.expect("ONLINE")
    walk.expect("Is it right?")


@step("player", "If something goes wrong")
def scan_an_old_card(walk: Walk) -> None:
    old = table()
    replace_links(table=EveningTable(old))
    walk.go(reverse("table", args=[old.link_key]))


@step("player", "Make the text larger")
def enlarge(walk: Walk) -> None:
    walk.go(reverse("table", args=[table().link_key]))
    walk.press("More", "Display settings")


def tonight() -> Session:
    """The evening of the sample club that is half played."""
    first_day: date = Club.objects.get(slug=SLUG).sessions.earliest("held_on").held_on
    return Session.objects.filter(state=SessionState.PLAYING, held_on__gte=first_day).earliest(
        "held_on"
    )


def evening() -> str:
    return reverse("evening", args=[SLUG, tonight().pk])


def at_table(number: int) -> str:
    return reverse("evening-table", args=[SLUG, tonight().pk, number])


def sign_in(walk: Walk, email: str) -> None:
    walk.go("/")
    walk.press("Sign in")
    walk.page.get_by_label("Email").fill(email)
    walk.page.get_by_label("Password", exact=True).fill(PASSWORD)
    walk.page.locator("main").get_by_role("button", name="Sign in").click()
    walk.page.get_by_role("heading", name="Sign in").wait_for(state="detached")


@step("secretary", "Before you start")
def practise(walk: Walk) -> None:
    sign_in(walk, "secretary@example.org")
    walk.press("Settings", "Start a practice evening", "To the evening", "Seat 1 people")
    walk.press("Enter hands")
    tell(walk.page, 1, *SCORES)
    walk.press("Check hand", "Save", "Things to try", "Play the next hands", "Finish evening")
    walk.press("Finish evening")
    walk.expect("The evening is finished")
    walk.go(reverse("club", args=[SLUG]))


@step("secretary", "Set up your club")
def set_up(walk: Walk) -> None:
    walk.press("Members")
    walk.picture("members")
    walk.press("Import members", "League", "Seasons", "New season")


@step("secretary", "Write your club’s rules")
def write_rules(walk: Walk) -> None:
    page = walk.page
    walk.press("Settings", "Club rules", "Add house rules")
    page.get_by_text("A Mah-Jong", exact=True).click()
    page.get_by_role("group", name="Chows in a Mah-Jong").get_by_text("2 at most").click()
    page.get_by_text("Scoring and paying", exact=True).click()
    page.get_by_text("The discarder, for everyone").click()
    page.get_by_label("East pays and receives this many times the score").fill("1")
    page.get_by_text("Your own lines", exact=True).click()
    page.get_by_role("textbox", name="Name", exact=True).fill("Pair of 1s or 9s")
    page.get_by_label("Scored for").select_option("Pair")
    page.get_by_label("and (optional)").first.select_option("Of 1s or 9s")
    page.get_by_label("How many", exact=True).fill("2")
    walk.press("Preview rules")
    walk.expect("differences from BMJA rules")
    walk.picture("house-rules", page.locator("#differs"))
    walk.press("Save house rules")
    walk.expect("You can now choose these rules.")
    walk.press("Save")
    walk.go(reverse("club", args=[SLUG]))


@step("secretary", "Check people in")
def tick(walk: Walk) -> None:
    page = walk.page
    walk.press("Evenings")
    tomorrow = tonight().held_on + timedelta(days=1)
    page.get_by_label("Date of the evening").fill(tomorrow.isoformat())
    walk.press("Create evening")
    for number in range(HERE):
        page.locator("#door .tick").nth(number).click()
        expect(page.locator("#door .tick[aria-pressed=true]")).to_have_count(number + 1)
    walk.picture("door", page.locator("#who"))
    page.get_by_label("guest").fill("Wei-Ling Zhang")
    walk.press("Add guest", "Seat 1 people", "Seat everyone")
    walk.expect("Table 2")


@step("secretary", "Put out the table cards")
def lay_the_tables(walk: Walk) -> None:
    walk.picture("tables", walk.page.get_by_role("navigation", name="Print for the tables"))


@step("secretary", "While they play")
def watch(walk: Walk) -> None:
    walk.go(evening())
    walk.picture("waits", walk.page.locator("#disputes"))
    walk.press("Review hand :")
    walk.page.get_by_label("Reason for keeping it").fill("So it is on the paper sheet")
    walk.press("Keep as entered")
    walk.go(evening())
    walk.press("Late arrivals and departures")
    walk.go(evening())
    walk.press("Enter hands")


@step("secretary", "Correct a hand")
def correct(walk: Walk) -> None:
    walk.go(evening())
    walk.press("Enter hands", "Correct hand")
    walk.page.locator("label.choice").first.click()
    walk.page.get_by_label("Reason for the change").fill("East went Mah-Jong")
    walk.press("Preview changes")


@step("secretary", "Replace a lost table card")
def replace_the_card(walk: Walk) -> None:
    walk.go(evening())
    walk.press("Enter hands", "Replace table card", "Replace card")
    walk.expect("New table card")
    walk.picture("new-card", walk.page.locator("h1"))


@step("secretary", "Finish the evening")
def finish(walk: Walk) -> None:
    walk.go(evening())
    walk.press("Finish evening", "Finish evening")
    walk.expect("The evening is finished")
    walk.press("League")
    walk.picture("league", walk.page.locator("h1"))
    walk.press("Messages")


@step("secretary", "If something goes wrong")
def help_oneself(walk: Walk) -> None:
    fresh = Session.objects.filter(state=SessionState.PLAYING).latest("held_on")
    walk.go(reverse("evening", args=[SLUG, fresh.pk]))
    walk.press("Print", "Settings", "Email", "Settings", "Privacy and data", "Your account")


@step("scorer", "Find a disputed hand")
def find_the_hand(walk: Walk) -> None:
    walk.go(reverse("club", args=[SLUG]))
    walk.press("Evenings")
    walk.go(evening())


@step("scorer", "Decide it")
def decide(walk: Walk) -> None:
    page = walk.page
    walk.press("Review hand :")
    page.get_by_text("Nobody (drawn hand)").click()
    page.get_by_label("Reason for the change").fill("East went Mah-Jong")
    walk.press("Preview changes")
    walk.expect("What would change")
    walk.go(evening())
    walk.press("Review hand :")
    page.get_by_label("Reason for keeping it").fill("So it is on the paper sheet")
    walk.press("Keep as entered")


@step("scorer", "Correct other hands")
def correct_others(walk: Walk) -> None:
    walk.go(evening())
    walk.press("Enter hands", "Correct hand")


@step("scorer", "If something goes wrong")
def look_again(walk: Walk) -> None:
    walk.go(at_table(1))


def cup() -> Tournament:
    """The sample club's tournament that is half played."""
    return Tournament.objects.get(name="Riverside Autumn Cup")


def created_cup() -> Tournament:
    """The tournament that the walk makes."""
    return Tournament.objects.get(name=NAME)


def tournament_url(tournament: Tournament, name: str, *url_args: int) -> str:
    return reverse(name, args=[SLUG, tournament.pk, *url_args])


@step("director", "Set up the tournament")
def make_a_tournament(walk: Walk) -> None:
    page = walk.page
    walk.go(reverse("club", args=[SLUG]))
    walk.press("Tournaments", "New tournament", "A day out")
    page.get_by_label("Name", exact=True).fill(NAME)
    page.get_by_text("Rounds, ranking and seating").click()
    page.get_by_label("Hands per round").fill("1")
    walk.press("Create tournament")
    page.get_by_label("Names, one per line").fill(NAMES)
    walk.press("Check the list", "Import 8 entries")
    walk.expect("8 entries imported.")
    walk.picture("entries", page.locator("#entered"))


@step("director", "Seat the rounds")
def seat_the_rounds(walk: Walk) -> None:
    walk.press("Continue to seating", "Seat the 1 rounds")
    walk.picture("draw")
    walk.press("Draw the seating")
    walk.expect("Print and display")


@step("director", "Run a round")
def run_a_round(walk: Walk) -> None:
    walk.press("Start round 1")
    walk.expect("Start round 1?")
    walk.press("Start round 1")
    walk.expect("No tables need attention")
    play_round(created_cup(), SECOND_WINS)
    walk.go(tournament_url(cup(), "tournament"))
    walk.picture("desk", walk.page.locator("#wanted"))
    walk.go(tournament_url(created_cup(), "tournament"))
    walk.press("Close round 1")
    walk.expect("Close round 1?")
    walk.press("Close round 1")
    walk.expect("Reopen round 1")


@step("director", "At a table")
def go_to_a_table(walk: Walk) -> None:
    walk.go(tournament_url(cup(), "tournament-table", 2, 3))
    walk.picture("table", walk.page.locator("h1"))
    walk.press("Correct hand")
    walk.go(tournament_url(cup(), "tournament-table", 2, 3))
    walk.press("Replace table card")


@step("director", "Late arrivals and withdrawals")
def change_the_seating(walk: Walk) -> None:
    walk.go(tournament_url(cup(), "tournament"))
    walk.press("Entries", "Seating", "Change seating", "Preview the options")


@step("director", "Give the prizes")
def give_prizes(walk: Walk) -> None:
    walk.go(tournament_url(cup(), "tournament"))
    walk.press("Prizes")
    walk.picture("prizes", walk.page.locator("h1"))
    walk.press("Standings")
    _play_to_the_end(created_cup())
    walk.go(tournament_url(created_cup(), "tournament"))
    walk.press("Finish the tournament")
    walk.expect("Finish the tournament?")
    walk.press("Finish the tournament", "See the standings")


def _play_to_the_end(tournament: Tournament) -> None:
    for _ in range(tournament.rounds.filter(state=RoundState.SEATED).count()):
        services.start_round(tournament=tournament)
        play_round(tournament, SECOND_WINS)
        services.close_round(tournament=tournament)


@step("director", "If something goes wrong")
def go_back(walk: Walk) -> None:
    walk.go(tournament_url(cup(), "tournament-table", 2, 3))
    walk.go(tournament_url(cup(), "tournament"))
    walk.press("All printouts")


@step("operator", "Set up a club")
def open_the_sign_in(walk: Walk) -> None:
    walk.go(reverse("account_login"))
    walk.picture("sign-in", walk.page.locator("h1"))


@step("operator", "Check that it is running")
def look_after(walk: Walk) -> None:
    walk.go(reverse("ready"))
    walk.picture("ready", walk.page.locator("h1"))


@step("operator", "Help someone sign in")
def help_someone_in(walk: Walk) -> None:
    page = walk.page
    walk.go(reverse("account_login"))
    page.get_by_label("Email").fill("director@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="Sign in").wait_for(state="detached")
    walk.press("Your account")
    walk.picture("your-sign-in", page.locator("h1"))


@step("programmer", "Use the rules engine alone")
def read_the_rules(walk: Walk) -> None:
    walk.go(reverse("rules", args=["bmja"]))
    walk.picture("rules", walk.page.locator("h1"))


@step("programmer", "Use the API")
def make_a_key(walk: Walk) -> None:
    walk.press("API keys", "Enter password")
    walk.page.get_by_label("Password", exact=True).fill(PASSWORD)
    walk.page.get_by_role("button", name="Continue").click()
    walk.picture("keys", walk.page.get_by_role("heading", name="Create an API key"))


@step("programmer", "Webhooks")
def add_a_webhook(walk: Walk) -> None:
    walk.go(reverse("club", args=["riverside"]))
    walk.press("Settings", "Webhooks")
    walk.picture("programs", walk.page.get_by_role("heading", name="Add a webhook"))
