"""An evening's tables moved by hand before their first hand: two change places, one moves."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from django.db import transaction

from clubs.core.locks import lock_club
from clubs.core.stale_forms import Shown
from clubs.language.words import counted
from clubs.models import Player, Session, SessionSeat, SessionState
from clubs.models.names import ORGANISER
from clubs.seating import Said
from clubs.seating.company import in_short
from clubs.seating.turns import turn_costs
from clubs.seating.words import listed
from clubs.selectors.evenings import table_numbers
from clubs.selectors.why import EveningExplained, why_this_evening
from clubs.services.evenings import check_shown, lock_games_of, lock_session, touch
from scoring.scorebook import services as scorebook
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import refuse

Lay = dict[int, list[int]]  # by table number: player ids, East first
Move = Callable[[Lay], Lay]
MOST_NAMED = 4
SIZES = {3: "three", 4: "four", 5: "five"}


@transaction.atomic
def change_places(
    *, session: Session, one: Player, other: Player, shown: Shown | None = None
) -> str:
    """Two players take each other's seats; one of them may be here without a table.

    Refused once a hand is recorded at a table that either leaves or joins. Returns what was done.
    """
    _move(session, partial(_exchanged, one, other), shown)
    return f"{one.name} and {other.name} have changed places."


@transaction.atomic
def move_to(*, session: Session, player: Player, number: int, shown: Shown | None = None) -> str:
    """Someone leaves their table, or has none, and takes the last seat of another.

    Refused as `change_places` is, and where a table would have more or fewer players than its
    rules allow. Returns what was done.
    """
    _move(session, partial(_moved, player, number), shown)
    return f"{player.name} now sits at table {number}."


def cost_of_move(*, session: Session, act: Callable[[], str]) -> tuple[Said, ...]:
    """What one of the two would cost; nothing is changed. Refused as they are."""
    with transaction.atomic():
        before = why_this_evening(session, reader=ORGANISER, with_wishes=True)
        act()
        after = why_this_evening(session, reader=ORGANISER, with_wishes=True)
        transaction.set_rollback(True)
    return tuple(_cost(before, after))


def _cost(before: EveningExplained, after: EveningExplained) -> list[Said]:
    """Wishes first, then turns, then company, then the tables' sizes."""
    said = [
        *_of_wishes(before.wishes, after.wishes),
        *turn_costs(before.turns, after.turns, after.names),
        *_of_company(_together(before), _together(after)),
    ]
    sizes = [
        f"table {number} of {SIZES[size]}"
        for number, size in _sizes(after).items()
        if size != _sizes(before).get(number)
    ]
    return [*said, *([Said(f"There would be {listed(sizes)}.")] if sizes else [])]


def _of_wishes(was: Sequence[Said], now: Sequence[Said]) -> Iterator[Said]:
    """The wishes that a move breaks, and those that it keeps at last."""
    before = {one.sentence for one in was}
    for one in now:
        if one.sentence not in before:
            said = (
                "A seating preference would be met"
                if one.is_kept
                else "A seating preference would not be met"
            )
            yield Said(f"{said}: {one.sentence}", one.is_kept)


def _of_company(was: Mapping[str, str], now: Mapping[str, str]) -> list[Said]:
    come = [pair for pair in now if pair not in was]
    part = [pair for pair in was if pair not in now]
    if not come and not part:
        same = "No one is seated with someone from a recent evening."
        return [Said(same, is_kept=True)]
    said = [
        Said(f"{pair} would sit together again; they did on {now[pair]}.", is_kept=False)
        for pair in come[:MOST_NAMED]
    ]
    if (more := len(come) - MOST_NAMED) > 0:
        said.append(Said(f"So would {counted(more, 'pair')} more.", is_kept=False))
    said += [
        Said(f"{pair}, who sat together on {was[pair]}, would no longer be together.", is_kept=True)
        for pair in part[:MOST_NAMED]
    ]
    if (more := len(part) - MOST_NAMED) > 0:
        said.append(Said(f"So would {counted(more, 'pair')} more.", is_kept=True))
    return said


def _together(found: EveningExplained) -> dict[str, str]:
    """`Ann and Ben` to the evenings before on which they sat together, for those who do now."""
    names = found.seating.names
    return {
        f"{names[pair.row]} and {names[pair.column]}": listed(in_short(pair.past))
        for pair in found.seating.pairs
        if pair.kind == "again"
    }


def _sizes(found: EveningExplained) -> dict[int, int]:
    return {t.number: len(t.seats) for one in found.seating.rounds for t in one.tables}


def _exchanged(one: Player, other: Player, lay: Lay) -> Lay:
    if one == other:
        raise refuse("same_player", "Choose two different players.", "other")
    if not any(one.pk in seats or other.pk in seats for seats in lay.values()):
        raise refuse("no_seat", "Neither of them sits at a table.", "other")
    comes = {one.pk: other.pk, other.pk: one.pk}
    return {number: [comes.get(pk, pk) for pk in seats] for number, seats in lay.items()}


def _moved(player: Player, number: int, lay: Lay) -> Lay:
    if number not in lay:
        raise refuse("no_table", f"There is no table {number}.", "number")
    if player.pk in lay[number]:
        raise refuse("same_table", f"{player.name} already sits there.", "number")
    left = {at: [pk for pk in seats if pk != player.pk] for at, seats in lay.items()}
    return left | {number: [*left[number], player.pk]}


def _move(session: Session, move: Move, shown: Shown | None) -> None:
    """Whoever moves waits at the club's row, so that no game appears behind the locks."""
    lock_club(session.club_id)
    lock_games_of(session)
    session = lock_session(session.pk)
    check_shown(session, shown)
    if session.state != SessionState.PLAYING:
        raise refuse("not_seated", "Seats can be changed while the evening is being played.")
    before: Lay = {number: [] for number in table_numbers(session.pk)}
    for number, player in (
        session.places.filter(is_current=True)
        .order_by("seat__number")
        .values_list("table__number", "player_id")
    ):
        before[number].append(player)
    after = move(before)
    _check_here(session, after)
    _seat(session, {n: seats for n, seats in after.items() if seats != before[n]})
    touch(session)


def _check_here(session: Session, lay: Lay) -> None:
    here = set(session.attendances.filter(left_at=None).values_list("player_id", flat=True))
    if gone := {pk for seats in lay.values() for pk in seats} - here:
        names = Player.objects.filter(pk__in=gone).values_list("name", flat=True)
        raise refuse("not_here", f"{listed(list(names))} must be checked in first.", "player")


def _seat(session: Session, changed: Mapping[int, list[int]]) -> None:
    """Put these players into the seats of their tables."""
    tables = list(session.tables.filter(number__in=changed).select_related("game"))
    games = [table.game_id for table in tables]
    if Hand.objects.filter(game__in=games).exists():
        raise refuse(
            "hands_recorded", "That table has already recorded a hand, so its seats cannot change."
        )
    for table in tables:
        size = len(changed[table.number])
        if size not in SIZES or size not in rule_set(table.game.rules).seats:
            said = f"Table {table.number} would have {size} players, which the rules do not allow."
            raise refuse("bad_size", said, "number")
    SessionSeat.objects.filter(table__in=tables).delete()
    for table in tables:
        scorebook.resize_game(table.game, len(changed[table.number]))
    SessionSeat.objects.bulk_create(
        SessionSeat(session=session, table=table, player_id=player, seat=seat)
        for table in tables
        for seat, player in zip(
            table.game.seats.order_by("number"), changed[table.number], strict=True
        )
    )
