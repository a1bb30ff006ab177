"""The steps and the laws of an evening, for the walks by the services and by the pages."""

from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from datetime import date, timedelta
from functools import partial
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from clubs.evenings.selectors.door import attendances_of
from clubs.evenings.selectors.evenings import result_of
from clubs.evenings.selectors.floor import players_waiting
from clubs.evenings.selectors.seating import seating_memory
from clubs.league.selectors.seasons import league_table
from clubs.models import Alias, Role, Season, SessionTable
from clubs.models.names import name_key
from scoring.scorebook.models import Hand as StoredHand
from scoring.scorebook.selectors import progress
from tests.clubs.nights import make_season
from tests.people import make_club, make_player, make_user
from tests.walks.laws import (
    AS_TOLD,
    BROUGHT_BACK,
    LEAGUE,
    NEXT_HAND,
    NOBODY_TWICE,
    RESULTS,
    TO_NOTHING,
    WHO_MET,
    check_chains,
    check_erased,
    check_recount,
    everything_undone,
    law,
    step_in_both,
)
from tests.walks.notebook import (
    FORMER,
    PLAYING,
    SIZES,
    WINDS,
    Hand,
    Night,
    Result,
    Sitting,
    Winds,
    league_of,
    may_merge,
    met_before,
    rename,
)
from tests.walks.services import ByServices

FIRST_TUESDAY: Final = date(2026, 9, 1)
WEEK: Final = timedelta(weeks=1)
MOST_NIGHTS: Final = 3
NAMES: Final = (
    *("Ann Abbott", "Ben Brown", "Cy Clark", "Di Dyer", "Ed Ellis"),
    *("Flo Frost", "Gus Grey", "Hal Hobbs", "Ida Irwin", "Jo Jones"),
)
MOST_ERASED: Final = 2
FEWEST: Final = 8  # on the list, those who were erased among them
WON: Final = st.sampled_from([56, 104, 208, 1000])
LOST: Final = st.sampled_from([0, 4, 8, 26, 78])
DATA: Final = st.data()
GOES_HOME: Final = st.booleans()
MEANWHILE: Final = ("every_table_plays_a_hand", "somebody_comes", "somebody_is_erased")


def names_of(name: str) -> tuple[str, str, str]:
    """The whole name, the surname, and the other name on the list: Ann Abbott, Abbott, Anny."""
    first, last = name.split()
    return name, last, f"{first}y"


def has_hands(walk: "Evenings") -> bool:
    return walk.night.hands > 0


def has_tables(walk: "Evenings") -> bool:
    return bool(walk.night.tables)


