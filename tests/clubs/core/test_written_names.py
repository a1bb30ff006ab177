"""Names as people write them: read as they are spoken, and told from what is no name."""

import pytest
from hypothesis import given, strategies as st

from clubs.core.written_names import nobody_reason, read_name, split_pair


@pytest.mark.parametrize(
    ("written_name", "name"),
    [
        ("Margaret Hargreaves", "Margaret Hargreaves"),
        ("Hargreaves, Margaret", "Margaret Hargreaves"),
        ("Mrs Margaret Hargreaves", "Margaret Hargreaves"),
        ("Hargreaves, Mrs. Margaret", "Margaret Hargreaves"),
        ("Hargreaves, Margaret (Mrs)", "Margaret Hargreaves"),
        ("Nasreen Mrs Chaudhry", "Nasreen Chaudhry"),
        ("Ann Brown, MBE", "Ann Brown"),
        ("Brown, Ann, M.B.E.", "Ann Brown"),
        ("Ann Brown, B.Sc. F.C.A.", "Ann Brown"),
        ("Ann Brown OBE", "Ann Brown"),
        ("Brown, Ann MBE", "Ann Brown"),
        ("Brown MBE, Ann", "Ann Brown"),
        ("BROWN, ANN MBE", "ANN BROWN"),
        ("Brown, A. O.B.E. DL", "A. Brown"),
        ("Brown, Mrs Ann B.Sc. (Hons)", "Ann Brown"),
        ("van der Berg, Dr Ann PhD", "Dr Ann van der Berg"),
        ("Brown, Mrs MBE", "Mrs Brown"),
        ("Chen, Ann Ma", "Ann Ma Chen"),
        ("Brown, John Jr", "John Brown Jr"),
        ("Brown Jr, John", "John Brown Jr"),
        ("Brown, John MBE Jnr", "John Brown Jnr"),
        ("ANN BROWN", "ANN BROWN"),
        ("Chen, Ma", "Ma Chen"),
        ("Li, Na", "Na Li"),
        ("Brown, John, Jr", "John Brown Jr"),
        ("Mrs Ashworth", "Mrs Ashworth"),
        ("Mr & Mrs A. Baker", "Mr & Mrs A. Baker"),
        ("Mr and Mrs Baker", "Mr and Mrs Baker"),
        ("Dr Ann Brown", "Dr Ann Brown"),
        ("1. Peter Harding", "Peter Harding"),
        ("12) Di Dyer", "Di Dyer"),
        ("• Di Dyer", "Di Dyer"),
        ("Di Dyer*", "Di Dyer"),
        ("Ann Brown (Hon. Sec.)", "Ann Brown"),
        ("Ann B. (2)", "Ann B. (2)"),
        ("Zoë O’Neill-Ŝmith", "Zoë O’Neill-Ŝmith"),
        ("Cher", "Cher"),
    ],
)
def test_a_name_is_read_as_it_is_spoken(written_name: str, name: str) -> None:
    assert read_name(written_name).name == name
    assert read_name(written_name).nicknames == ()


def test_a_nickname_in_brackets_is_another_name() -> None:
    parsed_name = read_name("Hargreaves, Margaret (Peg)")
    assert (parsed_name.name, parsed_name.nicknames) == ("Margaret Hargreaves", ("Peg",))


@pytest.mark.parametrize(
    "written_name",
    [
        *('Dorothy "Dot" Pym', "Dorothy “Dot” Pym", "Dorothy ‘Dot’ Pym", "Dorothy 'Dot' Pym"),
        *("Dorothy ’Dot’ Pym", 'Pym, Dorothy "Dot"', 'Pym, Mrs Dorothy ("Dot")'),
        *("Dorothy Pym (Dot)", "Dorothy Pym 'Dot'"),
    ],
)
def test_a_nickname_in_quotes_is_another_name(written_name: str) -> None:
    parsed_name = read_name(written_name)
    assert (parsed_name.name, parsed_name.nicknames) == ("Dorothy Pym", ("Dot",))


