"""Names that a list has in capitals are written as people write them."""

import pytest
from hypothesis import given, strategies as st

from clubs.core.capitals import are_in_capitals, recase_capitals, recase_surname
from clubs.models.names import name_key

WRITTEN = {
    "SMITH, JOHN": "Smith, John",
    "JOHN SMITH": "John Smith",
    "SMITH, John": "Smith, John",
    "John SMITH": "John Smith",
    "MCDONALD": "McDonald",
    "ANN MCKAY": "Ann McKay",
    "ANN McDONALD": "Ann McDonald",
    "ANN MacDONALD": "Ann MacDonald",
    "MACDONALD, ANN": "Macdonald, Ann",
    "MACE": "Mace",
    "ANN MACE": "Ann Mace",
    "MACKENZIE, MC": "Mackenzie, MC",
    "PAT O'BRIEN": "Pat O'Brien",
    "PAT O’BRIEN": "Pat O’Brien",
    "D'ARCY, ÉLODIE": "D'Arcy, Élodie",
    "ANNE-MARIE SMITH-JONES": "Anne-Marie Smith-Jones",
    "JAN VAN DER BERG": "Jan van der Berg",
    "VAN DER BERG, JAN": "van der Berg, Jan",
    "VAN MORRISON": "Van Morrison",
    "DI DYER": "Di Dyer",
    "WALTER DE LA MARE": "Walter de la Mare",
    "JEAN LE BROCQ": "Jean Le Brocq",
    "ELEN AP RHYS": "Elen ap Rhys",
    "JOHN SMITH MBE": "John Smith MBE",
    "SMITH, JOHN, MBE": "Smith, John, MBE",
    "FIRTH, CY MBE": "Firth, Cy MBE",
    "JOHN SMITH, OBE": "John Smith, OBE",
    "JOHN SMITH QC": "John Smith QC",
    "YO YO MA": "Yo Yo Ma",
    "LI MENG": "Li Meng",
    "HENRY TUDOR III": "Henry Tudor III",
    "JOHN SMITH JR": "John Smith Jr",
    "J.B. SMITH": "J.B. Smith",
    "J B SMITH": "J B Smith",
    "JB SMITH": "JB Smith",
    "AJ SMITH": "AJ Smith",
    "SMITH, AJ": "Smith, AJ",
    "JO NG": "Jo Ng",
    "MRS P HOLLIS": "Mrs P Hollis",
    "REV. ANN HILL": "Rev. Ann Hill",
    "MR & MRS HOLLIS": "Mr & Mrs Hollis",
    "CAROL AND DEREK FINCH": "Carol and Derek Finch",
    "MARGARET (PEG) HILL": "Margaret (Peg) Hill",
    "7. ŁUKASIEWICZ, ZOË*": "7. Łukasiewicz, Zoë*",
    "Ó BRIAIN, SEÁN": "Ó Briain, Seán",
    "AJ Smith": "AJ Smith",
    "John Smith MBE": "John Smith MBE",
    "J. R. Smith": "J. R. Smith",
    "王芳": "王芳",
    "": "",
}


@pytest.mark.parametrize(("written_name", "spoken_name"), WRITTEN.items())
def test_a_name_in_capitals_is_written_as_people_write_it(
    written_name: str, spoken_name: str
) -> None:
    assert recase_capitals(written_name) == spoken_name
    assert recase_capitals(spoken_name) == spoken_name


def test_halves_of_a_name_are_written_each_by_itself() -> None:
    assert recase_surname("VAN DYK") == "van Dyk"
    assert recase_surname("NG") == "Ng"
    assert recase_capitals("JB", is_forename=True) == "JB"
    assert recase_capitals("MARY ANN", is_forename=True) == "Mary Ann"


@given(st.text("ABCDÉZŁabcdéz .,'’-&()", max_size=30))
def test_only_capitals_change(name: str) -> None:
    small = recase_capitals(name)
    assert name_key(small) == name_key(name)
    assert len(small) == len(name)
    assert recase_capitals(small) == small


def test_a_list_is_in_capitals_where_most_of_its_names_are() -> None:
    assert are_in_capitals(["ANN HILL", "BEN HILL", "Cy Finch", ""])
    assert are_in_capitals(["Ann HILL", "Ben HILL", "Cy Finch"])
    assert not are_in_capitals(["ANN HILL", "Ben Hill"])
    assert not are_in_capitals(["Ann Hill MBE", "AJ Smith", "J Brown"])
    assert not are_in_capitals([])
