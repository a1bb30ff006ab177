from django.template import Context, Template

from clubs.language.words import counted


def test_a_number_is_followed_by_what_it_counts() -> None:
    assert counted(1, "hand") == "1 hand"
    assert counted(0, "hand") == "0 hands"
    assert counted(1204, "hand") == "1,204 hands"
    assert counted(2, "Mah-Jong", "Mah-Jongs") == "2 Mah-Jongs"
    assert counted(3, "entry", "entries") == "3 entries"


def test_templates_count_without_loading_anything() -> None:
    shown = Template('{{ tables|counted:"table" }}')

    assert shown.render(Context({"tables": 4})) == "4 tables"