class Evenings(RuleBasedStateMachine):
    """A club's evening, in the notebook and in Tongbox; ``desk_class``: by its doors."""

    desk_class: type[ByServices] = ByServices

    def __init__(self) -> None:
        super().__init__()
        self.undone = everything_undone()
        self.undone.__enter__()
        club = make_club()
        for name in NAMES:
            _, last, nickname = names_of(name)
            player = make_player(club, name, email=f"{last}@example.org", phone="01225 123456")
            key = name_key(nickname)
            Alias.objects.create(club=club, player=player, name=nickname, name_key=key)
        make_season(club)
        self.desk = self.desk_class(club, make_user(club, "Alice", Role.SECRETARY))
        self.nights: list[Night] = []
        self.people, self.erased_names = [*NAMES], list[str]()
        self.duplicates: dict[str, list[str]] = {}
        self.has_changed = True

    def teardown(self) -> None:
        try:
            check_recount()
        finally:
            self.undone.__exit__(None, None, None)

    def step(self, name: str, *details: Any, **options: Any) -> bool:
        """The step of this name in the notebook and in Tongbox; returns whether it was taken."""
        is_taken = step_in_both(
            lambda: getattr(self.night, name)(*details, **options),
            lambda: getattr(self.desk, name)(*details, **options),
        )
        self.has_changed |= is_taken
        return is_taken

    # What a step is about: most of the time something that can be, sometimes anything.

    def draw_person(self, data: st.DataObject, likely: Sequence[str], label: str) -> str:
        return data.draw(st.sampled_from([*likely, *likely, *likely, *self.people]), label=label)

    def some_table(self, data: st.DataObject) -> int:
        return data.draw(st.sampled_from(sorted(self.night.tables)), label="table")

    def some_hand(self, data: st.DataObject) -> tuple[int, int, int]:
        """A table's number, the place of a sitting there, and that of a hand of it."""
        hands = [
            (number, sitting_index, place)
            for number, table in sorted(self.night.tables.items())
            for sitting_index, sitting in enumerate(table.sittings)
            for place in range(len(sitting.hands))
        ]
        return data.draw(st.sampled_from(hands), label="table, sitting and hand")

    @staticmethod
    def some_outcome(data: st.DataObject, winds: Winds) -> Hand:
        winner = data.draw(st.sampled_from([None, *winds.players, *winds.players]), label="winner")
        if winner is None:
            return Hand(None, {})
        strategies = {name: WON if name == winner else LOST for name in winds.players}
        return Hand(winner, data.draw(st.fixed_dictionaries(strategies), label="scores"))

    # The door.

    @property
    def night(self) -> Night:
        """The evening of today, which is the last."""
        return self.nights[-1]

    @initialize(data=DATA, hands=st.integers(0, 3))
    def an_evening_begins(self, data: st.DataObject, hands: int) -> None:
        today = FIRST_TUESDAY + len(self.nights) * WEEK
        self.desk.open(today)
        self.nights.append(Night(today))
        members = [name for name in self.people if not name.startswith(FORMER)]
        first = max(len(members) - 8, 0) if len(self.nights) % 2 == 0 else 0
        for name in members[first : first + 8]:
            self.step("check_in", name)
        self.seat_everyone()
        for _ in range(hands):
            self.a_hand_is_entered(data)

    @rule(data=DATA)
    def somebody_comes(self, data: st.DataObject) -> None:
        absent_people = [name for name in self.people if name not in self.night.attendance]
        self.step("check_in", self.draw_person(data, absent_people, "who"))

    @rule(data=DATA)
    def somebody_goes_home(self, data: st.DataObject) -> None:
        self.step("check_out", self.draw_person(data, self.night.queue, "who"))

    # The tables.

    @precondition(lambda walk: len(walk.night.attendance) >= len("ESW"))
    @rule()
    def seat_everyone(self) -> None:
        if step_in_both(self.night.may_seat, self.desk.draw_tables):
            self.night.seat(self.desk.drawing())
            self.has_changed = True

    @precondition(has_tables)
    @rule()
    def clear_the_tables(self) -> None:
        self.step("clear")

    @precondition(has_tables)
    @rule(data=DATA)
    def a_late_arrival_joins(self, data: st.DataObject) -> None:
        name, number = self.draw_person(data, self.night.queue, "who"), self.some_table(data)
        # Of two who came since the last hand either may have a chair that became free.
        if None not in self.night.tables[number].chairs.values():
            self.step("join", name, number)

    @precondition(has_tables)
    @rule(data=DATA, goes_home=GOES_HOME)
    def a_substitute_takes_over(self, data: st.DataObject, goes_home: bool) -> None:
        leaver = self.draw_person(data, sorted(self.night.places), "leaver")
        newcomer = self.draw_person(data, self.night.queue, "substitute")
        self.step("take_over", leaver, newcomer, goes_home=goes_home)

    @precondition(has_tables)
    @rule(data=DATA, goes_home=GOES_HOME)
    def somebody_leaves_a_table(self, data: st.DataObject, goes_home: bool) -> None:
        leaver = self.draw_person(data, sorted(self.night.places), "leaver")
        self.step("leave", leaver, goes_home=goes_home)

    @precondition(lambda walk: walk.between_tables())
    @rule(data=DATA)
    def somebody_changes_tables_and_an_undo_is_too_late(self, data: st.DataObject) -> None:
        leaver, number = data.draw(
            st.sampled_from(self.between_tables()), label="who, and where to"
        )
        table_before = self.night.places[leaver]
        if self.step("leave", leaver, goes_home=False) and self.step("join", leaver, number):
            self.step("undo_change", table_before)

    def between_tables(self) -> list[tuple[str, int]]:
        """Who has played a hand and could join another table, and which."""
        return [
            (player, number)
            for player, table_number in sorted(self.night.places.items())
            if self.night.tables[table_number].now.hands
            for number, table in sorted(self.night.tables.items())
            if number != table_number and not table.is_over and len(table.chairs) < max(SIZES)
        ]

    @precondition(has_tables)
    @rule(data=DATA, goes_home=GOES_HOME)
    def a_table_breaks_up(self, data: st.DataObject, goes_home: bool) -> None:
        leaver = self.draw_person(data, sorted(self.night.places), "leaver")
        self.step("end_table", leaver, goes_home=goes_home)

    @precondition(lambda walk: len(walk.night.queue) >= len("ESW"))
    @rule(data=DATA)
    def those_who_wait_make_a_table(self, data: st.DataObject) -> None:
        queue = data.draw(st.permutations(self.night.queue), label="order")
        self.step("lay_another", tuple(queue[: data.draw(st.integers(3, 5), label="size")]))

    @precondition(has_tables)
    @rule(data=DATA)
    def a_change_of_people_is_undone(self, data: st.DataObject) -> None:
        self.step("undo_change", self.some_table(data))

    @precondition(has_tables)
    @rule(data=DATA, goes_home=GOES_HOME, how=st.sampled_from(["leave", "end_table", "take_over"]))
    def people_change_and_it_is_undone(
        self, data: st.DataObject, goes_home: bool, how: str
    ) -> None:
        leaver = self.draw_person(data, sorted(self.night.places), "leaver")
        people = [leaver]
        if how == "take_over":
            people.append(self.draw_person(data, self.night.queue, "substitute"))
        number = self.night.places.get(leaver, 0)
        # Two changes without a hand between them are undone together.
        is_one = number and (self.night.tables[number].now.hands or how == "end_table")
        night_before, picture = deepcopy(self.night), self.desk.picture()
        if self.step(how, *people, goes_home=goes_home):
            self.the_laws_hold()
            if self.step("undo_change", number) and is_one:
                self.is_brought_back(night_before, picture)

    def is_brought_back(self, night_before: Night, picture: object) -> None:
        self.nights[-1] = night_before
        self.has_changed = True
        self.the_laws_hold()
        with law(BROUGHT_BACK):
            assert self.desk.picture() == picture

    # The hands.

    @precondition(has_tables)
    @rule(data=DATA)
    def a_hand_is_entered_and_undone(self, data: st.DataObject) -> None:
        number = self.some_table(data)
        sitting = self.night.tables[number].now
        hand = self.some_outcome(data, sitting.next)
        night_before, picture = deepcopy(self.night), self.desk.picture()
        sitting_index, place = len(self.night.tables[number].sittings) - 1, len(sitting.hands)
        if self.step("enter", number, hand, sent_by=None):
            self.the_laws_hold()
            if self.step("undo_hand", number, sitting_index, place):
                self.is_brought_back(night_before, picture)

    @precondition(has_tables)
    @rule(data=DATA)
    def a_hand_is_entered(self, data: st.DataObject) -> None:
        number = self.some_table(data)
        winds = self.night.tables[number].now.next
        hand = self.some_outcome(data, winds)
        sent_by = data.draw(st.sampled_from([None, *winds.ring]), label="sent by")
        self.step("enter", number, hand, sent_by=sent_by)

    @precondition(has_tables)
    @rule(data=DATA)
    def every_table_plays_a_hand(self, data: st.DataObject) -> None:
        for number, table in sorted(self.night.tables.items()):
            if not table.is_over:
                hand = self.some_outcome(data, table.now.next)
                self.step("enter", number, hand, sent_by=None)

    @precondition(has_hands)
    @rule(data=DATA)
    def a_hand_is_undone(self, data: st.DataObject) -> None:
        number, sitting_index, place = self.some_hand(data)
        sitting = self.night.tables[number].sittings[sitting_index]
        last = data.draw(st.sampled_from([len(sitting.hands) - 1, place]), label="which")
        self.step("undo_hand", number, sitting_index, last)

    @precondition(has_hands)
    @rule(data=DATA)
    def the_scorer_corrects_a_hand(self, data: st.DataObject) -> None:
        number, sitting_index, place = self.some_hand(data)
        winds = self.night.tables[number].sittings[sitting_index].winds()[place]
        self.step("correct", number, sitting_index, place, self.some_outcome(data, winds))

    @precondition(has_hands)
    @rule(data=DATA)
    def somebody_disputes_a_hand(self, data: st.DataObject) -> None:
        number, sitting_index, place = self.some_hand(data)
        ring = self.night.tables[number].sittings[sitting_index].begins.ring
        name = data.draw(st.sampled_from(ring), label="who")
        self.step("say", number, sitting_index, place, [name], agrees=False)

    @precondition(has_hands)
    @rule(data=DATA, everyone=st.booleans())
    def players_agree_to_a_hand(self, data: st.DataObject, everyone: bool) -> None:
        number, sitting_index, place = self.some_hand(data)
        winds = self.night.tables[number].sittings[sitting_index].winds()[place]
        names = winds.players if everyone else [data.draw(st.sampled_from(winds.ring))]
        self.step("say", number, sitting_index, place, names, agrees=True)

    @precondition(has_hands)
    @rule(data=DATA)
    def the_scorer_decides_a_hand(self, data: st.DataObject) -> None:
        self.step("decide", *self.some_hand(data))

    # The end.

    @precondition(has_hands)
    @rule(data=DATA)
    def the_evening_is_finished_and_reopened(self, data: st.DataObject) -> None:
        night_before, picture = deepcopy(self.night), self.desk.picture()
        if self.step("finish"):
            self.the_laws_hold()
            self.a_hand_is_entered(data)
            self.the_scorer_corrects_a_hand(data)
            self.step("reopen")
            if night_before.state == PLAYING:
                self.is_brought_back(night_before, picture)

    @precondition(has_hands)
    @rule(data=DATA)
    def the_evening_is_cancelled_and_restored(self, data: st.DataObject) -> None:
        night_before, picture = deepcopy(self.night), self.desk.picture()
        self.step("cancel")
        self.the_laws_hold()
        self.somebody_comes(data)
        self.a_hand_is_undone(data)
        self.step("restore")
        self.is_brought_back(night_before, picture)

    @precondition(lambda walk: has_hands(walk) and len(walk.nights) < MOST_NIGHTS)
    @rule(data=DATA, hands=st.integers(0, 3), ends=st.sampled_from(["finish", "cancel", ""]))
    def the_next_evening_begins(self, data: st.DataObject, hands: int, ends: str) -> None:
        if ends:
            self.step(ends)
        self.an_evening_begins(data, hands)

    # The members' list.

    @precondition(lambda walk: len(walk.erased_names) < MOST_ERASED)
    @rule(data=DATA)
    def somebody_is_erased(self, data: st.DataObject) -> None:
        members = [name for name in self.people if not name.startswith(FORMER)]
        name = data.draw(st.sampled_from(members), label="who")
        former = FORMER if not self.erased_names else f"{FORMER} {len(self.erased_names) + 1}"
        self.desk.erase(name)
        rename(self.nights, {name: former})
        self.people[self.people.index(name)] = former
        # With somebody go the records that were merged into theirs.
        self.erased_names += [name, *self.duplicates.pop(name, [])]
        self.has_changed = True

    @rule(data=DATA, is_for_good=st.booleans())
    def two_records_are_merged(self, data: st.DataObject, is_for_good: bool) -> None:
        pair = st.permutations(self.people).map(lambda names: names[:2])
        person, duplicate = data.draw(pair, label="person and duplicate")
        nights_before, picture = deepcopy(self.nights), self.desk.picture()
        may_be = partial(may_merge, self.nights, person, duplicate)
        if step_in_both(may_be, lambda: self.desk.merge(person, duplicate)):
            rename(self.nights, {duplicate: person})
            self.has_changed = True
            if is_for_good and len(self.people) > FEWEST:
                self.people.remove(duplicate)
                names = [*self.duplicates.get(person, []), duplicate]
                self.duplicates[person] = [*names, *self.duplicates.pop(duplicate, [])]
                return
            self.the_laws_hold()
            self.desk.undo_merge()
            self.nights = nights_before
            self.is_brought_back(self.night, picture)

    @rule()
    def the_club_moves(self) -> None:
        """It goes on from its file, on another computer."""
        self.desk.move_away()
        self.has_changed = True

    @rule(data=DATA, meanwhile=st.sampled_from(MEANWHILE))
    def the_club_is_restored_from_its_file(self, data: st.DataObject, meanwhile: str) -> None:
        """What was entered, erased or finished since the file was made never happened."""
        state_before = deepcopy((self.nights, self.people, self.erased_names, self.duplicates))
        file, contents = self.desk.club_file(), self.desk.contents()
        getattr(self, meanwhile)(data)
        self.the_laws_hold()
        self.nights, self.people, self.erased_names, self.duplicates = state_before
        self.desk.restore_from(file, self.night.held_on)
        with law(BROUGHT_BACK):
            assert self.desk.contents() == contents
        self.has_changed = True

    # The laws.

    @invariant()
    def the_laws_hold(self) -> None:
        """After a step that was taken; one that was refused has changed nothing."""
        if not self.has_changed:
            return
        self.has_changed = False
        self.everyone_is_where_they_should_be_and_nobody_sits_twice()
        for number, table in self.night.tables.items():
            for sitting_index, sitting in enumerate(table.sittings):
                check_sitting(self.desk.sitting(number, sitting_index), sitting, self.desk)
        self.the_result_follows_from_the_hands()
        self.seating_remembers_who_met()
        self.the_league_follows_from_the_hands()
        check_chains()
        if self.erased_names:
            check_erased([word for name in self.erased_names for word in names_of(name)])

    def seating_remembers_who_met(self) -> None:
        names = {str(pk): name for pk, name in self.desk.club.players.values_list("pk", "name")}
        met_pairs = {
            frozenset(names[key] for key in pair): days
            for pair, days in seating_memory(self.desk.session).meeting_dates.items()
        }
        with law(WHO_MET):
            assert met_pairs == met_before(self.nights, self.night.held_on)

    def the_league_follows_from_the_hands(self) -> None:
        rows = league_table(Season.objects.get(league__club=self.desk.club)).rows
        with law(LEAGUE):
            assert {row.name: (row.total, row.evenings_attended) for row in rows} == league_of(
                self.nights
            )
            assert [row.total for row in rows] == sorted((row.total for row in rows), reverse=True)

    def everyone_is_where_they_should_be_and_nobody_sits_twice(self) -> None:
        attendance = {row.player.name for row in attendances_of(self.desk.session)}
        queue = [player.name for player in players_waiting(self.desk.session)]
        current = self.desk.session.places.filter(is_current=True)
        places = list(current.values_list("player__name", "table__number"))
        with law(NOBODY_TWICE):
            assert attendance == self.night.attendance
            assert queue == self.night.queue
            assert len(places) == len(dict(places))
            assert dict(places) == self.night.places

    def the_result_follows_from_the_hands(self) -> None:
        result = {
            row.name: Result(row.points, row.hands, row.mahjongs, row.best_hand)
            for row in result_of(self.desk.session)
        }
        self.desk.session.refresh_from_db()
        with law(RESULTS):
            assert result == self.night.result()
            assert sum(row.points for row in result.values()) == 0
            assert self.desk.session.state == self.night.state


