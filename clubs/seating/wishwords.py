"""Wishes for the seating in sentences: asked, kept, not kept, impossible tonight."""

from collections.abc import Collection, Mapping, Sequence

from clubs.language.words import counted
from clubs.seating.why import Said
from clubs.seating.wishes import APART, HELPER, TABLE, TOGETHER, Wanted, helpers_of, unkept

Names = Mapping[str, str]

ASKED = {
    APART: "Keep {one} and {other} apart.",
    TOGETHER: "Seat {one} and {other} together.",
    HELPER: "{one} is a beginner; {other} helps.",
    TABLE: "{one} always sits at table {table}.",
}
KEPT = {
    APART: "{one} and {other} are kept apart.",
    TOGETHER: "{one} and {other} sit together.",
    HELPER: "{one} sits with a helper.",
    TABLE: "{one} sits at table {table}.",
}
NOT_KEPT = {
    APART: "{one} and {other} sit at one table, although they should be kept apart.",
    TOGETHER: "{one} and {other} are not seated together, although they should be.",
    HELPER: "{one}, a beginner, sits without a helper.",
    TABLE: "{one} does not sit at table {table}, which is their fixed table.",
}
IMPOSSIBLE = {
    APART: "We cannot keep {one} and {other} apart tonight: {why}.",
    TOGETHER: "We cannot seat {one} and {other} together tonight: {why}.",
    HELPER: "{one}, a beginner, cannot sit with a helper tonight: {why}.",
    TABLE: "{one} cannot sit at table {table} tonight: {why}.",
}


def asked(one: Wanted, names: Names) -> str:
    """The wish as the secretary noted it."""
    return _filled(ASKED[one.kind], one, names)


def told(
    wishes: Sequence[Wanted], tables: Mapping[int, Collection[str]], names: Names
) -> list[Said]:
    """Each wish of those at these tables, what is not kept first."""
    said = [
        Said(_filled((NOT_KEPT if is_broken else KEPT)[one.kind], one, names), not is_broken)
        for one, is_broken in unkept(wishes, tables)
    ]
    return sorted(said, key=lambda one: one.is_kept is True)


def impossible(
    one: Wanted, wishes: Sequence[Wanted], here: Collection[str], tables: int, names: Names
) -> str:
    """Why a wish is left out on an evening with so many tables."""
    return _filled(IMPOSSIBLE[one.kind], one, names, _reason(one, wishes, here, tables))


def _reason(one: Wanted, wishes: Sequence[Wanted], here: Collection[str], tables: int) -> str:
    if one.kind == HELPER and not set(helpers_of(one.player, wishes)) & set(here):
        return "none of their helpers has checked in"
    if (one.kind == TABLE and one.table > tables) or (one.kind == APART and tables == 1):
        return f"there {'is' if tables == 1 else 'are'} only {counted(tables, 'table')}"
    return "it conflicts with other preferences or with the table sizes"


def _filled(sentence: str, one: Wanted, names: Names, why: str = "") -> str:
    other = names.get(one.other, "")
    return sentence.format(one=names[one.player], other=other, table=one.table, why=why)
