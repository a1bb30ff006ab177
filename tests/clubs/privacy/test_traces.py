"""Names are taken out of words, whatever the words are; other people's names stay."""

from hypothesis import given, strategies as st

from clubs.privacy.redaction import (
    Traces,
    addresses_to_find,
    first_words,
    names_to_find,
    shortened,
    surnames,
)

ANN = Traces(
    dict.fromkeys(names_to_find(["Ann Smith"]), "A former player"),
    others=frozenset({"Mary Ann Smith", "Ann Smithers", "Ben Jones"}),
)
WORDS = st.text(st.characters(codec="utf-8"), max_size=30)
DATA = st.recursive(
    WORDS | st.integers() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
)


def test_a_name_goes_out_of_a_sentence() -> None:
    said = "Ben Jones and Ann Smith changed places. ANN  SMITH’s phone; Smith, Ann."
    told = "Ben Jones and A former player changed places. A former player’s phone; A former player."
    assert ANN.out_of(said) == told


def test_longer_names_of_others_stay_whole() -> None:
    said = "Mary Ann Smith, Ann Smithers and Joann Smith"
    assert ANN.out_of(said) == said
    assert not ANN.are_in(said)


def test_names_go_out_of_data_from_keys_too() -> None:
    data = {"players": ["Ann Smith", "Ben Jones"], "Ann Smith": {"seat": 3}}
    assert ANN.out_of(data) == {
        "players": ["A former player", "Ben Jones"],
        "A former player": {"seat": 3},
    }


def test_a_name_of_one_word_counts_with_its_capital() -> None:
    bill = Traces(dict.fromkeys(names_to_find(["Bill"]), "A former player"))
    assert bill.out_of("Bill has paid his bill") == "A former player has paid his bill"


def test_a_name_that_is_a_word_of_the_game_is_left_alone() -> None:
    assert names_to_find(["May", "Rose"]) == frozenset()
    assert names_to_find(["May Rose"]) == {"May Rose", "Rose, May", "Rose May"}


def test_an_address_is_known_and_a_short_number_is_not() -> None:
    assert addresses_to_find("ann@example.org", "01632 960 114") == {
        "ann@example.org",
        "01632 960 114",
    }
    assert addresses_to_find("", "12") == frozenset()


def test_a_name_is_known_as_others_may_read_it() -> None:
    assert shortened(["Ann Lee", "Ngaio"]) == {"Ann L.", "Ann Le."}
    assert first_words(["Ann Lee", "Ngaio", "Rose Lee"]) == {"Ann"}
    short = Traces(dict.fromkeys(shortened(["Ann Lee"]), "A former player"))
    assert short.out_of("2  Ann L.   +64") == "2  A former player   +64"


def test_the_surname_is_the_last_word_of_several() -> None:
    assert surnames(["Ann van der Berg", "Ngaio"]) == {"Berg"}


@given(DATA)
def test_what_was_taken_out_is_no_longer_in(data: object) -> None:
    assert not ANN.are_in(ANN.out_of(data))


@given(DATA)
def test_nobody_to_forget_changes_nothing(data: object) -> None:
    assert Traces({}).out_of(data) == data


@given(WORDS, WORDS)
def test_a_name_between_any_words_is_found(before: str, after: str) -> None:
    assert ANN.are_in(f"{before}, Ann Smith. {after}")
