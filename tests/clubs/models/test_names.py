"""What people are called at a table and to readers, and who is meant by a name."""

from random import Random

import pytest
from hypothesis import given, strategies as st

from clubs.core.people_names import (
    KnownName,
    MatchKind,
    are_similar_names,
    duplicate_pairs,
    have_matching_initials,
    is_within_distance,
    match_name,
    name_words,
)
from clubs.core.written_names import to_spoken_order
from clubs.language.spreadsheets import guard_formula, unguard_formula
from clubs.models import ShownAs
from clubs.models.names import (
    FULL_NAME,
    HIDDEN_NAME,
    INITIAL_NAME,
    ORGANISER_READER,
    PUBLIC_READER,
    TABLE_READER,
    Person,
    Reader,
    club_name_fault,
    first_names,
    show_names_in,
    shown_names,
    split_surname,
    surname_key,
)

WORDS = st.sampled_from(["Margaret", "Holloway", "Hill", "Hillary", "Li", "Zoë", "O’Brien", "H."])
NAMES = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
LETTERS = st.text(st.characters(categories=["L"]), min_size=1, max_size=8)
ANY_NAMES = st.lists(LETTERS, min_size=1, max_size=3).map(" ".join)
READERS = st.sampled_from([PUBLIC_READER, TABLE_READER, ORGANISER_READER, Reader(player=1)])


def people(choices: st.SearchStrategy[str]) -> st.SearchStrategy[list[Person]]:
    """A list of people, each known by their place in it."""
    pairs = st.lists(st.tuples(NAMES, choices), max_size=8, unique_by=lambda row: row[0])
    return pairs.map(
        lambda rows: [Person(key, name, shown_as, key) for key, (name, shown_as) in enumerate(rows)]
    )


EVERY_WAY = st.sampled_from(ShownAs.values)


def display_names(*rows: tuple[str, str], reader: Reader = PUBLIC_READER) -> list[str]:
    persons = [Person(key, name, shown_as, key) for key, (name, shown_as) in enumerate(rows)]
    return list(shown_names(persons, reader).values())


@pytest.mark.parametrize(
    ("names", "short_names"),
    [
        (["Zoë Łukasiewicz", "Ngaio Pettigrew-Jones", "Pat"], ["Zoë", "Ngaio", "Pat"]),
        (["Ann Abbott", "ANN Brown", "Cy Clark"], ["Ann Abbott", "ANN Brown", "Cy"]),
        (["A former player", "M. Hill", "Ann Smith"], ["A former player", "M. Hill", "Ann"]),
        (
            ["Dr. Kenneth Ash", "Mrs Bell", "Rev'd O'Leary"],
            ["Kenneth", "Mrs Bell", "Rev'd O'Leary"],
        ),
        (["Dr Amy Hill", "Dr Bob Hill", "Sir Ian"], ["Amy", "Bob", "Sir Ian"]),
        (["Miss"], ["Miss"]),
    ],
    ids=[
        *("told apart", "two of one first name", "a former player and an initial"),
        *("a title is no first name", "doctors", "a title alone"),
    ],
)
def test_first_names_tell_people_apart(names: list[str], short_names: list[str]) -> None:
    assert first_names(dict(enumerate(names))) == dict(enumerate(short_names))


def test_the_ways_are_those_that_a_member_chooses_from() -> None:
    assert set(ShownAs.values) == {FULL_NAME, INITIAL_NAME, HIDDEN_NAME}


def test_a_name_is_told_as_chosen() -> None:
    rows = (
        ("Margaret Holloway", FULL_NAME),
        ("Dilip Shah", INITIAL_NAME),
        ("Joan Finch", HIDDEN_NAME),
    )
    assert display_names(*rows) == ["Margaret Holloway", "Dilip S.", "A member"]
    assert display_names(*rows, reader=ORGANISER_READER) == [
        "Margaret Holloway",
        "Dilip Shah",
        "Joan Finch",
    ]


def test_at_the_table_nobody_goes_without_a_first_name() -> None:
    rows = (
        ("Margaret Holloway", FULL_NAME),
        ("Dilip Shah", INITIAL_NAME),
        ("Joan Finch", HIDDEN_NAME),
    )
    assert display_names(*rows, reader=TABLE_READER) == ["Margaret Holloway", "Dilip S.", "Joan"]


