"""Changes of seats: swaps, substitutes, rounds seated again."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from clubs.core.audit_log import last_entry, log_detail
from clubs.core.forms import Overtaken, ShownState
from clubs.language.moments import moment
from clubs.models.names import name_fault, name_key, tidy_name
from clubs.seating import Request
from clubs.seating.amending import amend_rounds
from clubs.seating.why import players_in_round, review_rounds, wind_imbalance, winds_of
from scoring.scorebook.models import Game
from scoring.scorebook.refusals import refuse
from tournaments.core import lock_tournament, set_state, touch
from tournaments.models import (
    Capacity,
    Entrant,
    EntrantState,
    Placement,
    Round,
    RoundState,
    SeatingChange,
    Tournament,
    TournamentState,
)
from tournaments.rounds.couples import couples
from tournaments.rounds.selectors import numbers_text
from tournaments.rounds.services import (
    RoundSeating,
    Sitter,
    call_house_players,
    games_at,
    has_hands,
    house_players,
    is_future,
    keep_substitutes,
    round_from_json,
    round_seatings,
    sitter_of,
    unseated_round,
    with_stored_players,
    write_seatings,
)
from tournaments.rounds.steps import check_shown
from tournaments.seating.selectors import meetings_between, rounds_title
from tournaments.seating.services.seating import (
    check_roster,
    lock_for_seating,
    plan_for,
    planned_round,
    request_for,
    roster_of,
    seat_by_standing,
    seatings_of_plan,
    sitters_by_key,
    store_change,
    store_drawing,
)

SUBSTITUTE_ACTS: Final = {
    "seating-changes:substitute": "substitute-entrant",
    "api-seating-substitute": "entrant",
}

HOUSE_PLAYER_KEY: Final = 0
# How everyone is seated anew: few players move, or all draw new seats.
FEWEST_MOVES, NEW_DRAW = "fewest_moves", "new_draw"
RESEATING_PLANS: Final = (
    (FEWEST_MOVES, "few players move"),
    (NEW_DRAW, "everyone draws new seats"),
)


@transaction.atomic
def swap(
    *,
    tournament: Tournament,
    number: int,
    one: Entrant,
    other: Entrant,
    made_by: str,
    page_state: ShownState | None = None,
) -> SeatingChange:
    """Swap two players in a round; one of them may have no seat in it.

    Refused once a hand is recorded at a table that either of them leaves or joins.
    """
    tournament = lock_for_seating(tournament, page_state)
    full_round = _open_round(tournament, number)
    if one == other:
        raise refuse("same_player", "Choose two different players.", "other")
    for entrant in (one, other):
        _check_plays(entrant, "other")
    swapped_keys = {one.pk, other.pk}
    tables = tuple(
        table
        for table in full_round.tables
        if swapped_keys & {sitter.entrant for sitter in table.seats}
    )
    if not tables:
        raise refuse("no_seat", f"Neither player has a seat in round {number}.", "other")
    old_round = replace(full_round, tables=tables, is_whole=False)
    _check_unplayed(_games_of(tournament, old_round))
    write_seatings(tournament, [_swap_entrants(old_round, one, other)])
    touch(tournament)
    description = f"{one.name} and {other.name} swapped places in round {number}"
    return store_change(tournament, description, [old_round], made_by)


def _open_round(tournament: Tournament, number: int) -> RoundSeating:
    rounds = tournament.rounds.filter(number=number)
    if not rounds.exclude(state=RoundState.CLOSED).exists():
        raise refuse("no_round", f"Round {number} is closed or does not exist.", "number")
    return round_seatings(rounds)[0]


def _check_plays(entrant: Entrant, field_name: str) -> None:
    if entrant.state != EntrantState.ENTERED:
        message = f"{entrant.name} is {entrant.get_state_display()}."
        raise refuse("does_not_play", message, field_name)


def _swap_entrants(old_round: RoundSeating, first: Entrant, second: Entrant) -> RoundSeating:
    """The places with the two swapped; a player without a seat sits out, substitutes move along."""
    current = {sitter.entrant: sitter for sitter in old_round.sitters}
    comes = {
        leaving.pk: current.get(joining.pk, sitter_of(joining))
        for leaving, joining in ((first, second), (second, first))
    }
    new_round = old_round.with_sitters(comes)
    outside = comes.keys() - {sitter.entrant for sitter in new_round.sitters}
    sitting_out = (*(pk for pk in old_round.sitting_out if pk not in comes), *outside)
    return replace(new_round, sitting_out=sitting_out)


def _games_of(tournament: Tournament, round_: RoundSeating) -> QuerySet[Game]:
    games = games_at(tournament, [round_.number])
    if round_.is_whole:
        return games
    return games.filter(tournament_table__number__in=[table.number for table in round_.tables])


def _check_unplayed(games: QuerySet[Game]) -> None:
    if has_hands(games):
        raise refuse(
            "hands_recorded",
            "A hand has been recorded at that table, so its seats cannot change. You can still "
            "add a substitute.",
        )


@transaction.atomic
def undo_change(*, tournament: Tournament, page_state: ShownState | None = None) -> SeatingChange:
    """Undo the last manual change; refused if it has been played since."""
    tournament = lock_for_seating(tournament, page_state)
    change = tournament.changes.filter(undone_at=None).first()
    if change is None:
        raise refuse("nothing_to_undo", "There is no seating change to undo.")
    old_rounds = [round_from_json(item) for item in change.before]
    for round_ in old_rounds:
        _open_round(tournament, round_.number)
        _check_unplayed(_games_of(tournament, round_))
        playing = tournament.rounds.filter(number=round_.number, state=RoundState.PLAYING)
        if not round_.tables and playing.exists():
            raise refuse(
                "round_open", f"Round {round_.number} has started, so its seating cannot change."
            )
    write_seatings(tournament, old_rounds)
    change.undone_at = timezone.now()
    change.save(update_fields=["undone_at"])
    if tournament.rounds.exists():
        touch(tournament)
    else:
        set_state(tournament, TournamentState.ENTERING)
    return change


@transaction.atomic
def set_substitute(
    *,
    tournament: Tournament,
    entrant: Entrant,
    name: str,
    number: int,
    goes_on: bool = True,
    from_hand: int | None = None,
    page_state: ShownState | None = None,
) -> int:
    """Set a substitute for an entrant in a round or, if it goes on, in all later ones.

    In the round that is played they play from that hand on, or without it from the table's next:
    whoever played the hands before keeps them. The results count for the entrant. No name: the
    entrant plays again. Closed rounds stay. Returns the number of rounds changed. Refused
    (``Overtaken``) if the seating is no longer as ``page_state``.
    """
    tournament = lock_tournament(tournament.pk)
    rounds = tournament.rounds.exclude(state=RoundState.CLOSED)
    rounds = rounds.filter(number__gte=number) if goes_on else rounds.filter(number=number)
    try:
        check_shown(tournament, page_state)
    except Overtaken as refused:
        raise _sits_already(tournament, rounds, entrant, name) or refused from refused
    if tidy_name(name):
        _check_substitute(rounds, entrant, name)
    seats = Placement.objects.filter(round__in=rounds, entrant=entrant)
    places = list(seats.select_related("entrant", "round", "seat"))
    if not places:
        raise refuse("no_seat", f"{entrant.name} has no seat from round {number} on.", "number")
    for place in places:
        hand = from_hand if place.round.number == number else None
        place.seat_from(_substitute_first_hand(place, hand), tidy_name(name))
    Placement.objects.bulk_update(places, ["capacity", "substitute", "earlier_sitters"])
    touch(tournament)
    return len(places)


def _substitute_first_hand(place: Placement, requested_hand: int | None) -> int:
    """The hand from which someone else has the seat: the wanted one, or the table's next."""
    following = place.seat.hands + 1
    if requested_hand is None:
        return following
    if requested_hand > following:
        message = (
            f"The next hand at that table is hand {following}. Enter that number or a smaller one."
        )
        raise refuse("no_such_hand", message, "from_hand")
    return requested_hand


