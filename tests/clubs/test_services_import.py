"""Reading members from a file: every fault in a sentence, all or nothing."""

import pytest

from clubs.services.people import import_members
from scoring.scorebook.refusals import Refused
from tests.people import Cast

COLUMNS = "The first line must name the columns: name, and email if you have it."


def faults_of(cast: Cast, text: str) -> list[str]:
    """The sentences with which the file is refused; nobody may have been added."""
    before = cast.club.players.count()
    with pytest.raises(Refused) as refused:
        import_members(club=cast.club, text=text)
    assert cast.club.players.count() == before
    return [problem.sentence for problem in refused.value.problems]


def test_people_are_added_and_known_ones_left_alone(cast: Cast) -> None:
    imported = import_members(
        club=cast.club, text="\ufeffName,E-mail\nZoë Łukasiewicz,zoe@example.org\n\nPAT,\n"
    )
    assert [(player.name, player.email) for player in imported.added] == [
        ("Zoë Łukasiewicz", "zoe@example.org")
    ]
    assert imported.known == ("PAT",)


@pytest.mark.parametrize("text", ["email;name\n;Ngaio", "name\tphone\nNgaio\t01225", "name\nNgaio"])
def test_semicolons_tabs_and_other_columns_are_understood(cast: Cast, text: str) -> None:
    assert [p.name for p in import_members(club=cast.club, text=text).added] == ["Ngaio"]


def test_every_faulty_line_is_named(cast: Cast) -> None:
    text = "name,email\nNgaio,\n,x@example.org\nNgaio,\n<b>,not an address\n"
    assert faults_of(cast, text) == [
        "Line 2: Ngaio is in the file twice.",
        "Line 3: Type a name.",
        "Line 4: Ngaio is in the file twice.",
        "Line 5: A name cannot hold the signs < and >.",
        "Line 5: not an address is not an e-mail address.",
    ]


def test_blank_lines_do_not_shift_the_numbers(cast: Cast) -> None:
    assert faults_of(cast, "name\n\n\n<i>\n") == ["Line 4: A name cannot hold the signs < and >."]


def test_a_file_without_names_of_columns_is_refused(cast: Cast) -> None:
    assert faults_of(cast, "Ngaio,ngaio@example.org\n") == [
        f"{COLUMNS} The first line here says: ngaio, ngaio@example.org."
    ]


def test_an_empty_file_is_refused(cast: Cast) -> None:
    assert faults_of(cast, "") == [f"{COLUMNS} The first line here says: nothing."]


def test_a_first_line_without_end_is_refused(cast: Cast) -> None:
    assert faults_of(cast, "name," + "x" * 140_000) == [
        "The file cannot be read as CSV: field larger than field limit (131072)."
    ]


def test_a_file_of_thousands_is_refused(cast: Cast) -> None:
    assert faults_of(cast, "name\n" + "Ngaio\n" * 2001) == [
        "The file has 2,001 lines; at most 2,000 fit."
    ]
