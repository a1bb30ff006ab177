"""A hand is tapped together: sets make themselves, the score grows, a link holds it."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from scoring import RuleSet, WonBy, check, hand_as_json, rule_set, score
from scoring.building import (
    BadNotation,
    Bag,
    Draft,
    GroupPlace,
    Steps,
    fit_draft,
    groups,
    missing_sentences,
    play,
    read_draft,
    tell,
    tell_change,
    tiles_left,
    to_hand,
    write_draft,
)
from scoring.building.draft import copies_of, facts, last_tiles, ways_to_win
from scoring.building.taps import MAX_UNDO_STEPS
from scoring.explaining import explain
from scoring.hands.hand import Fact, Kind
from scoring.hands.tiles import JOKER, Tile
from tests.scoring.strategies import law, law_under_every_rule_set
from tests.scoring.tapping import draft_after, play_taps, steps as some_steps

BMJA = rule_set("bmja")
IMPOSSIBLE = (
    "1 more tile cannot make two more sets. Change some tiles, unless this is a special hand."
)
FULL = "pung:B1 pung:DR chow:B4 pung:WE O2 O2"


def displayed_groups(draft: Draft, key: str = "bmja") -> list[tuple[str, str]]:
    return [(group.word, str(group.kind or "tile")) for group in groups(draft, rule_set(key))]


@pytest.mark.parametrize(
    ("taps", "groups_shown"),
    [
        ("B1", [("B1", "tile")]),
        ("B1 B1", [("B11", "pair")]),
        ("B1 B1 B1", [("B111", "pung")]),
        ("B1 B1 B1 B1", [("~B1111", "kong")]),
        ("B3 B1 B2", [("B123", "chow")]),
        ("chow:C7", [("C789", "chow")]),
        pytest.param(
            "B2 B2 B2 B3 B4",
            [("B222", "pung"), ("B3", "tile"), ("B4", "tile")],
            id="a pung stays a pung",
        ),
        pytest.param("pung:B1 expose:B111 B1", [("-B1111", "kong")], id="the fourth joins a pung"),
        pytest.param("goulash:yes B1 B1 JK JK", [("B11Jk", "pung"), ("Jk", "tile")], id="jokers"),
        pytest.param(
            "goulash:yes B1 B1 JK JK joker:B11Jk", [("~B11Jkk", "kong")], id="a kong of jokers"
        ),
    ],
)
def test_sets_make_themselves(taps: str, groups_shown: list[tuple[str, str]]) -> None:
    assert displayed_groups(draft_after(taps)) == groups_shown


def test_a_whole_hand_is_cut_as_it_scores() -> None:
    draft = draft_after("B1 B1 B1 B2 B3 pung:DR pung:WE pung:C9")
    assert ("B123", "chow") in displayed_groups(draft)
    assert ("B11", "pair") in displayed_groups(draft)


def test_a_set_is_exposed_and_concealed_again_with_one_tap() -> None:
    exposed_draft = draft_after("pung:B1 expose:B111")
    assert [group.place for group in groups(exposed_draft, BMJA)] == [GroupPlace.EXPOSED]
    concealed_draft = draft_after("conceal:-B111", start=exposed_draft)
    assert concealed_draft.tiles == (Tile("B1"),) * 3
    kong = draft_after("kong:B1 expose:~B1111")
    assert kong.table[0].exposed
    assert not draft_after("conceal:-B1111", start=kong).table[0].exposed


def test_four_equal_tiles_need_not_be_a_kong() -> None:
    draft = draft_after("kong:WE split:~Weeee")
    assert (draft.table, draft.size) == ((), 4)


@pytest.mark.parametrize("word", ["B111", "-B1", "nonsense", "", "~Weeee", "-"])
def test_what_is_not_there_cannot_be_turned(word: str) -> None:
    for kind in ("expose", "conceal", "split", "joker", "take"):
        assert play_taps(f"C5 {kind}:{word}").steps.draft == draft_after("C5")


@pytest.mark.parametrize(
    "tap",
    ["", ":", "B0", "pung:", "won:perhaps", "seat:X", "players:9", "way:luck", "fact:", "last:Z1"],
)
def test_a_tap_of_nothing_changes_nothing(tap: str) -> None:
    result = play(Steps(draft_after("B1")), [tap], Bag(BMJA))
    assert result.steps.draft == draft_after("B1")
    assert len(result.refusals) == 1


def test_tiles_are_used_up_over_the_whole_table() -> None:
    used = {Tile("B1"): 2, Tile("F1"): 1}
    result = play(Steps(Draft()), ["B1", "B1", "B1", "F1", "pung:B1"], Bag(BMJA, used))
    assert result.steps.draft.tiles == (Tile("B1"),) * 2
    assert result.refusals == (
        "None of the 4 tiles “1 of bamboos” is left.",
        "There is only 1 tile “flower 1”, and it is already used.",
        "None of the 4 tiles “1 of bamboos” is left.",
    )


@pytest.mark.parametrize(
    ("taps", "key", "message"),
    [
        ("chow:C8", "bmja", "No chow starts with an 8 of characters."),
        ("B1 B1 expose:B11", "bmja", "Only chows, pungs and kongs can be exposed."),
        ("B1 B1 pung:B1", "bmja", "Only 2 of the 4 tiles “1 of bamboos” are left."),
        ("JK", "bmja", "Jokers are only used in a goulash."),
        ("JK", "english", "Jokers are only used in a goulash."),
        ("F1", "safalra", "There are no flowers or seasons under Safalra’s rules."),
        (
            "kong:B1 kong:B2 kong:B3 kong:B4 kong:B5",
            "bmja",
            "There are already 4 sets on the table.",
        ),
    ],
)
def test_a_tap_that_can_do_nothing_says_why(taps: str, key: str, message: str) -> None:
    assert play_taps(taps, key).refusals == (message,)


def test_undo_takes_back_one_tap_after_the_other() -> None:
    assert draft_after("B1 B1 pung:DR expose:Drrr undo undo") == draft_after("B1 B1")
    assert play_taps("undo").steps == Steps(Draft())
    assert len(play_taps("B1 take:B1 " * 30).steps.previous_drafts) == MAX_UNDO_STEPS


def test_the_next_hand_keeps_the_winds() -> None:
    assert draft_after(f"seat:S prevailing:W {FULL} way:wall again") == draft_after(
        "seat:S prevailing:W"
    )


@pytest.mark.parametrize(
    ("taps", "sentences"),
    [
        ("", ("14 more tiles: four more sets and a pair.",)),
        ("pung:B1 B2 B2", ("9 more tiles: three more sets.",)),
        ("pung:B1 pung:DR C1 C1 C4 C7 B5 O8 WN", (IMPOSSIBLE,)),
        ("pung:B1 pung:DR chow:B4 pung:WE", ("One more pair.",)),
        ("pung:B1 pung:DR chow:B4 pung:WE O2", ("One more pair: a second 2 of circles.",)),
        (FULL, ("Choose how the last tile was obtained.",)),
        (f"{FULL} way:wall", ()),
        (f"{FULL} way:discard", ("Choose the last tile.",)),
        (f"{FULL} way:discard last:O2", ()),
        (f"{FULL} O3 O4", ("2 tiles too many.",)),
        (f"{FULL} won:no", ("1 tile too many: a loser has 13.",)),
        ("won:no B1", ()),
        (
            "chow:B1 chow:B1",
            (
                "8 more tiles: two more sets and a pair.",
                "Chows in this hand: 2; the rules allow 1 here.",
            ),
        ),
    ],
)
def test_what_is_lacking_is_said(taps: str, sentences: tuple[str, ...]) -> None:
    assert missing_sentences(draft_after(taps), BMJA) == sentences


@law
@given(
    st.permutations(["B1 B1 B1", "B2 B3 B4", "C1 C1 C1", "C5 C6 C7", "O9 O9"]), st.integers(0, 13)
)
def test_a_hand_that_lacks_one_tile_can_be_completed(sets: list[str], missing_index: int) -> None:
    tiles = " ".join(sets).split()
    del tiles[missing_index]
    assert "cannot" not in " ".join(
        missing_sentences(draft_after(" ".join(tiles), "english"), rule_set("english"))
    )


def test_two_suits_are_named_and_not_coded() -> None:
    draft = draft_after("pung:B1 pung:B2 pung:C3 pung:C9 C1 C1 way:wall", "safalra")
    assert "a 1 of characters is of another" in missing_sentences(draft, rule_set("safalra"))[0]


def test_the_score_grows_with_every_set() -> None:
    totals = [tell(draft_after(" ".join(FULL.split()[:taps])), BMJA).total for taps in range(7)]
    assert totals == [0, 8, 32, 32, 192, 192, 704]
    assert tell(draft_after(f"{FULL} way:wall"), BMJA).total == 736


@pytest.mark.parametrize(
    ("last", "total", "is_whole"),
    [("", 320, False), ("last:DR", 320, True), ("last:O2", 352, True)],
)
def test_a_claim_whose_tile_is_not_told_counts_the_least(
    last: str, total: int, is_whole: bool
) -> None:
    draft_score = tell(draft_after(f"{FULL} way:discard {last}"), BMJA)
    assert (draft_score.total, draft_score.is_whole) == (total, is_whole)


def test_the_set_of_the_claimed_tile_may_be_laid_out_as_exposed() -> None:
    in_hand = draft_after(f"{FULL} way:discard last:DR")
    laid_out = draft_after(f"{FULL} way:discard expose:Drrr last:DR")
    assert to_hand(laid_out, BMJA) == to_hand(in_hand, BMJA)
    assert tell(laid_out, BMJA).is_whole


def test_a_loser_is_told_what_he_fished_for() -> None:
    draft = draft_after("won:no pung:B2 expose:B222 B3 B3 pung:B4 pung:B8 DG DG")
    draft_score = tell(draft, BMJA)
    assert draft_score.total == 400
    assert draft_score.near_sentences == ("3 tiles short of Purity.",)
    assert draft_score.waits[0] == "A 3 of bamboos makes Mah-Jong (Imperial Jade): 1,000 at least."
    plain = tell(draft_after("won:no chow:B2 pung:C4 pung:O8 pung:WW O1"), BMJA)
    assert plain.waits == ("Fishing: a 1 of circles makes Mah-Jong.",)


def test_a_special_hand_nearby_is_named_while_it_is_tapped() -> None:
    wonders = "B1 B9 C1 C9 O1 O9 WE WS WW WN DR DG"
    assert (
        "2 tiles short of Thirteen Unique Wonders."
        in tell(draft_after(wonders), BMJA).near_sentences
    )
    assert tell(draft_after(f"{wonders} DW DW way:wall"), BMJA).total == 1000


def test_only_what_can_matter_is_asked() -> None:
    draft = draft_after(FULL)
    assert WonBy.LOOSE_TILE not in ways_to_win(draft, BMJA)
    assert WonBy.LOOSE_TILE in ways_to_win(draft_after("F1"), BMJA)
    assert WonBy.DEALT in ways_to_win(draft, BMJA)
    assert WonBy.DEALT not in ways_to_win(draft_after("seat:S"), BMJA)
    assert WonBy.FIRST_DRAW in ways_to_win(draft_after("seat:S", "tallies"), rule_set("tallies"))
    assert WonBy.FIRST_DRAW not in ways_to_win(draft_after("seat:S"), BMJA)
    assert last_tiles(draft_after("way:wall", start=draft), BMJA) == ()
    assert Tile("O2") in last_tiles(draft_after("way:wall", "english", draft), rule_set("english"))
    assert facts(draft, BMJA) == (Fact.ORIGINAL_CALL,)
    assert facts(draft_after("won:no", "tallies", draft), rule_set("tallies")) == ()


def test_the_last_tile_is_asked_where_a_special_hand_hangs_on_it() -> None:
    moon = draft_after("pung:O1 pung:DR chow:B4 pung:WE O2 O2 way:last_wall_tile")
    assert Tile("O1") in last_tiles(moon, BMJA)
    assert tell(draft_after("last:O1", start=moon), BMJA).total == 1000


def test_the_table_says_one_thing_or_the_other_about_the_last_tile() -> None:
    english = rule_set("english")
    draft = draft_after(f"{FULL} way:wall last:O2 fact:only_possible_tile", "english")
    other_draft = draft_after("fact:not_only_possible_tile", "english", draft)
    assert other_draft.facts == {Fact.NOT_ONLY_POSSIBLE_TILE}
    assert (tell(draft, english).total or 0) > (tell(other_draft, english).total or 0)


def test_other_rules_keep_the_tiles_that_exist_there() -> None:
    draft = draft_after("goulash:yes F1 JK B1 B1 players:5 dealer:yes fact:original_call")
    fits = fit_draft(draft, rule_set("safalra"))
    assert (fits.tiles, fits.bonus, fits.players) == ((Tile("B1"),) * 2, (), 4)
    assert (fits.goulash, fits.dealer, fits.facts) == (False, None, frozenset())


@pytest.mark.parametrize(
    ("taps", "later_taps", "spoken_text"),
    [
        ("", "B2", "2 of bamboos added."),
        ("B2", "B2", "2 of bamboos added, pair."),
        ("B2 B2 B2", "B2", "2 of bamboos added, kong."),
        ("pung:B2", "expose:B222", "Pung of 2s of bamboos exposed."),
        ("pung:B2 expose:B222", "conceal:-B222", "Pung of 2s of bamboos back in the hand."),
        ("kong:B2", "expose:~B2222", "Kong of 2s of bamboos exposed."),
        ("F1", "take:F1", "Flower 1 removed."),
        (FULL, "again", "14 tiles removed."),
        ("", "seat:S", ""),
    ],
)
def test_what_changed_is_read_aloud(taps: str, later_taps: str, spoken_text: str) -> None:
    old_draft = draft_after(taps)
    assert tell_change(old_draft, draft_after(later_taps, start=old_draft), BMJA) == spoken_text


def test_a_full_mah_jong_takes_few_taps() -> None:
    """Fourteen tiles and three choices: 17 taps, under a minute at three seconds a tap."""
    tiles = "B1 B1 B1 DR DR DR B4 B5 B6 WE WE WE O2 O2"
    taps = f"{tiles} expose:B111 way:discard last:O2"
    assert tell(draft_after(taps), BMJA).is_whole
    assert len(taps.split()) == 17
    fewer = "pung:B1 pung:DR chow:B4 pung:WE pair:O2 expose:B111 way:discard last:O2"
    assert tell(draft_after(fewer), BMJA) == tell(draft_after(taps), BMJA)


@pytest.mark.sampled(days=4)
@law_under_every_rule_set
def test_a_link_holds_every_draft(rules: RuleSet, data: st.DataObject) -> None:
    draft = data.draw(some_steps(rules)).draft
    assert read_draft(write_draft(draft)) == draft
    assert len(write_draft(draft)) < 200


@pytest.mark.sampled(days=4)
@law_under_every_rule_set
def test_nothing_is_lost_and_nothing_made_by_grouping(rules: RuleSet, data: st.DataObject) -> None:
    draft = data.draw(some_steps(rules)).draft
    in_groups = Counter(tile for group in groups(draft, rules) for tile in group.tiles)
    assert in_groups + Counter(draft.bonus) == draft.tile_counts
    assert all(count <= copies_of(tile) for tile, count in draft.tile_counts.items())
    assert all(
        tiles_left(tile, draft) == copies_of(tile) - count
        for tile, count in draft.tile_counts.items()
    )


@pytest.mark.parametrize(
    ("key", "taps", "chows"),
    [
        ("bmja", "chow:B1 expose:B123 chow:C1 expose:C123", "2; the rules allow 1"),
        ("safalra", "players:2 chow:B1 expose:B123", "1; the rules allow 0"),
    ],
)
def test_a_loser_with_too_many_chows_on_the_table_is_told_so(
    key: str, taps: str, chows: str
) -> None:
    report = tell(draft_after(f"won:no {taps}", key), rule_set(key))
    message = f"Chows in this hand: {chows} here."
    assert (report.lacking, report.total, report.is_whole) == ((message,), None, False)


@pytest.mark.sampled(days=4)
@law_under_every_rule_set
def test_what_is_said_is_what_the_engine_says(rules: RuleSet, data: st.DataObject) -> None:
    draft = data.draw(some_steps(rules)).draft
    draft_score, hand = tell(draft, rules), to_hand(draft, rules)
    problems = check(hand, rules)
    if draft_score.is_whole:
        assert draft_score.total == score(hand, rules).total
        assert draft_score.lines == score(hand, rules).lines
    else:
        assert problems or draft.won_by is None
    if draft.size < 14 and not problems:
        assert not draft.won
    if draft_score.waits:
        assert explain(hand, rules).waits


@pytest.mark.sampled(days=4)
@law_under_every_rule_set
def test_a_way_that_is_not_offered_scores_as_the_plain_one(
    rules: RuleSet, data: st.DataObject
) -> None:
    """Only what can matter is asked: nothing that is left out could have changed the score."""
    draft = replace(data.draw(some_steps(rules)).draft, won=True)
    left_out = {*WonBy} - {*ways_to_win(draft, rules), WonBy.LOOSE_TILE, WonBy.DEALT}
    for won_by in left_out - {WonBy.FIRST_DISCARD, WonBy.FIRST_DRAW}:
        odd_draft = replace(draft, won_by=won_by)
        assert tell(odd_draft, rules).total == tell(fit_draft(odd_draft, rules), rules).total


@law
@given(data=st.data())
def test_undo_brings_back_every_draft_before(data: st.DataObject) -> None:
    played_steps = data.draw(some_steps(BMJA))
    for old_draft in reversed(played_steps.previous_drafts):
        played_steps = play(played_steps, ["undo"], Bag(BMJA)).steps
        assert played_steps.draft == old_draft


@law
@given(text=st.text(alphabet="ESWNBCODJFSesrgwnk123456789.-~ _wonlt", max_size=40))
def test_a_broken_link_is_told_from_a_hand(text: str) -> None:
    try:
        draft = read_draft(text)
    except BadNotation:
        return
    assert read_draft(write_draft(draft)) == draft


@pytest.mark.parametrize(
    "text",
    [
        "", "...", "EE...", "EE.B11111..won", "EE.F1..won", "EE..B1.won", "EE.-B11..won",
        "EE.~B111..won", "EE.~B123..won", "EE.-F1..won", "EE..F11.won", "EE...won-luck",
        "EE...won-B12", "EX...won", "EE." + "B111C111O111Weee" * 2 + "..won", "EE.-Jkkk..won",
    ],
)  # fmt: skip
def test_what_no_taps_could_make_is_no_hand(text: str) -> None:
    with pytest.raises(BadNotation):
        read_draft(text)


def test_a_table_takes_the_hand_as_its_report() -> None:
    draft = draft_after(f"{FULL} F1 way:discard last:DR")
    told_of = hand_as_json(to_hand(draft, BMJA))
    assert told_of["winning_tile"] == "DR"
    assert told_of["bonus"] == ["F1"]
    assert len([tile for tile in draft.tiles if tile != JOKER]) == 14


def test_a_kong_that_has_no_place_stays_in_the_hand() -> None:
    draft = draft_after("kong:B1 kong:B2 kong:B3 kong:B4 B5 B5")
    assert (tell(draft, BMJA).lacking, draft.kongs) == (
        ("Choose how the last tile was obtained.",),
        4,
    )
    assert Kind.KONG not in {group.kind for group in groups(draft, BMJA)[4:]}