def _check_substitute(rounds: QuerySet[Round], entrant: Entrant, name: str) -> None:
    if fault := name_fault(name):
        raise refuse("bad_name", fault, "name")
    places = (
        Placement.objects.filter(round__in=rounds)
        .exclude(entrant=entrant, capacity=Capacity.SUBSTITUTE)
        .select_related("entrant", "round")
        .order_by("round__number")
    )
    for place in places:
        if name_key(place.sitter) == name_key(name):
            message = f"{place.sitter} already has a seat in round {place.round.number}."
            raise refuse("has_a_seat", message, "name")


def _sits_already(
    tournament: Tournament, rounds: QuerySet[Round], entrant: Entrant, name: str
) -> Overtaken | None:
    """The refusal naming the entrant's current substitute, and who entered them."""
    seats = Placement.objects.filter(round__in=rounds, entrant=entrant).order_by("round__number")
    placements = seats.exclude(substitute="").values_list("substitute", "round__number")
    if not placements:
        return None
    sitter = placements[0][0]
    rounds_text = numbers_text(
        "round", [number for substitute, number in placements if substitute == sitter]
    )
    is_done = {key for key, _ in placements} == {tidy_name(name)} and len(placements) == len(seats)
    # Who last changed the entrant's substitute, on a page or over the API.
    lines = (
        last_entry(tournament.club, "tournament", tournament.pk, [act], **{key: entrant.pk})
        for act, key in SUBSTITUTE_ACTS.items()
    )
    last = max(filter(None, lines), key=lambda line: line.pk, default=None)
    author_text = f", entered by {last.actor} at {moment(last.at)}" if last else ""
    advice = "" if is_done else " Nothing was changed. Check it again before you continue."
    message = (
        f"{sitter} is already the substitute for {entrant.name} in "
        f"{rounds_text}{author_text}.{advice}"
    )
    return Overtaken(message, is_done=is_done)


