"""The page on which a table’s paper sheet is typed in, and hands to type."""

from typing import Any

from scoring.scorebook.models import Hand
from scoring.scorebook.reports import Report
from tests.clubs.table.phones import AtEvening, Phone
from tests.people import Cast

THIRD = Report(winner=3, totals={1: 16, 2: 16, 3: 208, 4: 0})
FIRST = Report(winner=1, totals={1: 100, 2: 0, 3: 12, 4: 6})


class Sheet(Phone):
    """The page of a table's paper sheet, for someone who is signed in."""

    def save_sheet(self, form_data: dict[str, str]) -> None:
        """Send it; all of it is saved."""
        answer = self.press(**form_data)
        assert (answer.status_code, answer["Location"]) == (302, self.address)

    def news(self, form_data: dict[str, str]) -> Any:
        """Send it as the page's script does."""
        return self.client.post(self.address, form_data, headers={"HX-Request": "true"})

    def fill_rows(self, *rows: dict[str, Any], step: str = "save") -> dict[str, str]:
        """What a browser sends from the page with these rows filled in, from the first on."""
        sheet = self.look().context["sheet"]
        form_data = {"first": str(sheet.first), "count": str(sheet.count), "step": step}
        for row, cells in zip(sheet.rows, rows, strict=False):
            form_data[f"{row.number}-submission_id"] = str(row.submission_id)
            form_data |= {f"{row.number}-{name}": str(value) for name, value in cells.items()}
        return form_data


def sheet_of(evening_table: AtEvening, cast: Cast) -> Sheet:
    return Sheet(evening_table.desk_url("sheet"), cast.scorer)


def paper(*hands: Report, step: str = "save", **extra_fields: str) -> dict[str, str]:
    """What a browser sends of these hands, typed from the first row on."""
    form_data = {"first": "1", "count": "16", "step": step, **extra_fields}
    for number, hand in enumerate(hands, start=1):
        form_data[f"{number}-winner"] = "nobody" if hand.winner is None else str(hand.winner)
        form_data |= {f"{number}-score_{seat}": str(score) for seat, score in hand.totals.items()}
    return form_data


def winners() -> list[int | None]:
    hands = Hand.objects.filter(is_current=True).order_by("number")
    return [hand.winner for hand in hands]
