"""The list of members as a file to take along."""

from django.http import HttpResponse

from clubs.core.access import ClubRequest, door
from clubs.core.permissions import MANAGE_MEMBERS
from clubs.exports.members import members_csv, members_xlsx
from clubs.models import Club

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@door(MANAGE_MEMBERS)
def as_csv(_: ClubRequest, club: Club) -> HttpResponse:
    """Everything about the members, for any spreadsheet."""
    return _file(members_csv(club), "text/csv; charset=utf-8", f"{club.slug}-members.csv")


@door(MANAGE_MEMBERS)
def as_xlsx(_: ClubRequest, club: Club) -> HttpResponse:
    """Everything about the members, for Excel."""
    return _file(members_xlsx(club), XLSX, f"{club.slug}-members.xlsx")


def _file(content: bytes, kind: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "private"}
    return HttpResponse(content, content_type=kind, headers=headers)