@transaction.atomic
def take_over(
    *,
    tournament: Tournament,
    leaver: Entrant,
    newcomer: Entrant | None,
    made_by: str,
    page_state: ShownState | None = None,
) -> SeatingChange:
    """Give the newcomer every seat that the leaver still has, and their turns at sitting out.

    Without a newcomer a house player comes, if the tables need one. Closed rounds and tables with
    a hand stay as they are. Refused if the leaver still plays, or if the newcomer has a place in
    one of the rounds.
    """
    tournament = lock_for_seating(tournament, page_state)
    leaver = tournament.entrants.get(pk=leaver.pk)
    newcomer = tournament.entrants.get(pk=newcomer.pk) if newcomer else _house_player(tournament)
    if leaver.state == EntrantState.ENTERED and not leaver.is_house:
        message = f"{leaver.name} is still playing. Withdraw them on the entry list first."
        raise refuse("still_plays", message, "leaver")
    _check_plays(newcomer, "newcomer")
    old_rounds = [round_ for round_ in _open_seatings(tournament) if leaver.pk in places_of(round_)]
    if not old_rounds:
        raise refuse("no_seat", f"{leaver.name} has no seat in the remaining rounds.", "leaver")
    places = _places_now(tournament)
    if clashing_rounds := [
        round_.number for round_ in old_rounds if newcomer.pk in places[round_.number]
    ]:
        message = f"{newcomer.name} already has a place in round {clashing_rounds[0]}."
        raise refuse("has_a_seat", message, "newcomer")
    sitter = sitter_of(newcomer)
    write_seatings(
        tournament, [replace_entrants(round_, {leaver.pk: sitter}) for round_ in old_rounds]
    )
    touch(tournament)
    log_detail("newcomer", newcomer.pk)
    description = f"{newcomer.name} takes over the places of {leaver.name}"
    return store_change(tournament, description, old_rounds, made_by)


