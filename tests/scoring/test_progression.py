"""What the game says about East, the winds and the goulash."""

from scoring import Wind, deals, rule_set

BMJA = rule_set("bmja")


def test_east_passes_to_south_when_another_player_wins() -> None:
    upcoming = deals([3], rules=BMJA).deals[-1]
    assert upcoming.winds == {1: Wind.N, 2: Wind.E, 3: Wind.S, 4: Wind.W}
    assert (upcoming.number, upcoming.dealer, upcoming.prevailing_wind) == (2, 2, Wind.E)


def test_a_drawn_hand_is_followed_by_a_goulash_under_the_same_east() -> None:
    upcoming = deals([None], rules=BMJA).deals[-1]
    assert (upcoming.dealer, upcoming.goulash) == (1, True)