@pytest.mark.parametrize(
    ("names", "short_names"),
    [
        (
            ["Margaret Holloway", "Margaret Hill", "Dilip Shah"],
            ["Margaret Ho.", "Margaret Hi.", "Dilip S."],
        ),
        (["Ann Li", "Ann Lin", "Ann Lindgren"], ["Ann L.", "Ann Li.", "Ann Lin."]),
        (["Holloway, Margaret"], ["Margaret H."]),
        (["Pat", "Kit 2"], ["Pat", "Kit"]),
        (["Dr Ann Hill", "Mrs Bell"], ["Ann H.", "Mrs B."]),
        (["John Smith MBE", "Sam Davis Jr"], ["John S.", "Sam D."]),
    ],
    ids=[
        *("more letters where two read alike", "never all letters", "surname first", "one name"),
        *("a title is no first name", "what follows a surname is none"),
    ],
)
def test_a_surname_is_shortened_to_its_first_letters(
    names: list[str], short_names: list[str]
) -> None:
    assert display_names(*((name, INITIAL_NAME) for name in names)) == short_names


def test_hidden_people_are_told_apart_by_a_number_alone() -> None:
    assert display_names(("Joan Finch", HIDDEN_NAME), ("Amy Mott", HIDDEN_NAME)) == [
        "A member",
        "A member (2)",
    ]


def test_a_surname_written_first_is_not_taken_for_a_first_name() -> None:
    assert display_names(("Holloway, Margaret", HIDDEN_NAME), reader=TABLE_READER) == ["Margaret"]


def test_at_the_table_a_hidden_surname_stays_hidden_behind_a_title() -> None:
    rows = (("Dr Joan Finch", HIDDEN_NAME), ("Lady Mott", HIDDEN_NAME))
    assert display_names(*rows, reader=TABLE_READER) == ["Joan", "Lady M."]


def test_a_sentence_is_told_with_the_names_that_are_shown() -> None:
    replacements = {"Ann Hill": "Ann H.", "Ann Hillary": "A member", "Ben": "Ben"}
    text = "Ann Hillary meets Ann Hill, Ben and Joann Hill."
    assert show_names_in(text, replacements) == "A member meets Ann H., Ben and Joann Hill."


@given(people(EVERY_WAY), READERS)
def test_everybody_has_one_name_and_no_two_share_one(persons: list[Person], reader: Reader) -> None:
    names = shown_names(persons, reader)
    assert names.keys() == {person.key for person in persons}
    assert len(set(names.values())) == len(persons)


@given(people(EVERY_WAY))
def test_an_organiser_reads_full_names(persons: list[Person]) -> None:
    assert shown_names(persons, ORGANISER_READER) == {person.key: person.name for person in persons}


@given(people(EVERY_WAY))
def test_a_player_reads_the_own_name_in_full(persons: list[Person]) -> None:
    for person in persons:
        assert shown_names(persons, Reader(player=person.player))[person.key] == person.name


@given(people(EVERY_WAY), READERS)
def test_full_names_stay_as_they_are(persons: list[Person], reader: Reader) -> None:
    names = shown_names(persons, reader)
    assert all(
        names[person.key] == person.name for person in persons if person.shown_as == FULL_NAME
    )


@given(people(EVERY_WAY), READERS, st.randoms(use_true_random=False))
def test_the_order_of_the_list_changes_no_name(
    persons: list[Person], reader: Reader, chance: Random
) -> None:
    shuffled_persons = persons[:]
    chance.shuffle(shuffled_persons)
    assert shown_names(shuffled_persons, reader) == shown_names(persons, reader)


@given(people(EVERY_WAY), st.sampled_from(["Xu Quill", "Margaret Holloway-Hill", "Zed"]))
def test_what_is_shown_tells_nothing_of_a_hidden_name(
    persons: list[Person], other_name: str
) -> None:
    def rename(person: Person) -> Person:
        return person._replace(name=other_name) if person.shown_as == HIDDEN_NAME else person

    assert shown_names(map(rename, persons), PUBLIC_READER) == shown_names(persons, PUBLIC_READER)