def _house_player(tournament: Tournament) -> Entrant:
    """The house player who takes a leaver's places, stored now; refused if none is needed.

    Others whom the tables need too come when they are called.
    """
    placed_keys = set[int]().union(*_places_now(tournament).values())
    house_count = sum(entrant.is_house for entrant in roster_of(tournament))
    for count, entrant in enumerate(house_players(tournament, house_count), start=1):
        if entrant.pk not in placed_keys:
            return call_house_players(tournament, count)[-1]
    raise refuse("no_house_player", "The tables need no other house player now.", "newcomer")


def places_of(round_: RoundSeating) -> set[int]:
    """Everyone who has a place in a round, seated or sitting out, by key."""
    return {sitter.entrant for sitter in round_.sitters} | {*round_.sitting_out}


def _places_now(tournament: Tournament) -> dict[int, set[int]]:
    """By its number, who has a place in each round that is not closed, at any of its tables."""
    rounds = tournament.rounds.filter(state__in=(RoundState.SEATED, RoundState.PLAYING))
    return {round_.number: places_of(round_) for round_ in round_seatings(rounds)}


def replace_entrants(round_: RoundSeating, comes: Mapping[int, Sitter]) -> RoundSeating:
    """The round with others in the places of leavers."""
    sitting_out = (comes[pk].entrant if pk in comes else pk for pk in round_.sitting_out)
    return replace(round_.with_sitters(comes), sitting_out=tuple(sitting_out))


def _open_seatings(tournament: Tournament) -> Iterator[RoundSeating]:
    """The rounds that have not begun, and the tables without a hand of the current one."""
    yield from round_seatings(tournament.rounds.filter(state=RoundState.SEATED))
    for round_ in round_seatings(tournament.rounds.filter(state=RoundState.PLAYING)):
        games = games_at(tournament, [round_.number])
        tables = tuple(
            table
            for table in round_.tables
            if not has_hands(games.filter(tournament_table__number=table.number))
        )
        if tables:
            yield replace(round_, tables=tables, is_whole=False)


@dataclass(frozen=True, order=True, slots=True)
class Cost:
    """The cost of a seating over all rounds, and how many waiting seats change.

    Lower is better, and what stands first counts most. couple_meetings, team_meetings: how often
    people meet who are to be seated apart. repeats: meetings beyond the first, over all pairs.
    winds: how often someone starts in one wind more often than necessary. returns: visits to a
    table beyond the first, over all players. uneven: the players whose winds are uneven.
    """

    couple_meetings: int
    team_meetings: int
    repeats: int
    move_count: int
    winds: int
    returns: int
    uneven: int

    @property
    def may_improve(self) -> bool:
        """Whether new seats for everyone could be better in what matters most."""
        return bool(self.couple_meetings or self.team_meetings or self.repeats or self.winds)

    def is_better_in_something(self, other: "Cost") -> bool:
        return (
            self.couple_meetings < other.couple_meetings
            or self.team_meetings < other.team_meetings
            or self.repeats < other.repeats
            or self.winds < other.winds
        )


@dataclass(frozen=True, slots=True)
class ReseatingChoice:
    """A way to seat the remaining rounds: a takeover, or all seated anew (both entrants None).

    new_cards: the names of those whose seats change. ``plan``: how all are seated anew.
    """

    cost: Cost
    new_cards: tuple[str, ...]
    leaver: Entrant | None = None
    newcomer: Entrant | None = None
    plan: str = ""
    is_best: bool = False

    @property
    def newcomer_key(self) -> int | None:
        """What the form and the API send: ``HOUSE_PLAYER_KEY`` for one who is not stored yet."""
        if self.newcomer is None:
            return None
        return HOUSE_PLAYER_KEY if is_future(self.newcomer) else self.newcomer.pk


@dataclass(frozen=True, slots=True)
class _Reseating:
    """The unstarted rounds, seated anew; `request` is None if the seats are kept."""

    plan: str
    begun_rounds: list[RoundSeating]
    roster: list[Entrant]
    numbers: range
    rounds: list[RoundSeating]
    request: Request | None
    cost: Cost


