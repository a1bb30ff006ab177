"""The house rules that a club has kept, and which rules it can choose among."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from clubs.models import Club, HouseRules
from scoring import RuleSet, rule_set_keys
from scoring.scorebook.editions import book_of, rule_set, rules_of
from scoring.scorebook.models import Game


@dataclass(frozen=True, slots=True)
class HouseRow:
    """House rules of a club; ``version`` counts those of one name, 0 where there is one alone."""

    pk: int
    key: str
    name: str
    version: int
    book: str
    summary: str
    made_at: datetime
    made_by: str
    games: int
    is_offered: bool
    is_played: bool

    @property
    def title(self) -> str:
        """The name, with its version where there are several."""
        return f"{self.name}, version {self.version}" if self.version else self.name


def house_rules_of(club: Club) -> tuple[HouseRow, ...]:
    """Every house rules that the club has kept, the newest first; one query."""
    games = Game.objects.filter(rules=OuterRef("edition__key")).order_by().values("rules")
    counted = games.annotate(count=Count("pk")).values("count")
    kept = list(
        club.house_rules.select_related("edition", "made_by")
        .annotate(games=Coalesce(Subquery(counted), 0))
        .order_by("pk")
    )
    of_a_name = Counter(one.edition.name for one in kept)
    so_far: Counter[str] = Counter()
    rows = []
    for one in kept:
        name = one.edition.name
        so_far[name] += 1
        rows.append(_row(one, club, version=so_far[name] if of_a_name[name] > 1 else 0))
    return tuple(reversed(rows))


def _row(one: HouseRules, club: Club, *, version: int) -> HouseRow:
    edition = one.edition
    return HouseRow(
        pk=one.pk,
        key=edition.key,
        name=edition.name,
        version=version,
        book=rule_set(book_of(edition.key)).name,
        summary=summary_of(edition.declaration),
        made_at=one.made_at,
        made_by=one.made_by.name if one.made_by else "",
        games=one.games,  # type: ignore[attr-defined]
        is_offered=one.retired_at is None,
        is_played=club.rules == edition.key,
    )


def summary_of(declaration: Mapping[str, Any]) -> str:
    """What is otherwise than in the book, counted: ``limit 500, 2 hands left out``."""
    return ", ".join(_parts(declaration)) or "same as the rule book"


def _parts(declaration: Mapping[str, Any]) -> Iterator[str]:
    if "limit" in declaration:
        limit = declaration["limit"]
        yield "no limit" if limit is None else f"limit {limit:,}"
    for one, many, names in (
        ("open point", "open points", ("choices",)),
        ("changed number", "changed numbers", ("points", "doubles")),
        ("hand left out", "hands left out", ("without",)),
        ("special hand of its own", "special hands of its own", ("specials",)),
    ):
        if count := sum(len(declaration.get(name, ())) for name in names):
            yield f"{count} {one if count == 1 else many}"


def editions_of(club: Club) -> tuple[RuleSet, ...]:
    """The house rules that the club offers, the newest first; one query."""
    kept = club.house_rules.filter(retired_at=None).select_related("edition")
    return tuple(rules_of(one.edition) for one in kept)


def rules_offered(club: Club, *, held: str = "") -> list[tuple[str, str]]:
    """The rules that can be chosen, by key, each with its name; one query.

    What is ``held`` is among them though it be retired.
    """
    own = house_rules_of(club)
    offered = [(key, rule_set(key).name) for key in rule_set_keys()]
    offered += [(row.key, row.title) for row in own if row.is_offered or row.key == held]
    if held and held not in dict(offered):
        offered.append((held, rule_set(held).name))
    return offered