@pytest.mark.parametrize(
    "name", ["Maureen O'Hara", "Gerard 't Hooft", "Ann D’Arcy O’Neill", "'Cher'", "Ann 'X1' Brown"]
)
def test_an_apostrophe_begins_no_nickname(name: str) -> None:
    assert (read_name(name).name, read_name(name).nicknames) == (name, ())


@given(st.text(max_size=40))
def test_a_name_that_was_read_is_read_alike_again(written_name: str) -> None:
    parsed_name = read_name(read_name(written_name).name)
    assert read_name(parsed_name.name).name == parsed_name.name


@pytest.mark.parametrize(
    ("written_names", "people"),
    [
        ("Mr & Mrs A. Baker", ("A. Baker", "Mrs Baker")),
        ("Mr and Mrs Baker", ("Mr Baker", "Mrs Baker")),
        ("Mr & Mrs P J van Dyk", ("P J van Dyk", "Mrs van Dyk")),
        ("Mr & Mrs Peter Hollis", ("Peter Hollis", "Mrs Hollis")),
        ("Hollis, Mr & Mrs P", ("P Hollis", "Mrs Hollis")),
        ("Mr & Dr P Hollis", ("P Hollis", "Dr Hollis")),
        ("Peter & Jane Lyle", ("Peter Lyle", "Jane Lyle")),
        ("Peter & Jane Lyle MBE", ("Peter Lyle", "Jane Lyle")),
        ("Lyle, Peter & Jane MBE", ("Peter Lyle", "Jane Lyle")),
        ("Peter Lyle OBE & Jane Finch", ("Peter Lyle", "Jane Finch")),
        ("Piet & Ann van Dyk", ("Piet van Dyk", "Ann van Dyk")),
        ("Carol and Derek Finch", ("Carol Finch", "Derek Finch")),
        ("Finch, Carol & Derek", ("Carol Finch", "Derek Finch")),
        ("Ann Bolton & Ian Bolton", ("Ann Bolton", "Ian Bolton")),
        ("Sandy Anderson", ()),
        ("Andy Rand", ()),
        ("N/A", ()),
        ("Ann Brown +1", ()),
    ],
)
def test_two_people_in_one_line_are_told(written_names: str, people: tuple[str, ...]) -> None:
    assert split_pair(written_names) == people


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("FULL MEMBERS", "a heading"),
        ("Associate Members", "a heading"),
        ("Members:", "a heading"),
        ("Waiting list:", "a heading"),
        ("Entry list, Larkhill Open", "a heading"),
        ("Page 1 of 2", "a page number"),
        ("Printed 02/09/2026 by M. Holt", "a note"),
        ("Last updated September 2026", "a note"),
        ("* = committee", "a footnote"),
        ("Tel. 01328 123456", "contact details"),
        ("Chair: Ann Brown, Tel (01328) 123456", "contact details"),
        ("www.riverside.example", "contact details"),
        ("secretary@riverside.example", "contact details"),
        ("Chair: Ann Brown", "a note"),
        ("We meet on Tuesdays, 7.30pm", "a note"),
        ("Tea is £2", "a note"),
        ("VACANT", "no name"),
        ("TBC", "no name"),
        ("Page, Ann", ""),
        ("Ann Page", ""),
        ("Note Smith", ""),
        ("Ann B. (2)", ""),
    ],
)
def test_what_is_no_person_is_told(text: str, reason: str) -> None:
    assert nobody_reason(text, is_alone=True) == reason


def test_who_has_a_telephone_is_a_person() -> None:
    assert nobody_reason("Ann Guest", is_alone=False) == ""
    assert nobody_reason("VACANT", is_alone=False) == "no name"


def test_a_telephone_number_is_no_name_whatever_stands_beside_it() -> None:
    assert nobody_reason("Tel. 01328 123456", is_alone=False) == "contact details"
    assert nobody_reason("Chair: Ann Brown", is_alone=False) == "a note"