def check_sitting(table: SessionTable, sitting: Sitting, desk: ByServices) -> None:
    """Whether the book has the sitting's hands, and the winds of its next, as sitting."""
    seats = desk.seats(table)
    names = {seat: name for name, seat in seats.items()}
    hands = StoredHand.objects.filter(game=table.game, is_current=True).order_by("number")
    with law(TO_NOTHING):
        assert [sum(hand.gains.values()) for hand in hands] == [0] * len(hands)
    with law(AS_TOLD):
        assert seats.keys() == set(sitting.begins.ring)
        assert len(hands) == len(sitting.hands)
        for stored_hand, (hand, winds) in zip(hands, sitting.hands_and_winds(), strict=True):
            assert {names[seat]: gain for seat, gain in stored_hand.gains.items()} == hand.gains(
                winds
            )
            assert stored_hand.state == hand.state(winds)
            paid = [
                (names[payer], names[payee], points)
                for payer, payee, points in stored_hand.payments
            ]
            assert sorted(paid) == sorted(hand.payments(winds))
    totals = Counter(dict.fromkeys(seats, 0))
    for hand, winds in sitting.hands_and_winds():
        totals.update(hand.gains(winds))
    with law(RESULTS):
        stored_totals = table.game.seats.values_list("number", "points")
        assert {names[seat]: points for seat, points in stored_totals} == totals
    deal, winds = progress(table.game).deals[-1], sitting.next
    with law(NEXT_HAND):
        assert {names[seat]: wind.value for seat, wind in deal.winds.items()} == winds.letters
        assert deal.prevailing_wind == WINDS[winds.prevailing]
        assert deal.goulash == winds.goulash
