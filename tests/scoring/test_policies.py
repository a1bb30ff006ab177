"""The rules of settling and passing on in words, as they stand on the printed page."""

from itertools import chain

from scoring import rule_set

SAFALRA, TALLIES = rule_set("safalra"), rule_set("tallies")
BAGGALEY, ENGLISH = rule_set("baggaley"), rule_set("english")
ORDER = ("Order of the winds", "East, South, West, North")
DEALER = (
    "Deals on after going Mah-Jong or a drawn hand; otherwise the winner deals."
    " The winds never move"
)
NEXT = (
    "East",
    "Stays East after going Mah-Jong or a drawn hand; otherwise the winds move on by one",
)


def test_tallies_in_words() -> None:
    assert TALLIES.payments
    assert list(chain(TALLIES.payments.words(), TALLIES.passing.words())) == [
        ("Winner", "Every other player pays the winner's score"),
        ("Winner on a claimed tile", "The discarder alone pays, twice the winner's score"),
        ("the dealer", "Pays and is paid twice, but not with two players"),
        ("The first dealer", "East, or whom the table names before the first hand"),
        ("The dealer", DEALER),
        ORDER,
        (
            "Prevailing wind",
            "East first; the next after hand 5 under it, or a later one, that the dealer lost",
        ),
    ]


def test_safalra_in_words() -> None:
    assert list(SAFALRA.passing.words()) == [
        (
            "East",
            (
                "The winner becomes East and the winds are set from there; after a drawn hand East "
                "stays"
            ),
        ),
        ORDER,
    ]
    assert [*rule_set("safalra").passing.table_sizes((3,))] == [
        ("Players at a table", "3"),
        (
            "Three players",
            "The empty place has its wind in turn like the others, but is never East",
        ),
    ]


def test_baggaley_in_words() -> None:
    assert list(BAGGALEY.passing.words()) == [
        NEXT,
        ("Order of the winds", "East, North, West, South"),
        ("End of the game", "The first to 100 points; if several do, the highest"),
    ]


def test_english_in_words() -> None:
    assert ENGLISH.payments
    assert list(chain(ENGLISH.payments.words(), ENGLISH.passing.words())) == [
        ("Winner", "Every other player pays the winner's score"),
        ("Losers", "In each pair, the player with the lower score pays the difference"),
        ("East", "Pays and is paid twice"),
        NEXT,
        ORDER,
        ("A round", "Ends when every player has been East and lost it"),
    ]
