"""A director closes while tables send: nobody waits in a ring, nothing is lost."""

from functools import partial

import pytest

from scoring.scorebook.models import Hand
from scoring.scorebook.recount import recount
from scoring.scorebook.refusals import Refused
from tests.people import make_club
from tests.threads import at_once
from tests.tournaments.cups import DRAWN, SECOND_WINS, play_round, post, seated_cup, tables
from tournaments import services
from tournaments.models import RoundState, Tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def test_hands_of_four_tables_at_once_are_all_there() -> None:
    cup = seated_cup(entrants=16, rounds=1, hands=2)
    answers = at_once([partial(post, table, SECOND_WINS, DRAWN) for table in tables(cup)])
    assert [type(answer) for answer in answers] == [list] * 4
    assert Hand.objects.count() == 8
    assert Tournament.objects.get().version == cup.version + 8


def test_a_round_is_closed_with_the_last_hand_in_or_not_at_all() -> None:
    for n in range(4):
        cup = seated_cup(rounds=1, hands=1, club=make_club(f"Club {n}", f"club-{n}"))
        table = tables(cup)[0]
        close = partial(services.close_round, tournament=cup)
        posted, closed = at_once([partial(post, table, SECOND_WINS), close])
        assert isinstance(posted, list)
        state = cup.rounds.get().state
        if isinstance(closed, Refused):
            assert str(closed) == "Table 1: 0 of 1 hands are in."
            assert state == RoundState.PLAYING
        else:
            assert state == RoundState.CLOSED


def test_a_ruling_and_the_close_of_the_round_both_happen() -> None:
    for n in range(4):
        cup = seated_cup(rounds=1, hands=1, club=make_club(f"Club {n}", f"club-{n}"))
        play_round(cup, SECOND_WINS)
        table = tables(cup)[0]
        rule = partial(
            services.correct_hand,
            table=table,
            hand_id=table.game.hands.get().pk,
            report=DRAWN,
            corrected_by="user 1",
            reason="a slip",
        )
        ruled, closed = at_once([rule, partial(services.close_round, tournament=cup)])
        assert (isinstance(ruled, Hand), closed) == (True, None)
    assert recount().differences == ()