def reseat_rounds(
    *, tournament: Tournament, made_by: str, plan: str = "", page_state: ShownState | None = None
) -> SeatingChange:
    """Reseat the unstarted rounds for everyone who plays now.

    By that plan; without one as few seats change as can be, unless new seats for everyone make
    fewer people meet again. Closed and current rounds stay, and count in who has met whom;
    substitutes stay with their entrants. If only a round by standing waits, it is seated by the
    current standing.
    """
    tournament = Tournament.objects.get(pk=tournament.pk)
    started_rounds = round_seatings(tournament.rounds.exclude(state=RoundState.SEATED))
    numbers = range(len(started_rounds) + 1, tournament.drawn_rounds + 1)
    waiting = tournament.rounds.filter(state=RoundState.SEATED)
    if not numbers and waiting.exists():
        return seat_by_standing(tournament=tournament, made_by=made_by, page_state=page_state)
    reseating = min(_reseatings(tournament, plan), key=attrgetter("cost"))
    with transaction.atomic():
        tournament = lock_for_seating(tournament, page_state)
        if tournament.rounds.exclude(state=RoundState.SEATED).count() != len(
            reseating.begun_rounds
        ):
            raise refuse("rounds_changed", "A round has just started. Try again.")
        check_roster(tournament, reseating.roster)
        old_rounds = round_seatings(waiting)
        new_rounds = with_stored_players(tournament, reseating.roster, reseating.rounds)
        rounds = keep_substitutes(tournament, new_rounds, old_rounds)
        write_seatings(tournament, [*rounds, *_unseated_rounds(old_rounds, rounds)])
        if reseating.request:
            store_drawing(tournament, reseating.request, reseating.roster)
        touch(tournament)
        which = rounds_title(reseating.numbers[0], reseating.numbers[-1])
        players = sum(not entrant.is_house for entrant in reseating.roster)
        description = f"{which} reseated for {players} players"
        return store_change(
            tournament, description, [*old_rounds, *_unseated_rounds(rounds, old_rounds)], made_by
        )


def weigh_reseating(*, tournament: Tournament) -> tuple[ReseatingChoice, ...]:
    """The ways to fit the remaining rounds to the current players, each with its cost.

    Nothing is stored. First every newcomer for every leaver, then the plans for all, the best of
    them first. Refused if there is nothing to seat.
    """
    tournament = Tournament.objects.get(pk=tournament.pk)
    plans = sorted(_reseatings(tournament), key=attrgetter("cost"))
    old_rounds = round_seatings(tournament.rounds.filter(state=RoundState.SEATED))
    choices = list(_takeovers(tournament, plans[0]))
    for reseating in plans:
        names = _new_cards(reseating.roster, old_rounds, reseating.rounds)
        choices.append(ReseatingChoice(reseating.cost, names, plan=reseating.plan))
    best = min(choices, key=attrgetter("cost"))
    return tuple(replace(choice, is_best=choice is best) for choice in choices)


def _reseatings(tournament: Tournament, plan: str = "") -> list[_Reseating]:
    """The remaining rounds by that plan; without one by each that is the best in something."""
    started_rounds = round_seatings(tournament.rounds.exclude(state=RoundState.SEATED))
    numbers = range(len(started_rounds) + 1, tournament.drawn_rounds + 1)
    if tournament.state == TournamentState.ENTERING or not numbers:
        raise refuse("no_round", "Every round has started, so there is nothing left to reseat.")
    roster = roster_of(tournament)
    old_rounds = round_seatings(
        tournament.rounds.filter(state=RoundState.SEATED, number__in=numbers)
    )
    request = request_for(tournament, roster, rounds=len(numbers), started_rounds=started_rounds)
    plans: list[_Reseating] = []
    if plan != NEW_DRAW and [round_.number for round_ in old_rounds] == [*numbers]:
        fewest = amend_rounds(request, [planned_round(round_) for round_ in old_rounds])
        if fewest:
            rounds = seatings_of_plan(fewest, sitters_by_key(roster))
            cost = _cost(tournament, started_rounds, old_rounds, rounds)
            plans.append(
                _Reseating(FEWEST_MOVES, started_rounds, roster, numbers, rounds, None, cost)
            )
    if not plans or (not plan and plans[0].cost.may_improve):
        drawn_rounds = seatings_of_plan(plan_for(request), sitters_by_key(roster))
        cost = _cost(tournament, started_rounds, old_rounds, drawn_rounds)
        if not plans or cost.is_better_in_something(plans[0].cost):
            plans.append(
                _Reseating(NEW_DRAW, started_rounds, roster, numbers, drawn_rounds, request, cost)
            )
    return plans