@given(people(st.just(INITIAL_NAME)))
def test_a_whole_surname_is_never_told(persons: list[Person]) -> None:
    for person, name in zip(persons, shown_names(persons, PUBLIC_READER).values(), strict=True):
        surname = person.name.split(" ")[-1]
        is_told = name.split(" ")[1:2] == [f"{surname}."]
        assert not is_told or len(surname) == 1


@pytest.mark.parametrize(
    ("name", "given_names", "surname"),
    [
        ("Ann Abbott", "Ann", "Abbott"),
        ("Ann B.", "Ann", "B."),
        ("Ann B. (2)", "Ann", "B. (2)"),
        ("Ann (2)", "", "Ann (2)"),
        ("Ann", "", "Ann"),
        ("Abbott, Ann", "", "Abbott, Ann"),
        ("Gwilym  Rhys Pemberton-Hale", "Gwilym Rhys", "Pemberton-Hale"),
        ("Róisín O’Brien", "Róisín", "O’Brien"),
        ("Player 7", "", "Player 7"),
        ("Seán Ó Briain", "Seán", "Ó Briain"),
        ("Sea\u0301n O\u0301 Briain", "Sea\u0301n", "O\u0301 Briain"),
        ("Nuala Ní Bhriain", "Nuala", "Ní Bhriain"),
        ("Piet van Dyk (2)", "Piet", "van Dyk (2)"),
        ("Anna Maria Van der Berg", "Anna Maria", "Van der Berg"),
        ("Rhodri ap Huw", "Rhodri", "ap Huw"),
        ("Mary St. John", "Mary", "St. John"),
        ("Di Dyer", "Di", "Dyer"),
        ("John Smith MBE", "John", "Smith MBE"),
        ("Ann van der Berg B.Sc. DL", "Ann", "van der Berg B.Sc. DL"),
        ("Mary Ann Senior", "Mary Ann", "Senior"),
        ("Jo Om", "Jo", "Om"),
        ("Al", "", "Al"),
        ("House player", "", "House player"),
        ("House player 2", "", "House player 2"),
        ("Nguyễn Văn An", "Nguyễn Văn", "An"),
    ],
)
def test_a_name_is_looked_up_by_its_surname(name: str, given_names: str, surname: str) -> None:
    assert split_surname(name) == (given_names, surname)


def test_a_list_of_names_is_in_order_of_surnames_without_accents_and_capitals() -> None:
    names = ["Zoë abbott", "Ann Yeo", "Bea", "Łucja Łoś", "Ann Abbott", "Cy L."]
    in_order = ["Ann Abbott", "Zoë abbott", "Bea", "Cy L.", "Łucja Łoś", "Ann Yeo"]
    assert sorted(names, key=surname_key) == in_order


def test_apostrophes_and_hyphens_in_a_surname_do_not_count_in_a_list() -> None:
    in_order = (
        *("Ann Ogilvie", "Bea O’Rourke", "Cy O'Rourke", "Di Orton", "Ed Smith", "Flo Smithers"),
        *("Gus Smith-Jones", "Hal Smithson", "Jeanne Yeo", "Jean-Paul Yeo"),
    )
    assert tuple(sorted(sorted(in_order), key=surname_key)) == in_order


def test_what_follows_a_surname_does_not_move_a_name_in_a_list() -> None:
    in_order = ["Sam Davis Jr", "Ann Hill OBE", "Bea Hill", "Cy Hill B.Sc.", "Mary Ann Ma", "Jo Om"]
    backwards = in_order[::-1]
    assert sorted(backwards, key=surname_key) == in_order


def test_surnames_with_a_particle_are_in_order_of_the_particle() -> None:
    in_order = ["Di Dyer", "Ann Nash", "Nuala Ní Bhriain", "Seán Ó Briain", "Piet van Dyk", "Al Wu"]
    by_first_name = sorted(in_order)
    assert sorted(by_first_name, key=surname_key) == in_order


@given(ANY_NAMES)
def test_everybody_is_known_by_their_own_name(name: str) -> None:
    assert match_name(f"  {name.upper()} ", [KnownName(7, name.upper())]).people == (7,)


