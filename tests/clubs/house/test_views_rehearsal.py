"""The pages of a rehearsal: begun by one press, marked everywhere, wiped by one press."""

import pytest
from django.test import Client
from django.urls import reverse

from clubs.evenings.services import evenings
from clubs.house import services
from clubs.models import Club, Session
from scoring.scorebook.refusals import Refused
from tests.clubs.visits import Visitor, actions
from tests.paper import words_of
from tests.people import Cast
from tournaments.setup import services as tournaments

pytestmark = pytest.mark.django_db

BANNER = "<strong>Practice evening.</strong> Nothing here counts and no"


@pytest.fixture
def secretary(cast: Cast) -> Visitor:
    return Visitor(cast.secretary)


@pytest.fixture
def session(cast: Cast) -> Session:
    """A rehearsal whose tables are laid and have played two hands."""
    session = services.rehearse(club=cast.club)
    evenings.seat_session(session=session)
    services.play_on(session=session, hands=2)
    return session


def said_on(page: object) -> str:
    return " ".join(page.content.decode().split())  # type: ignore[attr-defined]


def test_one_press_on_the_evenings_page_begins_a_rehearsal(cast: Cast, secretary: Visitor) -> None:
    assert "start" in actions(secretary.get(reverse("evenings", args=[cast.club.slug])))
    page = secretary.post(reverse("rehearse", args=[cast.club.slug]), follow=True)
    assert page.context["session"].club.rehearsal_of == cast.club
    assert BANNER in said_on(page)


def test_pressed_twice_it_leads_to_the_same_rehearsal(cast: Cast, secretary: Visitor) -> None:
    press = reverse("rehearse", args=[cast.club.slug])
    assert secretary.post(press)["Location"] == secretary.post(press)["Location"]


def test_pressed_in_the_rehearsal_it_stays_there(secretary: Visitor, session: Session) -> None:
    page = secretary.post(reverse("rehearse", args=[session.club.slug]))
    assert page["Location"] == reverse("rehearsal", args=[session.club.slug])
    evenings_page = secretary.get(reverse("evenings", args=[session.club.slug]))
    assert "rehearse" not in actions(evenings_page)


@pytest.mark.parametrize(
    "name", ["club", "evenings", "members", "seasons", "calendar", "club-rules", "rehearsal"]
)
def test_every_page_of_it_says_so(secretary: Visitor, session: Session, name: str) -> None:
    assert BANNER in said_on(secretary.get(reverse(name, args=[session.club.slug])))


def test_the_pages_of_the_evening_say_so(secretary: Visitor, session: Session) -> None:
    here = [session.club.slug, session.pk]
    for name in ("evening", "result", "papers", "evening-why", "evening-move", "money"):
        assert BANNER in said_on(secretary.get(reverse(name, args=here))), name
    assert BANNER in said_on(secretary.get(reverse("evening-table", args=[*here, 1])))
    assert BANNER in said_on(secretary.get(reverse("evening-sheet", args=[*here, 1])))


def test_phones_walls_and_receipts_say_so_to_whoever_holds_the_link(
    client: Client, session: Session
) -> None:
    table = session.tables.get(number=1)
    hand = table.game.hands.get(number=1)
    key = table.link_key
    for address in (
        reverse("table", args=[key]),
        reverse("table-standings", args=[key]),
        reverse("table-seats", args=[key]),
        reverse("table-aid", args=[key]),
        reverse("table-hand-receipt", args=[key, hand.pk]),
    ):
        assert BANNER in said_on(client.get(address, follow=True)), address
    assert "<strong>Practice evening.</strong>" in said_on(
        client.get(reverse("wall", args=[session.wall_key]))
    )


@pytest.mark.sampled
@pytest.mark.parametrize(
    "name",
    [
        "sheets-pdf",
        "cards-pdf",
        "seats-pdf",
        "door-pdf",
        "tally-pdf",
        "emergency-pdf",
        "blank-sheets-pdf",
        "crib-pdf",
        "evening-why-pdf",
    ],
)
def test_every_page_of_every_paper_carries_the_word(
    secretary: Visitor, session: Session, name: str
) -> None:
    answer = secretary.get(reverse(name, args=[session.club.slug, session.pk]))
    paper = b"".join(getattr(answer, "streaming_content", [answer.content]))
    assert [page for page in words_of(paper) if "Practice" not in page] == []


def test_a_club_itself_is_not_marked(cast: Cast, secretary: Visitor) -> None:
    assert "Rehearsal" not in said_on(secretary.get(reverse("club", args=[cast.club.slug])))


def test_the_pretend_members_play_on(secretary: Visitor, session: Session) -> None:
    told = secretary.told(reverse("rehearsal-play", args=[session.club.slug]), hands="1")
    assert told == ["3 hands were played."]


def test_more_hands_than_an_evening_has_are_refused_and_kept(
    secretary: Visitor, session: Session
) -> None:
    page = secretary.post(reverse("rehearsal-play", args=[session.club.slug]), {"hands": "9"})
    assert (page.status_code, page.context["form"]["hands"].value()) == (422, "9")
    assert "Enter how many hands to play: 1 to 8." in said_on(page)


def test_without_tables_it_says_what_to_do_first(cast: Cast, secretary: Visitor) -> None:
    session = services.rehearse(club=cast.club)
    page = secretary.post(reverse("rehearsal-play", args=[session.club.slug]), {"hands": "2"})
    assert "Seat everyone before you play hands." in said_on(page)


def test_it_is_wiped_by_one_press_and_leads_back_to_the_club(
    cast: Cast, secretary: Visitor, session: Session
) -> None:
    page = secretary.post(reverse("rehearsal-wipe", args=[session.club.slug]), follow=True)
    assert page.context["club"] == cast.club
    assert not Club.objects.exclude(rehearsal_of=None).exists()
    assert secretary.get(reverse("evening", args=[session.club.slug, 1])).status_code == 404


def test_it_begins_again_by_one_press(secretary: Visitor, session: Session) -> None:
    page = secretary.post(reverse("rehearsal-again", args=[session.club.slug]), follow=True)
    assert page.context["session"].tables.count() == 0
    assert page.context["session"] != session


def test_a_scorer_practises_there_and_does_not_wipe_it(cast: Cast, session: Session) -> None:
    scorer = Visitor(cast.scorer)
    page = scorer.get(reverse("rehearsal", args=[session.club.slug]))
    assert actions(page) == ["play"]
    assert scorer.post(reverse("rehearsal-wipe", args=[session.club.slug])).status_code == 403


def test_nobody_else_comes_in(cast: Cast, session: Session) -> None:
    for person in (cast.player, cast.stranger):
        page = Visitor(person).get(reverse("evening", args=[session.club.slug, session.pk]))
        assert page.status_code == 403


def test_an_organiser_of_one_club_is_still_led_straight_to_it(
    cast: Cast, secretary: Visitor, session: Session
) -> None:
    assert secretary.get("/")["Location"] == reverse("club", args=[cast.club.slug])


def test_a_rehearsal_has_no_tournaments(secretary: Visitor, session: Session) -> None:
    page = secretary.get(reverse("club", args=[session.club.slug]))
    assert reverse("tournaments", args=[session.club.slug]) not in page.content.decode()
    with pytest.raises(Refused, match="You cannot practise a tournament"):
        tournaments.make_tournament(club=session.club, name="Cup", held_on=session.held_on)
