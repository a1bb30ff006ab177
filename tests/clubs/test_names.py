"""What people are called at a table."""

from clubs.names import first_names


def test_first_names_tell_people_apart() -> None:
    names = {1: "Zoë Łukasiewicz", 2: "Ngaio Pettigrew-Jones", 3: "Pat"}
    assert first_names(names) == {1: "Zoë", 2: "Ngaio", 3: "Pat"}


def test_two_of_one_first_name_keep_their_whole_names() -> None:
    names = {1: "Ann Abbott", 2: "ANN Brown", 3: "Cy Clark"}
    assert first_names(names) == {1: "Ann Abbott", 2: "ANN Brown", 3: "Cy"}
