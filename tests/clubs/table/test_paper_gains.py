"""Paper sheets with gains alone, and the totals at the foot of any sheet."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertRedirects

from clubs.models import Club, SessionTable
from scoring.scorebook.models import Hand
from scoring.scorebook.reports import Report
from scoring.scorebook.verifying import recount
from tests.clubs.nights import post
from tests.clubs.tables import seated_evening
from tests.people import PASSWORD, Cast

# South goes Mah-Jong with 60 where East scores 20, West 8 and North 4.
GAINS = ("-64", "+240.", "-80", "-96")
SECOND = Report(winner=2, totals={1: 20, 2: 60, 3: 8, 4: 4})


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    return seated_evening(cast.club).tables.get()


@pytest.fixture
def scorer(client: Client, cast: Cast) -> Client:
    client.login(username=cast.scorer.email, password=PASSWORD)
    return client


def address(table: SessionTable) -> str:
    return reverse("evening-sheet", args=["riverside", table.session_id, table.number])


def paper(*rows: tuple[str, ...], kind: str = "gains", **more: str) -> dict[str, str]:
    """What a browser sends of rows whose cells are typed from the left."""
    sent = {"first": "1", "count": "16", "kind": kind, "step": "check", **more}
    for number, row in enumerate(rows, start=1):
        sent |= {f"{number}-score_{seat}": cell for seat, cell in enumerate(row, start=1)}
    return sent


def problems(page: Any, row: int = 1) -> tuple[str, ...]:
    return tuple(page.context["sheet"].rows[row - 1].problems)


def test_gains_are_turned_into_what_the_book_can_hold(scorer: Client, table: SessionTable) -> None:
    here = address(table)
    assertRedirects(scorer.post(here, paper(GAINS, ("-",), step="save")), here)
    first, drawn = Hand.objects.order_by("number")
    assert first.gains == {1: -64, 2: 240, 3: -80, 4: -96}
    assert (first.scores, drawn.winner, drawn.deal["dealer"]) == ({2: 60}, None, 2)
    assert recount().differences == ()


def test_gains_that_do_not_add_to_nothing_say_which_digits_changed_places(
    scorer: Client, table: SessionTable
) -> None:
    page = scorer.post(address(table), paper(("-64", "240.", "-80", "-69")))
    north = page.context["table"].names[4]
    (said,) = problems(page)
    assert said.startswith("The gains add up to +27, not to zero. ")
    assert said.endswith(f"It would fit with −96 for {north} (two digits were swapped).")
    assert "score_4" in page.context["sheet"].rows[0].wrong


def test_gains_that_no_scores_lead_to_are_taken_as_written_at_the_second_look(
    scorer: Client, table: SessionTable
) -> None:
    odd = ("-64", "242.", "-82", "-96")
    here = address(table)
    page = scorer.post(here, paper(odd, step="save"))
    assertContains(page, "These gains do not match any scores", status_code=422)
    assertContains(page, "As written", status_code=422)
    scorer.post(here, paper(odd, step="save") | {"1-as_written": "yes"})
    assert Hand.objects.get().gains == {1: -64, 2: 242, 3: -82, 4: -96}


def test_a_drawn_hand_has_no_gains_and_a_hand_has_a_winner(
    scorer: Client, table: SessionTable
) -> None:
    sent = paper(("-64", "64", "", "")) | {"1-winner": "nobody"}
    assert problems(scorer.post(address(table), sent)) == ("No one gains on a drawn hand.",)
    page = scorer.post(address(table), paper(("-64", "240", "-80", "-96")))
    assert problems(page) == ("Choose who went Mah-Jong, or choose “Nobody (drawn hand)”.",)
    page = scorer.post(address(table), paper(("-6x", "240.", "-80", "-96")))
    assert problems(page) == ("“-6x” is not a number. Enter points as a number, for example 64.",)


def test_gains_are_compared_with_scores_that_a_phone_sent(
    scorer: Client, table: SessionTable
) -> None:
    post(table, SECOND)
    page = scorer.post(address(table), paper(GAINS))
    assert page.context["sheet"].rows[0].kind == "same"
    other = scorer.post(address(table), paper(("-64", "240.", "-96", "-80")))
    differing = [one[1:3] for one in other.context["sheet"].rows[0].figures if one.differs]
    assert differing == [("−96", "−80"), ("−80", "−96")]


def test_where_nobody_pays_there_are_no_gains_to_type(
    client: Client, cast: Cast, scorer: Client
) -> None:
    Club.objects.filter(pk=cast.club.pk).update(rules="safalra")
    table = seated_evening(Club.objects.get(pk=cast.club.pk)).tables.get()
    page = scorer.post(address(table), paper(GAINS))
    assert page.context["sheet"].kind == "scores"


@pytest.mark.parametrize(
    ("players", "rows"), [(3, ("20", "60.", "8")), (5, ("20", "60.", "8", "4", "-"))]
)
def test_three_and_five_have_as_many_columns(
    cast: Cast, scorer: Client, players: int, rows: tuple[str, ...]
) -> None:
    table = seated_evening(cast.club, players=players).tables.get()
    here = address(table)
    page = scorer.post(here, paper(rows, kind="scores"))
    assert len(page.context["sheet"].columns) == players
    assertRedirects(scorer.post(here, paper(rows, ("-",), kind="scores", step="save")), here)
    assert [hand.winner for hand in Hand.objects.order_by("number")] == [2, None]
    assert recount().differences == ()


def test_a_goulash_on_the_paper_without_a_drawn_hand_above_is_doubted(
    scorer: Client, table: SessionTable
) -> None:
    page = scorer.post(address(table), paper(("-",), ("+", "", "", ""), kind="scores"))
    assert problems(page, 2) == ("Choose who went Mah-Jong, or choose “Nobody (drawn hand)”.",)
    page = scorer.post(address(table), paper(("+", "60.", "", ""), kind="scores"))
    assert problems(page)[0].startswith("The paper has a goulash here, but no hand above was drawn")


# The foot


def foot(page: Any) -> list[str]:
    return list(page.context["sheet"].foot.sentences)


def totals(*written: str) -> dict[str, str]:
    return {f"total_{seat}": total for seat, total in enumerate(written, start=1)}


def test_totals_that_are_those_on_the_paper(scorer: Client, table: SessionTable) -> None:
    sent = paper(("20", "60.", "8", "4"), kind="scores") | totals("-64", "240", "-80", "-96")
    page = scorer.post(address(table), sent)
    assertContains(page, "The totals match the paper.")
    assert foot(page) == []


def test_an_east_who_was_not_doubled_is_found_at_its_row(
    scorer: Client, table: SessionTable
) -> None:
    """East pays South 60 instead of 120 in hand 1: the paper has East at −4 and South at +180."""
    rows = (("20", "60.", "8", "4"), ("-",))
    sent = paper(*rows, kind="scores") | totals("-4", "180", "-80", "-96")
    page = scorer.post(address(table), sent)
    said = foot(page)
    assert said[0].startswith("The paper differs: ")
    assert said[1].startswith("Hand 1: ")
    assert "double" in said[1]


def test_digits_that_changed_places_in_a_total(scorer: Client, table: SessionTable) -> None:
    sent = paper(("20", "60.", "8", "4"), kind="scores") | totals("-64", "240", "-80", "-69")
    page = scorer.post(address(table), sent)
    north = page.context["table"].names[4]
    assert f"In {north}’s total on the paper, perhaps two digits were swapped." in foot(page)


def test_gains_typed_for_each_other_are_found_at_their_row(
    scorer: Client, table: SessionTable
) -> None:
    sent = paper(("-",), GAINS) | totals("-64", "240", "-96", "-80")
    page = scorer.post(address(table), sent)
    west, north = (page.context["table"].names[seat] for seat in (3, 4))
    said = f"Hand 2: the gains of {west} and {north} may have been swapped."
    assert said in foot(page)


def test_totals_without_a_simple_reason_say_so(scorer: Client, table: SessionTable) -> None:
    sent = paper(("20", "60.", "8", "4"), kind="scores") | totals("1", "1000", "7", "13")
    said = foot(scorer.post(address(table), sent))
    assert said[-1].endswith(
        "No single mistake explains the difference. Compare the columns hand by hand."
    )
