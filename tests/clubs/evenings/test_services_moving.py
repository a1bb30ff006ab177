"""The secretary moves someone before the first hand: two change places, one goes elsewhere."""

from datetime import date
from functools import partial

import pytest

from clubs.evenings.services import evenings, seats as services_seats
from clubs.models import Club, Player, Session, SessionTable
from scoring.scorebook.models import Game
from scoring.scorebook.refusals import Refused
from scoring.scorebook.verifying import recount
from tests.clubs.nights import DRAWN, make_players, night, post
from tests.people import make_club
from tests.threads import at_once

pytestmark = pytest.mark.django_db
LAST_WEEK, TONIGHT = date(2026, 11, 10), date(2026, 11, 17)


def evening(club: Club, sizes: tuple[int, ...] = (4, 4)) -> tuple[Session, list[Player]]:
    """Ann, Ben, Cy … at tables of these sizes, in their order."""
    players = make_players(club, sum(sizes))
    starts = [sum(sizes[:at]) for at in range(len(sizes))]
    tables = [players[start : start + size] for start, size in zip(starts, sizes, strict=True)]
    return night(club, TONIGHT, *tables), players


def seats(session: Session) -> list[str]:
    """The names at each table, East first."""
    tables: dict[int, list[str]] = {}
    places = session.places.order_by("table__number", "seat__number")
    for number, name in places.values_list("table__number", "player__name"):
        tables.setdefault(number, []).append(name)
    return [" ".join(names) for names in tables.values()]


def test_two_change_places_with_their_winds() -> None:
    session, (ann, ben, _, di, ed, *_) = evening(make_club())
    version = session.version
    said = services_seats.change_places(session=session, one=ann, other=ed)
    assert said == "Ann and Ed have changed places."
    assert seats(session) == ["Ed Ben Cy Di", "Ann Flo Gus Hal"]
    session.refresh_from_db()
    assert session.version == version + 1
    services_seats.change_places(session=session, one=ben, other=di)
    assert seats(session) == ["Ed Di Cy Ben", "Ann Flo Gus Hal"]


def test_somebody_who_came_late_takes_a_seat() -> None:
    club = make_club()
    session, players = evening(club, (4, 3))
    late = evenings.add_guest(session=session, name="Zoë")
    services_seats.move_to(session=session, player=late, number=2)
    assert seats(session) == ["Ann Ben Cy Di", "Ed Flo Gus Zoë"]
    services_seats.change_places(session=session, one=late, other=players[0])
    assert seats(session) == ["Zoë Ben Cy Di", "Ed Flo Gus Ann"]


def test_a_table_that_grows_or_shrinks_keeps_its_card() -> None:
    session, (ann, *_) = evening(make_club())
    cards = list(session.tables.values_list("link_key", flat=True))
    services_seats.move_to(session=session, player=ann, number=2)
    assert seats(session) == ["Ben Cy Di", "Ed Flo Gus Hal Ann"]
    assert list(session.tables.values_list("link_key", flat=True)) == cards
    sizes = session.tables.values_list("game__size", flat=True)
    assert (list(sizes), Game.objects.count()) == ([3, 5], 2)
    post(session.tables.get(number=1), DRAWN)


def test_what_it_costs_is_told_and_nothing_is_moved() -> None:
    club = make_club()
    session, (ann, ben, cy, di, ed, *_) = evening(club)
    night(club, LAST_WEEK, [ann, ed, ben], [cy, di])
    before = seats(session)
    act = partial(services_seats.change_places, session=session, one=ben, other=ed)
    costs = services_seats.cost_of_move(session=session, act=act)
    assert [(cost.sentence, cost.is_kept) for cost in costs] == [
        ("Ann and Ed would sit together again; they did on 10 November.", False),
        ("Ann and Ben, who sat together on 10 November, would no longer be together.", True),
    ]
    act = partial(services_seats.move_to, session=session, player=ann, number=2)
    costs = services_seats.cost_of_move(session=session, act=act)
    assert costs[-1].sentence == "There would be table 1 of three and table 2 of five."
    assert seats(session) == before


@pytest.mark.parametrize(
    ("sizes", "number", "said"),
    [
        ((4, 4), 1, "Ann already sits there"),
        ((4, 4), 3, "There is no table 3"),
        ((4, 5), 2, "Table 2 would have 6 players"),
        ((3, 4), 2, "Table 1 would have 2 players"),
    ],
)
def test_a_move_that_cannot_be_is_refused(sizes: tuple[int, ...], number: int, said: str) -> None:
    session, (ann, *_) = evening(make_club(), sizes)
    before = seats(session)
    with pytest.raises(Refused, match=said):
        services_seats.move_to(session=session, player=ann, number=number)
    assert seats(session) == before


def test_only_people_who_are_here_take_a_seat() -> None:
    club = make_club()
    session, (ann, *_) = evening(club)
    stranger = make_players(make_club("Other", "other"), 1)[0]
    with pytest.raises(Refused, match="must be checked in first"):
        services_seats.move_to(session=session, player=stranger, number=1)
    with pytest.raises(Refused, match="Choose two different players"):
        services_seats.change_places(session=session, one=ann, other=ann)


def test_a_table_that_has_begun_keeps_its_seats() -> None:
    session, (ann, _, _, _, ed, *others) = evening(make_club(), (4, 4, 4))
    post(session.tables.get(number=1), DRAWN)
    with pytest.raises(Refused, match="That table has already recorded a hand"):
        services_seats.change_places(session=session, one=ann, other=ed)
    services_seats.change_places(session=session, one=ed, other=others[-1])
    assert seats(session)[1].startswith("Lou")
    evenings.close_session(session=session)
    with pytest.raises(Refused, match="while the evening is being played"):
        services_seats.change_places(session=session, one=ed, other=others[-1])


@pytest.mark.django_db(transaction=True)
@pytest.mark.services
def test_a_hand_and_a_move_at_once_never_mix() -> None:
    for n in range(4):
        session, (ann, *_) = evening(make_club(f"Club {n}", f"club-{n}"))
        table = SessionTable.objects.get(session=session, number=1)
        move = partial(services_seats.move_to, session=session, player=ann, number=2)
        posted, moved = at_once([partial(post, table, DRAWN), move])
        if isinstance(moved, Refused):
            assert isinstance(posted, list)
            assert seats(session)[0] == "Ann Ben Cy Di"
        else:
            assert seats(session)[0] == "Ben Cy Di"
    assert recount().differences == ()