def _new_cards(
    roster: Sequence[Entrant],
    old_rounds: Sequence[RoundSeating],
    new_rounds: Sequence[RoundSeating],
) -> tuple[str, ...]:
    """The names of those who sit elsewhere than before in some round, or no longer sit in one."""
    seats: list[dict[int, set[tuple[int, int, int]]]] = []
    for rounds in (old_rounds, new_rounds):
        seats.append(defaultdict(set))
        for number, table, seat, entrant in (s for round_ in rounds for s in _seat_keys(round_)):
            seats[-1][entrant].add((number, table, seat))
    old_seats, now = seats
    return tuple(player.name for player in roster if old_seats[player.pk] != now[player.pk])


def _takeovers(tournament: Tournament, reseating: _Reseating) -> Iterator[ReseatingChoice]:
    """Every combination of a newcomer and a leaver."""
    old_rounds = round_seatings(tournament.rounds.filter(state=RoundState.SEATED))
    placed_keys = {pk for round_ in old_rounds for pk in places_of(round_)}
    roster_keys = {entrant.pk for entrant in reseating.roster}
    entrants = {entrant.pk: entrant for entrant in tournament.entrants.all()}
    future = [entrant for entrant in reseating.roster if is_future(entrant)]
    for newcomer in reseating.roster:
        # House players who are not stored yet are all alike.
        if newcomer.pk in placed_keys or newcomer in future[1:]:
            continue
        for leaver in sorted(placed_keys - roster_keys):
            new_rounds = [
                replace_entrants(round_, {leaver: sitter_of(newcomer)}) for round_ in old_rounds
            ]
            cost = _cost(tournament, reseating.begun_rounds, old_rounds, new_rounds)
            yield ReseatingChoice(cost, (newcomer.name,), entrants[leaver], newcomer)


def _cost(
    tournament: Tournament,
    started_rounds: Sequence[RoundSeating],
    old_rounds: Sequence[RoundSeating],
    new_rounds: Sequence[RoundSeating],
) -> Cost:
    rounds = [planned_round(round_) for round_ in (*started_rounds, *new_rounds)]
    players = sorted({name for round_ in rounds for name in players_in_round(round_)})
    entrants = [entrant for entrant in tournament.entrants.all() if str(entrant.pk) in players]
    teams = {str(entrant.pk): entrant.team for entrant in entrants if entrant.team}
    report = review_rounds(rounds, players, teams=teams).report
    couple_keys = [
        (str(first_entrant.pk), str(second_entrant.pk))
        for first_entrant, second_entrant in couples(entrants)
    ]
    counts = {seat for round_ in old_rounds for seat in _seat_keys(round_)}
    move_count = sum(seat not in counts for round_ in new_rounds for seat in _seat_keys(round_))
    return Cost(
        couple_meetings=meetings_between(rounds, couple_keys),
        team_meetings=report.team_meetings,
        repeats=report.repeated_meetings,
        move_count=move_count,
        winds=report.wind_imbalance,
        returns=report.table_revisits,
        uneven=sum(wind_imbalance(counts) > 0 for counts in winds_of(rounds).values()),
    )


def _seat_keys(round_: RoundSeating) -> Iterator[tuple[int, int, int, int]]:
    """Every seat: round, table, seat, entrant."""
    for table in round_.tables:
        for number, sitter in enumerate(table.seats):
            yield round_.number, table.number, number, sitter.entrant


def _unseated_rounds(
    rounds: Sequence[RoundSeating], other_rounds: Sequence[RoundSeating]
) -> Iterator[RoundSeating]:
    other_numbers = {round_.number for round_ in other_rounds}
    return (
        unseated_round(round_.number) for round_ in rounds if round_.number not in other_numbers
    )
