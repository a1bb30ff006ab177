"""The way from a tournament's rows to the club that they belong to."""

from typing import TypeVar

from django.db.models import Model

from clubs.models.tenancy import OfOneClub

Row = TypeVar("Row", bound=Model)


class OfATournament(OfOneClub[Row]):
    """For rows of a tournament."""

    way = "tournament__club"


class OfARound(OfOneClub[Row]):
    """For rows of a round."""

    way = "round__tournament__club"


class OfATable(OfOneClub[Row]):
    """For rows of a table."""

    way = "table__round__tournament__club"
