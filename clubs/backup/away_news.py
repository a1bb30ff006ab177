"""How the copies of backups at other places are."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Annotated, Final

from django.db.models import Max, Min, Q

from clubs.backup.stores import stores
from clubs.models import AwayCopy

TOO_OLD_AWAY: Final = timedelta(days=3)
UNNAMED_PLACE: Final = "another place"
SEE_LOG_MESSAGE: Final = "It failed. A Tongbox administrator can read why in the log."


@dataclass(frozen=True, slots=True)
class AwayNews:
    """The copies at one place; the times are those of its last good copy."""

    place: Annotated[str, "the server, or the program that takes copies away"]
    made_at: Annotated[datetime | None, "when its backup was made; null: no good copy yet"] = None
    sent_at: datetime | None = None
    tried_at: Annotated[
        datetime | None, "when it was fetched back, restored as a test and compared"
    ] = None
    trouble: Annotated[str, "empty: there is a good copy of the last three days"] = ""
    fault: Annotated[str, "why the newest copy has not succeeded yet"] = ""
    try_at: Annotated[datetime | None, "when it is tried again"] = None


def without_details(news: AwayNews) -> AwayNews:
    """The same for secretaries of clubs that do not run this installation.

    They read no host, and no words of a program or a server, which may hold a password.
    """
    return replace(
        news,
        place=UNNAMED_PLACE,
        trouble=news.trouble and too_old_sentence(UNNAMED_PLACE),
        fault=news.fault and SEE_LOG_MESSAGE,
    )


def too_old_sentence(place: str) -> str:
    return f"There has been no good copy at {place} for more than three days."


def away_news_at(now: datetime) -> tuple[AwayNews, ...]:
    """Each place of ``TONGBOX_BACKUPS_AWAY``, in its order; two queries, none without places."""
    names = [store.name for store in stores()]
    if not names:
        return ()
    copies = AwayCopy.objects.filter(place__in=names).order_by()
    places = copies.values("place").annotate(
        newest=Max("pk"), good=Max("pk", filter=Q(is_good=True)), first=Min("backup__made_at")
    )
    summaries = {row["place"]: row for row in places}
    keys = [row[which] for row in summaries.values() for which in ("newest", "good")]
    rows = AwayCopy.objects.select_related("backup").in_bulk([key for key in keys if key])
    result = []
    for name in names:
        row = summaries.get(name, {"newest": None, "good": None, "first": None})
        newest, good = rows.get(row["newest"]), rows.get(row["good"])
        result.append(_news_of_place(name, newest, good, row["first"], now))
    return tuple(result)


def _news_of_place(
    name: str, newest: AwayCopy | None, good: AwayCopy | None, first: datetime | None, now: datetime
) -> AwayNews:
    # A server without its path; a program without its other words.
    place = name if name.startswith("address ") else name.partition("/")[0].partition(" ")[0]
    made_at = good.backup.made_at if good else None
    start = made_at or first
    is_old = start is not None and now - start > TOO_OLD_AWAY
    failing = newest if newest and not newest.is_good else None
    return AwayNews(
        place,
        made_at,
        good.sent_at if good else None,
        good.tried_at if good else None,
        too_old_sentence(place) if is_old else "",
        failing.fault if failing else "",
        failing.try_at if failing else None,
    )
