"""What leads from every page to the others: for each person of the cast, in the order it stands."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.evenings.selectors.calendar import club_year
from clubs.models import Club, SessionState, User
from tests.clubs.core.test_doors import House, house, shared_house
from tests.people import Cast, make_player

__all__ = ["house", "shared_house"]
SWITCHES = ("shows_results", "shows_league", "shows_calendar")
HOME = "Home, Evenings, League, Tournaments, Members"
MAIN = {
    "secretary": f"{HOME}, Messages",
    "director": HOME,
    "scorer": HOME,
    "player": f"{HOME}, Your results",
}
ACCOUNT = (
    "Your account, Your results, How your name is shown, Emails to you, Your personal data, "
    "API keys, "
    "Display settings, Sign out"
)
LEADING_ON = ("substitutes", "money-now", "season-now", "tonight")
TEXT_SIZE = "Text size and other display settings"
HELP = "Guides, What is this tile?, Score calculator, Rules, API documentation"


def browser_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def page_for(user: User | None, address: str) -> str:
    return browser_of(user).get(address).content.decode()


def nav(page: str, label: str) -> str:
    """The row of links of that name, and what closes it."""
    match = re.search(rf'<nav[^>]* aria-label="{label}">.*?</nav>', page, re.DOTALL)
    return match[0] if match else ""


def labels_of(html: str) -> str:
    """What its links and buttons say."""
    labels = re.findall(r"<(?:a|button)\b[^>]*>(.*?)</(?:a|button)>", html, re.DOTALL)
    return ", ".join(unescape(re.sub(r"<[^>]+>", "", label)).strip() for label in labels)


def current(html: str) -> list[str]:
    return re.findall(r'aria-current="page">([^<]*)', html)


def menus(page: str) -> list[str]:
    return re.findall(r"<details.*?</details>", nav(page, "Help and account"), re.DOTALL)


@pytest.mark.parametrize("person", MAIN)
def test_main_items_follow_the_role(cast: Cast, person: str) -> None:
    main = nav(page_for(cast.people()[person], "/c/riverside/"), "Main")
    assert labels_of(main) == MAIN[person]
    assert current(main) == ["Home"]


def test_a_visitor_finds_what_the_club_shows(cast: Cast) -> None:
    Club.objects.filter(pk=cast.club.pk).update(**dict.fromkeys(SWITCHES, True))
    page = page_for(None, "/c/riverside/")
    assert labels_of(nav(page, "Main")) == "Home, Evenings, League, Tournaments"
    assert labels_of(nav(page, "Help and account")) == f"{HELP}, {TEXT_SIZE}, Sign in"
    assert labels_of(nav(page, "Foot")) == "Help, Rules, Score calculator, Display settings"


def test_outside_a_club_the_calculator_and_the_rules_are_at_hand(cast: Cast) -> None:
    assert labels_of(nav(page_for(None, "/"), "Main")) == "Score calculator, Rules"
    page = page_for(cast.player, "/account/")
    assert labels_of(nav(page, "Main")) == "Home, Score calculator, Rules"
    assert labels_of(menus(page)[1]) == "Your account, API keys, Display settings, Sign out"


@pytest.mark.parametrize("person", MAIN)
def test_the_account_menu_holds_what_is_ones_own(cast: Cast, person: str) -> None:
    user = cast.people()[person]
    page = page_for(user, "/c/riverside/")
    about_help, account = menus(page)
    assert (labels_of(about_help), labels_of(account)) == (HELP, ACCOUNT)
    assert f'<span class="aside__name">{user}</span>' in account
    settings = ["Settings of the club"] if person == "secretary" else []
    assert labels_of(nav(page, "Help and account")) == ", ".join(
        [HELP, *settings, TEXT_SIZE, ACCOUNT]
    )


def test_who_is_no_member_has_no_results_of_their_own(cast: Cast) -> None:
    cast.club.memberships.filter(user=cast.player).update(player=None)
    page = page_for(cast.player, "/c/riverside/")
    assert labels_of(nav(page, "Main")) == HOME
    assert labels_of(menus(page)[1]) == "Your account, API keys, Display settings, Sign out"


def test_a_players_own_page_is_my_results(cast: Cast) -> None:
    pat, sunil = (cast.club.players.get(name=name).pk for name in ("Pat", "Sunil"))
    own_page = page_for(cast.player, reverse("player", args=["riverside", pat]))
    assert current(nav(own_page, "Main")) == ["Your results"]
    other_page = page_for(cast.player, reverse("player", args=["riverside", sunil]))
    assert current(nav(other_page, "Main")) == ["Members"]


def test_privacy_leads_to_ones_own_data_or_to_the_clubs(cast: Cast) -> None:
    foot = nav(page_for(cast.secretary, "/c/riverside/"), "Foot")
    assert labels_of(foot) == "Help, Rules, Score calculator, Display settings, Privacy"
    assert reverse("keeping", args=["riverside"]) in foot
    pat = cast.club.players.get(name="Pat").pk
    foot = nav(page_for(cast.player, "/c/riverside/"), "Foot")
    assert reverse("everything", args=["riverside", pat]) in foot


def test_a_phone_at_a_table_has_the_table_alone(house: House) -> None:
    page = page_for(house.cast.secretary, house.address("table"))
    assert (nav(page, "Main"), nav(page, "Help and account")) == ("", "")
    assert labels_of(nav(page, "This table")) == "Hand, Scores, Hands so far, More for this table"
    more_page = page_for(house.cast.secretary, house.address("table-more"))
    assert labels_of(nav(more_page, "Help and settings")).startswith("What is this tile?")


OF_MEMBERS = "Members, Subscriptions and guests, Seating preferences"
SECTIONS = {
    "Evenings, Calendar, Substitutes, Table money": "evenings calendar standby money-year",
    "Table, Special hands, Seasons": "season special-hands seasons",
    OF_MEMBERS: "members members-due wishes",
    f"{OF_MEMBERS}, Possible duplicates": "members-twins",
    "New message, Outbox, Sent messages": "messages outbox messages-sent",
}
TABS = {name: tabs for tabs, names in SECTIONS.items() for name in names.split()}


@pytest.mark.parametrize("name", TABS)
def test_a_section_has_its_tabs(house: House, name: str) -> None:
    tabs = nav(page_for(house.cast.secretary, house.address(name)), "This section")
    assert labels_of(tabs) == TABS[name]
    assert len(current(tabs)) == 1


def heading(page: str) -> str:
    [title] = re.findall(r"<h1[^>]*>(.*?)</h1>", page, re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", "", title)).split())


@pytest.mark.parametrize("name", [name for name in TABS if name != "season"])
def test_a_tab_is_called_as_its_page_is_headed(house: House, name: str) -> None:
    page = page_for(house.cast.secretary, house.address(name))
    [label] = current(nav(page, "This section"))
    assert heading(page).startswith(label)


# What leads to a part of a page, or to a question on the way.
PARTS = {
    "House rules": "Club rules",
    "Backups": "Privacy and data",
    "See what a visitor sees": "Visitors are asked to sign in",
    "Delete this club": "Confirm your password",
}


def test_a_link_of_the_settings_is_called_as_its_page_is_headed(house: House) -> None:
    browser = browser_of(house.cast.secretary)
    page = page_for(house.cast.secretary, house.address("settings"))
    groups = "".join(re.findall(r'<section class="card group-of".*?</section>', page, re.DOTALL))
    links = re.findall(r'<a href="([^"#]+)[^"]*">(.*?)</a>', groups, re.DOTALL)
    headings = {
        unescape(label): heading(browser.get(address, follow=True).content.decode())
        for address, label in links
    }
    differ = {label: h1 for label, h1 in headings.items() if not h1.startswith(label)}
    assert differ == PARTS


def test_a_link_to_a_part_of_a_page_is_called_as_the_part_is_headed(house: House) -> None:
    browser = browser_of(house.cast.secretary)
    page = page_for(house.cast.secretary, house.address("settings"))
    links = re.findall(r'<a href="([^"#]+)#([^"]+)">(.*?)</a>', page, re.DOTALL)
    parts = [(label, address, part) for address, part, label in links if label in PARTS]
    assert [label for label, _, _ in parts] == ["House rules", "Backups"]
    for label, address, part in parts:
        assert f'<h2 id="{part}">{label}</h2>' in browser.get(address).content.decode()


@pytest.mark.parametrize(
    ("name", "tabs"),
    [
        ("evenings", "Evenings, Calendar"),
        ("seasons", "Table, Special hands, Seasons"),
        ("members", ""),
    ],
)
def test_a_player_has_only_the_tabs_of_pages_they_may_see(
    house: House, name: str, tabs: str
) -> None:
    assert labels_of(nav(page_for(house.cast.player, house.address(name)), "This section")) == tabs


def test_ratings_have_a_tab_where_the_club_rates(house: House) -> None:
    Club.objects.filter(pk=house.cast.club.pk).update(rates=True)
    tabs = nav(page_for(house.cast.player, house.address("rating")), "This section")
    assert (labels_of(tabs), current(tabs)) == (
        "Table, Special hands, Ratings, Seasons",
        ["Ratings"],
    )


def test_possible_duplicates_have_a_tab_where_there_are_any(house: House) -> None:
    make_player(house.cast.club, "Margaret Hill")
    make_player(house.cast.club, "Margret Hill")
    page = page_for(house.cast.secretary, house.address("members"))
    assert labels_of(nav(page, "This section")).endswith("Possible duplicates")


def test_the_tabs_of_an_evening_follow_the_night(house: House) -> None:
    secretary, player = house.cast.secretary, house.cast.player
    tonight = house.address("evening")
    while_playing = nav(page_for(secretary, tonight), "This evening")
    assert labels_of(while_playing) == "Tables, Result, Print, Projector screen"
    assert current(while_playing) == ["Tables"]
    assert labels_of(nav(page_for(player, tonight), "This evening")) == "Tables, Result"
    result = nav(page_for(secretary, house.address("result")), "This evening")
    assert current(result) == ["Result"]
    house.session.state = SessionState.ARRIVING
    house.session.save()
    arrival_nav = nav(page_for(secretary, tonight), "This evening")
    assert labels_of(arrival_nav) == "Check in, Print, Projector screen"


def test_tabs_without_a_day_lead_to_the_one_that_is_on(house: House) -> None:
    client, today = browser_of(house.cast.secretary), timezone.localdate()
    locations = {name: client.get(house.address(name))["Location"] for name in LEADING_ON}
    coming = club_year(house.cast.club, today).next
    assert locations == {
        "substitutes": f"/c/riverside/substitutes/{coming.held_on if coming else today}/",
        "money-now": f"/c/riverside/money/{today.year}/",
        "season-now": house.address("season"),
        "tonight": house.address("evening"),
    }


def test_without_an_unfinished_evening_tonight_leads_to_the_list(house: House) -> None:
    house.session.state = SessionState.CLOSED
    house.session.save()
    client = browser_of(house.cast.player)
    assert client.get(house.address("tonight"))["Location"] == house.address("evenings")


def test_settings_lead_to_all_that_a_secretary_sets(house: House) -> None:
    page = page_for(house.cast.secretary, house.address("settings"))
    groups = re.findall(r'<section class="card group-of".*?</section>', page, re.DOTALL)
    titles = [
        unescape(re.sub(r"<[^>]+>", "", re.findall("<h2.*?</h2>", group)[0])) for group in groups
    ]
    assert titles == [
        "Club",
        "What the public sees",
        "Organisers",
        "Rules and scoring",
        "Calendar and prices",
        "Messages",
        "Privacy and data",
        "Backups",
        "Move or delete the club",
        "API keys and webhooks",
        "Activity log",
        "Practice evening",
    ]
    assert labels_of(" ".join(groups)) == (
        "Name and colour, What the public sees, See what a visitor sees, "
        "People and roles, Club rules, House rules, Calendar, Closed dates, "
        "Table money, Subscriptions and guests, New message, Outbox, Address for phones, "
        "Email, Privacy and data, Backups, Download the club, Delete this club, Webhooks, "
        "API keys, Activity log, Start a practice evening"
    )