@given(ANY_NAMES, ANY_NAMES)
def test_likeness_goes_both_ways(name: str, other_name: str) -> None:
    first, second = name_words(name), name_words(other_name)
    assert are_similar_names(first, second) == are_similar_names(second, first)
    assert have_matching_initials(first, second) == have_matching_initials(second, first)


@given(st.text("abc", max_size=8), st.text("abc", max_size=8))
def test_a_slip_more_is_never_nearer(name: str, other_name: str) -> None:
    assert is_within_distance(name, name, 0)
    assert is_within_distance(name, other_name, 1) <= is_within_distance(name, other_name, 2)
    assert is_within_distance(name, other_name, 2) == is_within_distance(other_name, name, 2)


@given(st.text())
def test_a_guarded_cell_is_read_back(text: str) -> None:
    assert unguard_formula(guard_formula(text)) == text
    assert not guard_formula(text).startswith(("=", "+", "-", "@"))


@pytest.mark.parametrize(
    ("name", "other_name"),
    [
        ("Jon Smith", "John Smith"),
        ("Bob Brown", "Robert Brown"),
        ("Peg Ashworth", "Maggie Ashworth"),
        ("Margaret A Smith", "Margaret Smith"),
        ("Pettigrew-Jones", "Ngaio Pettigrew Jones"),
        ("Dilip Patle", "Dilip Patel"),
        ("Ann", "Ann Abbott"),
    ],
)
def test_slips_and_short_names_are_near(name: str, other_name: str) -> None:
    assert are_similar_names(name_words(name), name_words(other_name)) or name_words(name)[
        0
    ] in name_words(other_name)


@pytest.mark.parametrize(
    ("name", "other_name"),
    [
        *(("Ann Abbott", "Ann Brown"), ("Mary Smith", "John Smith"), ("Jo", "Al")),
        *(("Ann Bolton", "Ian Bolton"), ("Jill Hart", "Bill Hart"), ("Ann Hill", "Ann Hart")),
    ],
)
def test_different_people_are_not_near(name: str, other_name: str) -> None:
    assert not are_similar_names(name_words(name), name_words(other_name))


def test_initials_that_fit_two_are_doubtful() -> None:
    known_names = [KnownName(1, "Margaret Smith"), KnownName(2, "Mary Smith")]
    assert match_name("M. Smith", known_names).match_kind == MatchKind.DOUBTFUL
    assert match_name("M. Smith", known_names).people == (1, 2)
    assert match_name("J. Smith", known_names).match_kind == MatchKind.NEW


def test_names_are_turned_round_at_their_comma() -> None:
    assert to_spoken_order("Smith, Margaret") == "Margaret Smith"
    assert to_spoken_order("Smith,") == "Smith"


def test_likely_twins_are_pairs_of_different_people() -> None:
    known_names = [
        KnownName(1, "Margaret Ashworth"),
        KnownName(1, "Peg", is_alias=True),
        KnownName(2, "M. Ashworth"),
        KnownName(3, "Zoë"),
        KnownName(4, "Ashworth Margaret"),
    ]
    assert duplicate_pairs(known_names) == ((1, 2), (1, 4))


@pytest.mark.parametrize(
    "name",
    [
        "Tongbox",
        "TONGBOX",
        "Tongbox Security",
        "Your Tongbox account",
        "T.o.n.g.b.o.x",
        "Tong Box",
        "T0ngb0x",
        "Tоngbох",  # Cyrillic letters
        "Ｔｏｎｇｂｏｘ",
        "Admin",
        "ADMINISTRATORS",
        "Admin of Hill Top",
        "Support",
        "The Support Team",
        "Security and Help Desk",
        "Official",
        "tongbox-support",
    ],
)
def test_no_club_is_called_like_those_who_run_tongbox(name: str) -> None:
    assert club_name_fault(name) == "Choose another name, such as that of your town."


@pytest.mark.parametrize(
    "name",
    ["Hill Top Tiles", "Help the Aged Mah Jong", "Root Lane Club", "Team Tiles", "Boxford Club"],
)
def test_ordinary_clubs_keep_their_names(name: str) -> None:
    assert club_name_fault(name) == ""
