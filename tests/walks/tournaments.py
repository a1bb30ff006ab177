"""The steps and the laws of a tournament, for the walks by the services."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any, Final

from django.db.models import Sum
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from clubs.models.names import ORGANISER_READER, name_key
from scoring.scorebook.models import Hand as StoredHand
from tests.people import make_club, make_player
from tests.walks.clipboard import (
    ADJUSTMENT,
    CLOSED,
    FALSE_MAHJONG,
    MISNAMED_DISCARD,
    PAYS_FOR_ALL,
    PLAYING,
    TOO_MANY,
    Clipboard,
    Row,
    Ruling,
)
from tests.walks.director import Director
from tests.walks.laws import (
    APART,
    AS_TOLD,
    BROUGHT_BACK,
    ENTRIES,
    NOBODY_TWICE,
    RULINGS,
    STANDINGS,
    TO_NOTHING,
    Pace,
    check_chains,
    check_erased,
    check_recount,
    everything_undone,
    law,
    step_in_both,
)
from tests.walks.notebook import FORMER, Hand, Winds
from tournaments.models import Placement, Round
from tournaments.results.selectors.standings import standings_of

ROUNDS: Final = 2
HANDS: Final = 2
NAMES: Final = (
    *("Ann Abbott", "Ben Brown", "Cy Clark", "Di Dyer", "Ed Ellis"),
    *("Flo Frost", "Gus Grey", "Hal Hobbs", "Ida Irwin"),
)
CORRECTED: Final = {name: f"{name} Jr" for name in NAMES}
TEAMS: Final = ("", "", "Greens", "GREENS")
COUPLES: Final = ("Together", "together", "", "")
MOST_ERASED: Final = 2
WON: Final = st.sampled_from([56, 104, 208, 1000])
LOST: Final = st.sampled_from([0, 4, 8, 26, 78])
DATA: Final = st.data()
ONE_AND_BACK: Final = (("start", "unstart"), ("close", "reopen"), ("finish", "resume"))
At = tuple[int, int]
"""The numbers of a round and of one of its tables."""


def has_rounds(walk: "Tournaments") -> bool:
    return bool(walk.paper.rounds)


def has_hands(walk: "Tournaments") -> bool:
    return bool(
        walk.tables(
            lambda table_key: walk.paper.rounds[table_key[0]].tables[table_key[1]].hands > 0
        )
    )


def has_rulings(walk: "Tournaments") -> bool:
    return bool(
        walk.tables(
            lambda table_key: bool(walk.paper.rounds[table_key[0]].tables[table_key[1]].rulings)
        )
    )


def has_begun(walk: "Tournaments") -> bool:
    return bool(walk.tables_begun())


class Tournaments(RuleBasedStateMachine):
    """A tournament of two rounds, on the clipboard and in Tongbox; ``desk_class``: by its doors."""

    desk_class: type[Director] = Director

    def __init__(self) -> None:
        super().__init__()
        self.undone = everything_undone()
        self.undone.__enter__()
        self.has_changed = True
        self.erased_names: list[str] = []

    def teardown(self) -> None:
        try:
            check_recount()
        finally:
            self.undone.__exit__(None, None, None)

    def step(self, name: str, *details: Any) -> bool:
        """The step of this name on the clipboard and in Tongbox; returns whether it was taken."""
        is_taken = step_in_both(
            lambda: getattr(self.paper, name)(*details), lambda: getattr(self.desk, name)(*details)
        )
        self.has_changed |= is_taken
        return is_taken

    # What a step is about: most of the time something that can be, sometimes anything.

    def tables(self, which: Callable[[At], bool]) -> list[At]:
        return [
            (number, table_number)
            for number, round_ in sorted(self.paper.rounds.items())
            for table_number in sorted(round_.tables)
            if which((number, table_number))
        ]

    def tables_begun(self) -> list[At]:
        return self.tables(
            lambda table_key: self.paper.rounds[table_key[0]].state in {PLAYING, CLOSED}
        )

    def tables_in_play(self) -> list[At]:
        return self.tables(lambda table_key: self.paper.rounds[table_key[0]].state == PLAYING)

    def some_table(self, data: st.DataObject) -> At:
        current = self.tables_in_play()
        return data.draw(st.sampled_from([*self.tables_begun(), *current, *current]), label="table")

    def some_hand(self, data: st.DataObject) -> tuple[int, int, int]:
        """The numbers of round and table, and the place of a hand there."""
        hands = [
            (number, table_number, place)
            for number, table_number in self.tables_begun()
            for place in range(self.paper.rounds[number].tables[table_number].hands)
        ]
        return data.draw(st.sampled_from(hands), label="round, table and hand")

    def draw_person(self, data: st.DataObject, likely: Sequence[str], label: str) -> str:
        """Somebody on the entry list; house players are there too."""
        all_names = [*self.paper.entrants, *self.paper.houses]
        return data.draw(st.sampled_from([*likely, *likely, *all_names]), label=label)

    @staticmethod
    def some_outcome(data: st.DataObject, winds: Winds) -> Hand:
        winner = data.draw(st.sampled_from([None, *winds.players, *winds.players]), label="winner")
        if winner is None:
            return Hand(None, {})
        strategies = {name: WON if name == winner else LOST for name in winds.players}
        return Hand(winner, data.draw(st.fixed_dictionaries(strategies), label="scores"))

    # The entries.

    @initialize(data=DATA, entrants=st.integers(7, 8), rounds=st.integers(0, 1))
    def a_tournament_begins(self, data: st.DataObject, entrants: int, rounds: int) -> None:
        club = make_club()
        for name in NAMES:
            make_player(club, name, email=f"{name.split()[1]}@example.org")
        people = NAMES[:entrants]
        self.desk = self.desk_class(club, people, rounds=ROUNDS, hands=HANDS)
        self.paper = Clipboard(ROUNDS, HANDS)
        for name in people:
            self.paper.enter(name)
        if data.draw(st.booleans(), label="two are a couple, and two a team"):
            # Any two: with equal entries the same people are drawn to one table in every walk.
            four = data.draw(st.permutations(people).map(lambda names: names[:4]), label="who")
            for name, team, couple in zip(four, TEAMS, COUPLES, strict=True):
                self.step("correct_entry", name, name, team, couple)
        self.the_rounds_are_seated()
        for _ in range(rounds):
            self.a_round_is_played(data)
        self.step("start")

    @rule(data=DATA)
    def somebody_enters(self, data: st.DataObject) -> None:
        names = [name for name in (*NAMES, *CORRECTED.values()) if not self.names_erased(name)]
        absent_names = [name for name in names if name not in self.paper.entrants]
        self.step(
            "enter", data.draw(st.sampled_from([*absent_names, *absent_names, *names]), label="who")
        )

    @rule(data=DATA)
    def somebody_withdraws(self, data: st.DataObject) -> None:
        self.step("withdraw", self.draw_person(data, self.paper.players, "who"))

    @precondition(lambda walk: walk.paper.entrants)
    @rule(data=DATA)
    def somebody_comes_back(self, data: st.DataObject) -> None:
        leavers = [name for name in self.paper.entrants if name not in self.paper.players]
        name = data.draw(st.sampled_from([*leavers, *leavers, *self.paper.entrants]), label="who")
        self.step("readmit", name)

    def names_erased(self, name: str) -> bool:
        return any(name.startswith(former) for former in self.erased_names)

    @precondition(lambda walk: walk.paper.entrants)
    @rule(data=DATA)
    def an_entry_is_corrected(self, data: st.DataObject) -> None:
        name = self.draw_person(data, [*self.paper.entrants], "who")
        names = [
            other_name
            for other_name in (*NAMES, *CORRECTED.values())
            if not self.names_erased(other_name)
        ]
        likely = [name, name, CORRECTED.get(name, name)]
        right = data.draw(st.sampled_from([*likely, *names]), label="right")
        team = data.draw(st.sampled_from(["", "Greens", "GREENS"]), label="team")
        couple = data.draw(st.sampled_from(["", "Together", "together"]), label="couple")
        self.step("correct_entry", name, right, team, couple)

    @precondition(lambda walk: len(walk.erased_names) < MOST_ERASED)
    @rule(data=DATA)
    def somebody_is_erased(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from([*NAMES]), label="who")
        if name in self.erased_names or CORRECTED[name] in self.paper.entrants:
            return
        self.desk.erase(name)
        former = FORMER if not self.erased_names else f"{FORMER} {len(self.erased_names) + 1}"
        self.paper.rename(name, former)
        self.erased_names.append(name)
        self.has_changed = True

    @rule()
    def the_club_moves(self) -> None:
        """It goes on from its file, on another computer."""
        self.desk.move_away()
        self.has_changed = True

    # The seating.

    @rule()
    def the_rounds_are_seated(self) -> None:
        if step_in_both(self.paper.may_seat, self.desk.seat):
            self.paper.rounds.clear()
            self.the_drawing_is_noted()

    @rule()
    def the_remaining_rounds_are_reseated(self) -> None:
        if step_in_both(self.paper.may_reseat, self.desk.reseat):
            self.the_drawing_is_noted()

    def the_drawing_is_noted(self) -> None:
        drawing = self.desk.drawing()
        self.paper.draw(drawing)
        self.has_changed = True
        tables = [{*ring} for rings in drawing.values() for ring in rings.values()]
        with law(APART):
            assert not [
                pair for pair in self.paper.pairs_apart() for ring in tables if ring >= {*pair}
            ]

    @rule()
    def the_seating_is_cleared(self) -> None:
        self.step("clear")

    @precondition(has_rounds)
    @rule(data=DATA)
    def two_are_swapped(self, data: st.DataObject) -> None:
        number = data.draw(st.sampled_from([*self.paper.rounds, 9]), label="round")
        player = self.draw_person(data, self.paper.players, "one")
        self.step("swap", number, player, self.draw_person(data, self.paper.players, "other"))

    @precondition(has_rounds)
    @rule(data=DATA)
    def somebody_takes_over(self, data: st.DataObject) -> None:
        leavers = [name for name in self.paper.entrants if name not in self.paper.players]
        unseated_players = [name for name in self.paper.players if not self.paper.has_place(name)]
        leaver = self.draw_person(data, leavers, "leaver")
        newcomer = data.draw(
            st.sampled_from(["", "", *unseated_players, *NAMES[:2]]), label="newcomer"
        )
        if not newcomer or newcomer in self.paper.entrants:
            self.step("take_over", leaver, newcomer)

    @precondition(has_rounds)
    @rule(data=DATA)
    def somebody_withdraws_and_the_house_takes_over(self, data: st.DataObject) -> None:
        player = self.draw_person(data, self.paper.players, "who")
        self.step("withdraw", player)
        if self.paper.entrants:
            self.step("take_over", self.draw_person(data, [*self.paper.entrants], "leaver"), "")

    # The rounds.

    @rule()
    def a_round_is_started(self) -> None:
        self.step("start")

    @rule()
    def the_start_is_undone(self) -> None:
        self.step("unstart")

    @rule()
    def the_round_is_closed(self) -> None:
        self.step("close")

    @rule()
    def the_last_round_is_reopened(self) -> None:
        self.step("reopen")

    @rule(data=DATA)
    def a_round_is_played(self, data: st.DataObject) -> None:
        if not self.tables_in_play():
            self.step("start")
        for number, table_number in self.tables_in_play():
            table = self.paper.rounds[number].tables[table_number]
            while table.hands < HANDS:
                hand = self.some_outcome(data, table.sitting.next)
                self.step("play", number, table_number, hand)
        self.step("close")

    @rule()
    def the_tournament_is_finished(self) -> None:
        self.step("finish")

    @rule()
    def the_tournament_is_reopened(self) -> None:
        self.step("resume")

    @precondition(has_begun)
    @rule(data=DATA, step=st.sampled_from(["stop", "play_on"]))
    def a_table_stops_or_plays_on(self, data: st.DataObject, step: str) -> None:
        self.step(step, *self.some_table(data))

    # The hands and the rulings.

    @precondition(has_begun)
    @rule(data=DATA)
    def a_hand_is_entered(self, data: st.DataObject) -> None:
        number, table_number = self.some_table(data)
        winds = self.paper.rounds[number].tables[table_number].sitting.next
        self.step("play", number, table_number, self.some_outcome(data, winds))

    @precondition(has_hands)
    @rule(data=DATA)
    def a_hand_is_undone(self, data: st.DataObject) -> None:
        self.step("undo_hand", *self.some_hand(data))

    @precondition(has_hands)
    @rule(data=DATA)
    def a_hand_is_corrected(self, data: st.DataObject) -> None:
        number, table_number, place = self.some_hand(data)
        winds = self.paper.rounds[number].tables[table_number].sitting.winds()[place]
        self.step("correct", number, table_number, place, self.some_outcome(data, winds))

    @precondition(has_begun)
    @rule(data=DATA)
    def a_penalty_is_given(self, data: st.DataObject) -> None:
        number, table_number = self.some_table(data)
        people = st.sampled_from(self.paper.rounds[number].tables[table_number].people)
        kind = data.draw(st.sampled_from([FALSE_MAHJONG, TOO_MANY, MISNAMED_DISCARD]), label="what")
        claimant = data.draw(people, label="claimant") if kind == MISNAMED_DISCARD else ""
        hand = data.draw(st.sampled_from([None, 1, 1, 2, 3]), label="hand")
        player = data.draw(people, label="who")
        self.step("rule", number, table_number, Ruling(kind, player, hand, claimant=claimant))

    @precondition(has_hands)
    @rule(data=DATA)
    def somebody_pays_for_all(self, data: st.DataObject) -> None:
        number, table_number, place = self.some_hand(data)
        people = self.paper.rounds[number].tables[table_number].people
        player = data.draw(st.sampled_from(people), label="who")
        kind = data.draw(st.sampled_from(PAYS_FOR_ALL), label="what")
        self.step("rule", number, table_number, Ruling(kind, player, place + 1))

    @precondition(has_hands)
    @rule(data=DATA)
    def somebody_pays_for_all_and_the_hand_changes(self, data: st.DataObject) -> None:
        number, table_number, place = self.some_hand(data)
        sitting = self.paper.rounds[number].tables[table_number].sitting
        player = data.draw(st.sampled_from(sitting.begins.ring), label="who")
        self.step("rule", number, table_number, Ruling(PAYS_FOR_ALL[0], player, place + 1))
        right = self.some_outcome(data, sitting.winds()[place])
        self.step("correct", number, table_number, place, right)

    @precondition(has_hands)
    @rule(data=DATA, agrees=st.booleans())
    def somebody_disputes_or_agrees(self, data: st.DataObject, agrees: bool) -> None:
        number, table_number, place = self.some_hand(data)
        people = self.paper.rounds[number].tables[table_number].people
        player = data.draw(st.sampled_from(people), label="who")
        self.step("say", number, table_number, place, player, agrees)

    @precondition(has_hands)
    @rule(data=DATA)
    def the_director_decides(self, data: st.DataObject) -> None:
        self.step("decide", *self.some_hand(data))

    @precondition(has_begun)
    @rule(data=DATA, points=st.sampled_from([-70, 5, 300]))
    def points_are_adjusted(self, data: st.DataObject, points: int) -> None:
        number, table_number = self.some_table(data)
        people = self.paper.rounds[number].tables[table_number].people
        player = data.draw(st.sampled_from(people), label="who")
        self.step("rule", number, table_number, Ruling(ADJUSTMENT, player, points=points))

    @precondition(has_rulings)
    @rule(data=DATA)
    def a_ruling_is_cancelled(self, data: st.DataObject) -> None:
        rulings = [
            (number, table_number, place)
            for number, table_number in self.tables_begun()
            for place in range(len(self.paper.rounds[number].tables[table_number].rulings))
        ]
        self.step("cancel", *data.draw(st.sampled_from(rulings), label="ruling"))

    # What is undone at once.

    @precondition(has_rounds)
    @rule(data=DATA, how=st.sampled_from(["swap", "take_over", "reseat"]))
    def the_seating_is_changed_and_it_is_undone(self, data: st.DataObject, how: str) -> None:
        paper_before, picture, steps = deepcopy(self.paper), self.desk.picture(), Pace.steps
        self.has_changed = False
        if how == "swap":
            self.two_are_swapped(data)
        elif how == "take_over":
            self.somebody_takes_over(data)
        else:
            self.the_remaining_rounds_are_reseated()
        if self.has_changed and Pace.steps > steps:
            self.the_laws_hold()
            self.desk.undo_change()
            paper_before.houses = self.paper.houses  # whom the tables needed stays on the list
            self.is_brought_back(paper_before, picture)

    @rule(steps=st.sampled_from(ONE_AND_BACK))
    def a_step_is_taken_and_undone(self, steps: tuple[str, str]) -> None:
        step, undo_step = steps
        paper_before, picture = deepcopy(self.paper), self.desk.picture()
        if self.step(step):
            self.the_laws_hold()
            if paper_before != self.paper and self.step(undo_step):
                self.is_brought_back(paper_before, picture)

    @precondition(has_begun)
    @rule(data=DATA)
    def a_hand_is_entered_and_undone(self, data: st.DataObject) -> None:
        number, table_number = self.some_table(data)
        table = self.paper.rounds[number].tables[table_number]
        paper_before, picture, place = deepcopy(self.paper), self.desk.picture(), table.hands
        if self.step("play", number, table_number, self.some_outcome(data, table.sitting.next)):
            self.the_laws_hold()
            if self.step("undo_hand", number, table_number, place):
                self.is_brought_back(paper_before, picture)

    def is_brought_back(self, paper_before: Clipboard, picture: object) -> None:
        self.paper = paper_before
        self.has_changed = True
        self.the_laws_hold()
        with law(BROUGHT_BACK):
            assert self.desk.picture() == picture

    # The laws.

    @invariant()
    def the_laws_hold(self) -> None:
        """After a step that was taken; one that was refused has changed nothing."""
        if not self.has_changed:
            return
        self.has_changed = False
        self.the_entries_and_the_rounds_are_as_noted()
        self.everyone_sits_where_they_should_and_nobody_twice()
        for number, table_number in self.tables(lambda _: True):
            self.hands_and_rulings_come_to_what_they_should(number, table_number)
        self.the_standings_follow_from_the_hands_and_rulings()
        check_chains()
        if self.erased_names:
            check_erased([word for name in self.erased_names for word in (name, name.split()[1])])

    def the_entries_and_the_rounds_are_as_noted(self) -> None:
        cup = self.desk.cup
        people = cup.entrants.filter(is_house=False)
        houses = cup.entrants.filter(is_house=True).values_list("name", flat=True)
        keys = {*map(name_key, (*self.paper.entrants, *self.paper.houses))}
        states = {number: round_.state for number, round_ in self.paper.rounds.items()}
        with law(ENTRIES):
            assert cup.state == self.paper.state
            assert set(cup.entrants.values_list("name_key", flat=True)) == keys
            assert dict(people.values_list("name", "state")) == self.paper.entrants
            assert sorted(houses) == sorted(self.paper.houses)
            assert dict(cup.rounds.values_list("number", "state")) == states

    def everyone_sits_where_they_should_and_nobody_twice(self) -> None:
        places = Placement.objects.filter(round__tournament=self.desk.pk)
        rows = places.values_list("round__number", "table__number", "seat__number", "entrant__name")
        resting = Round.sitting_out.through.objects.filter(round__tournament=self.desk.pk)
        resting_rows = set(resting.values_list("round__number", "entrant__name"))
        with law(NOBODY_TWICE):
            assert sorted(rows) == sorted(
                (number, table_number, seat, name)
                for number, table_number in self.tables(lambda _: True)
                for seat, name in enumerate(
                    self.paper.rounds[number].tables[table_number].people, start=1
                )
            )
            for number, round_ in self.paper.rounds.items():
                assert {
                    name for table_number, name in resting_rows if table_number == number
                } == round_.bench
                assert len(round_.everyone) == len(set(round_.everyone))

    def hands_and_rulings_come_to_what_they_should(self, number: int, table_number: int) -> None:
        paper = self.paper.rounds[number].tables[table_number]
        table = self.desk.table(number, table_number)
        seats = {seat: name for name, seat in self.desk.seats(table).items()}
        hands = StoredHand.objects.filter(game=table.game, is_current=True).order_by("number")
        gains = [{seats[seat]: gain for seat, gain in hand.gains.items()} for hand in hands]
        with law(TO_NOTHING):
            assert [sum(hand_gains.values()) for hand_gains in gains] == [0] * len(gains)
        with law(AS_TOLD):
            hands_and_winds = paper.sitting.hands_and_winds()
            assert gains == [hand.gains(winds) for hand, winds in hands_and_winds]
            states = [hand.state for hand in hands]
            assert states == [hand.state(winds) for hand, winds in hands_and_winds]
        entries = table.game.seats.annotate(sum=Sum("ledger__points", default=0))
        ledger = {seats[number]: points for number, points in entries.values_list("number", "sum")}
        stored_points = dict(entries.values_list("number", "points"))
        adjustment_total = sum(
            ruling.points for ruling in paper.rulings if ruling.kind == ADJUSTMENT
        )
        with law(RULINGS):
            assert [
                {seats[int(seat)]: points for seat, points in ruling.points.items()}
                for ruling in self.desk.standing_rulings(table)
            ] == [ruling.moves(paper.sitting) for ruling in paper.rulings]
            assert {seats[seat]: points for seat, points in stored_points.items()} == ledger
            assert ledger == paper.points()
            assert sum(ledger.values()) == adjustment_total

    def the_standings_follow_from_the_hands_and_rulings(self) -> None:
        rows = standings_of(self.desk.cup, reader=ORGANISER_READER)
        lines = self.paper.standings()
        with law(STANDINGS):
            assert {
                row.name: Row(row.rounds, row.table_points, row.total, row.mahjongs, row.best_hand)
                for row in rows
            } == lines
            assert [(row.name, row.place) for row in rows] == [
                (name, 1 + sum(other_row.rank > lines[name].rank for other_row in lines.values()))
                for name in sorted(
                    lines, key=lambda name: (*(-part for part in lines[name].rank), name)
                )
            ]
