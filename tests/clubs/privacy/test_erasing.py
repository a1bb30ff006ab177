"""Erasing a person: said before, refused, seen after; names are taken out of words, others stay."""

from datetime import date

import pytest
from django.core.management import call_command
from django.urls import reverse
from hypothesis import given, strategies as st

from clubs.core.people_names import active_records, owners_of_names
from clubs.evenings.selectors.door import door_list
from clubs.evenings.selectors.evenings import result_of
from clubs.house.services import change_contact
from clubs.members.import_plan import Answers
from clubs.members.selectors import likely_duplicates, members, merges_of
from clubs.members.services.imports import import_members, undo_import
from clubs.members.services.merging import merge_players, undo_merge
from clubs.members.services.people import add_player
from clubs.messages.services import draft_message
from clubs.models import (
    Batch,
    Club,
    Erasure,
    KeptAnswer,
    Membership,
    Player,
    Role,
    User,
    Wish,
    WishKind,
)
from clubs.privacy.redaction import (
    NameTraces,
    addresses_to_find,
    first_words,
    names_to_find,
    shortened_names,
    surnames,
)
from clubs.privacy.selectors.erasure import (
    DELETED_TABLES,
    KEPT_TABLES,
    erasure_preview,
    erasure_refusal,
    former_names,
    tables_to_people,
)
from clubs.privacy.services import erase_player
from scoring.scorebook import services as scorebook
from scoring.scorebook.refusals import Refused
from tests.api import api_client
from tests.clubs.nights import SECOND_WINS, make_players, night, post
from tests.clubs.tables import seated_evening
from tests.clubs.visits import Visitor, errors
from tests.people import Cast, make_player

TODAY, PLAYED = date(2026, 11, 22), date(2026, 11, 3)


@pytest.fixture
def maud(cast: Cast) -> Player:
    """A member who has won an evening."""
    maud = make_player(cast.club, "Maud Pemberton", email="maud@example.org", phone="01632 960114")
    maud.aliases.create(club=cast.club, name="Maudie P", name_key="maudie p")
    other_players = make_players(cast.club, 3)
    post(
        night(cast.club, PLAYED, [other_players[0], maud, *other_players[1:]]).tables.get(),
        SECOND_WINS,
    )
    return maud


def erase(player: Player) -> Player:
    return erase_player(player=player, today=TODAY)


def test_every_table_that_points_to_people_is_decided() -> None:
    assert {model._meta.label for model in tables_to_people()} == {*DELETED_TABLES, *KEPT_TABLES}
    assert not DELETED_TABLES.keys() & KEPT_TABLES.keys()


def test_what_goes_and_what_stays_is_said_before(maud: Player) -> None:
    Wish.objects.create(club=maud.club, kind=WishKind.TABLE, player=maud, table=1)
    ann, reason = maud.club.players.get(name="Ann"), "Not near Mrs Pemberton."
    Wish.objects.create(club=maud.club, kind=WishKind.TABLE, player=ann, table=2, reason=reason)
    preview = erasure_preview(maud)
    assert preview.goes == (
        "The name Maud Pemberton, also Maudie P",
        "How to reach them: maud@example.org, 01632 960114",
        "1 seating preference that names them",
    )
    assert preview.stays == ("The evening of 3 November 2026 keeps its result",)
    assert preview.former == "A former player"
    assert preview.look == ("Not near Mrs Pemberton.",)


def test_the_evening_keeps_its_result_under_another_name(maud: Player) -> None:
    session = maud.club.sessions.get()
    rows_before = [(row.place, row.player_id, row.points) for row in result_of(session)]
    erase(maud)
    rows_after = result_of(session)
    assert [(row.place, row.player_id, row.points) for row in rows_after] == rows_before
    assert next(row.name for row in rows_after if row.player_id == maud.pk) == "A former player"
    call_command("verify", verbosity=0)
    call_command("recount", verbosity=0)


def test_nothing_is_left_of_the_person_but_a_key(maud: Player) -> None:
    namesake = make_player(Club.objects.get(slug="hill-top"), "Maud Pemberton")
    former_player = erase(maud)
    assert (
        former_player.name,
        former_player.email,
        former_player.phone,
        former_player.erased_on,
    ) == ("A former player", "", "", TODAY)
    assert not former_player.aliases.exists()
    [log] = Erasure.objects.all()
    assert (log.what, log.player) == ("One person, on request", former_player)
    with pytest.raises(Refused, match="has already been deleted"):
        erase(former_player)
    assert add_player(club=maud.club, name="Maud Pemberton").pk != maud.pk
    namesake.refresh_from_db()
    assert namesake.name == "Maud Pemberton"


def test_several_are_numbered(cast: Cast) -> None:
    names = [erase(player).name for player in make_players(cast.club, 3)]
    assert names == ["A former player", "A former player 2", "A former player 3"]
    assert former_names(cast.club, 1) == ["A former player 4"]


def test_nobody_meets_the_erased_at_the_door_or_on_a_list(maud: Player) -> None:
    club = maud.club
    likely = make_player(club, "Maude Pemberton")
    assert likely_duplicates(club)
    erase(maud)
    tonight = club.sessions.create(held_on=TODAY)
    assert maud.pk not in {row.player_id for row in door_list(tonight).rows}
    assert "A former player" not in {row.name for row in members(club)}
    assert not active_records(club).filter(pk=maud.pk).exists()
    assert "maud pemberton" not in owners_of_names(club)
    assert likely_duplicates(club) == ()
    import_members(club=club, text="name\nMaud Pemberton", answers=Answers(choices={2: "new"}))
    assert club.players.filter(name="Maud Pemberton").get().pk not in {maud.pk, likely.pk}


def test_records_made_one_go_together(maud: Player) -> None:
    other_player = make_player(maud.club, "M Pemberton")
    merge = merge_players(kept_player=maud, merged_player=other_player)
    with pytest.raises(Refused, match="Delete that one to delete both"):
        erase(Player.objects.get(pk=other_player.pk))
    erase(maud)
    other_player.refresh_from_db()
    assert (other_player.name, other_player.erased_on) == ("A former player 2", TODAY)
    merge.refresh_from_db()
    assert merge.moved == {}
    assert merges_of(maud.club) == ()
    with pytest.raises(Refused, match="has been deleted"):
        undo_merge(merge=merge)
    with pytest.raises(Refused, match="has had its personal data deleted"):
        merge_players(
            kept_player=make_player(maud.club, "Nora"), merged_player=Player.objects.get(pk=maud.pk)
        )


def test_a_list_that_was_read_in_can_still_be_taken_back_for_the_others(maud: Player) -> None:
    club = maud.club
    member_import = import_members(
        club=club, text="name,telephone\nMaud Pemberton,01632 1\nNora,01632 2"
    )
    erase(maud)
    member_import.refresh_from_db()
    assert str(maud.pk) not in member_import.before
    undo_import(member_import=member_import)
    assert not club.players.filter(name="Nora").exists()


def test_answers_go_to_the_club_and_no_longer_to_the_person(maud: Player) -> None:
    change_contact(club=maud.club, contact_email="Maud@Example.org")
    preview_lines = erasure_preview(maud).goes
    reply_line = "The address for replies, Maud@Example.org"
    assert f"{reply_line}: replies then go to the person who sends the message" in preview_lines
    erase(maud)
    assert Club.objects.get(pk=maud.club_id).contact_email == ""


def test_answers_go_on_to_somebody_else(maud: Player) -> None:
    change_contact(club=maud.club, contact_email="club@example.org")
    erase(maud)
    assert Club.objects.get(pk=maud.club_id).contact_email == "club@example.org"


def test_a_program_is_not_told_again_of_who_was_erased(cast: Cast, maud: Player) -> None:
    program, other_program = api_client(cast.secretary), api_client(cast.stranger)
    page = reverse("api-player-list", args=[cast.club.slug])
    elsewhere = reverse("api-player-list", args=["hill-top"])
    name = 'Maud Pember"ton'
    data = {"name": name, "email": "m@example.org"}
    key = {"Idempotency-Key": "press 1"}
    response = program.post(page, data, "application/json", headers=key)
    assert response.status_code == 201, response.content
    for payload in (data, {"name": "Nora"}):
        other_key = {"Idempotency-Key": f"elsewhere {payload['name'][0]}"}
        other_program.post(elsewhere, payload, "application/json", headers=other_key)
    erase(Player.objects.get(pk=response.json()["id"]))
    second_response = program.post(page, data, "application/json", headers=key)
    assert second_response.status_code == 409
    assert "check whether the change was made" in second_response.json()["problems"][0]["message"]
    assert not cast.club.players.filter(name=name).exists()
    bodies = KeptAnswer.objects.exclude(body="").values_list("club__slug", flat=True)
    assert [*bodies] == ["hill-top", "hill-top"]


def test_a_letter_to_someone_erased_meanwhile_is_refused(maud: Player, cast: Cast) -> None:
    [reader] = Player.objects.filter(pk=maud.pk)
    erase(maud)
    with pytest.raises(Refused, match="Someone you chose has just had their personal data"):
        draft_message(
            club=maud.club, subject="Dear Maud", text="x", readers=[reader], made_by=cast.secretary
        )
    assert not Batch.objects.exists()


def test_the_only_secretary_stays(cast: Cast) -> None:
    alice = cast.club.players.get(name="Alice")
    with pytest.raises(Refused, match="only secretary"):
        erase(alice)
    Membership.objects.filter(user=cast.director).update(role=Role.SECRETARY)
    assert erase(alice).name == "A former player"
    assert not User.objects.filter(pk=cast.secretary.pk).exists()


def test_a_sign_in_stays_for_another_club_and_for_whoever_looks_after_the_machine(
    cast: Cast,
) -> None:
    pat, dev = (cast.club.players.get(name=name) for name in ("Pat", "Dev"))
    elsewhere = Club.objects.get(slug="hill-top")
    Membership.objects.create(club=elsewhere, user=cast.player, role=Role.PLAYER)
    preview_lines = erasure_preview(pat).goes
    assert "Access to this club. The account is kept for Hill Top Tiles" in preview_lines
    erase(pat)
    assert [membership.club for membership in cast.player.memberships.all()] == [elsewhere]
    User.objects.filter(pk=cast.director.pk).update(is_superuser=True)
    erase(dev)
    assert User.objects.filter(pk=cast.director.pk).exists()


def test_words_that_somebody_had_sealed_are_told_and_stay(cast: Cast) -> None:
    table = seated_evening(cast.club, held_on=PLAYED).tables.get()
    [hand] = post(table, SECOND_WINS)
    scorebook.decide_hand(
        game_id=hand.game_id, hand_id=hand.pk, reason="Margaret was right.", made_by="user 1"
    )
    margaret = cast.club.players.get(name="Margaret")
    [sealed_entry] = erasure_preview(margaret).sealed_texts
    assert (sealed_entry.held_on, sealed_entry.text) == (PLAYED, "Margaret was right.")
    erase(margaret)
    call_command("verify", verbosity=0)


def test_a_name_that_others_read_shortened_goes_too_unless_it_is_anothers(cast: Cast) -> None:
    ann, zoe = (make_player(cast.club, name) for name in ("Ann Smith", "Zoë Byrne"))
    make_player(cast.club, "Ann Stone")
    batch = Batch.objects.create(club=cast.club, kind="note", title="Ann S., Ann Smi., Zoë B.")
    for player in (ann, zoe):
        erase(player)
    batch.refresh_from_db()
    assert batch.title == "Ann S., A former player, A former player 2"


def test_a_rehearsal_forgets_the_same_people(maud: Player) -> None:
    copy = Club.objects.create(name="Rehearsal", slug="rehearsal", rehearsal_of=maud.club)
    twin = make_player(copy, "Maud Pemberton")
    erase(maud)
    twin.refresh_from_db()
    assert twin.name == "A former player"


def test_the_name_is_typed_before_it_goes(alice: Visitor, maud: Player) -> None:
    address = reverse("member-erase", args=["riverside", maud.pk])
    answer = alice.post(address, {"name": "Maud"})
    assert answer.status_code == 422
    assert errors(answer) == {"name": ["That name does not match. Enter: Maud Pemberton"]}
    messages = ["Personal data deleted. Results now show “A former player”."]
    assert alice.messages_after(address, name=" maud  PEMBERTON") == messages
    assert alice.get(address).status_code == 404
    page = alice.read(reverse("player", args=["riverside", maud.pk]))
    assert "A former player" in page
    assert "Renew for a year" not in page


def test_the_page_says_why_somebody_cannot_be_erased(cast: Cast, alice: Visitor) -> None:
    player = cast.club.players.get(name="Alice")
    page = alice.read(reverse("member-erase", args=["riverside", player.pk]))
    assert erasure_refusal(player) in page
    assert "Delete permanently" not in page


def test_another_clubs_person_is_not_found(cast: Cast, maud: Player) -> None:
    address = reverse("member-erase", args=["hill-top", maud.pk])
    assert Visitor(cast.stranger).get(address).status_code == 404
    assert Visitor(cast.stranger).post(address, {"name": maud.name}).status_code == 404


ANN = NameTraces(
    dict.fromkeys(names_to_find(["Ann Smith"]), "A former player"),
    other_names=frozenset({"Mary Ann Smith", "Ann Smithers", "Ben Jones"}),
)
WORDS = st.text(st.characters(codec="utf-8"), max_size=30)
DATA = st.recursive(
    WORDS | st.integers() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
)


def test_a_name_goes_out_of_a_sentence() -> None:
    text = "Ben Jones and Ann Smith changed places. ANN  SMITH’s phone; Smith, Ann."
    expected_text = (
        "Ben Jones and A former player changed places. A former player’s phone; A former player."
    )
    assert ANN.out_of(text) == expected_text
    longer = "Mary Ann Smith, Ann Smithers and Joann Smith"
    assert ANN.out_of(longer) == longer
    assert not ANN.are_in(longer)


def test_names_go_out_of_data_from_keys_too() -> None:
    data = {"players": ["Ann Smith", "Ben Jones"], "Ann Smith": {"seat": 3}}
    expected_data = {"players": ["A former player", "Ben Jones"], "A former player": {"seat": 3}}
    assert ANN.out_of(data) == expected_data


def test_a_name_of_one_word_counts_with_its_capital() -> None:
    bill = NameTraces(dict.fromkeys(names_to_find(["Bill"]), "A former player"))
    assert bill.out_of("Bill has paid his bill") == "A former player has paid his bill"


def test_a_name_that_is_a_word_of_the_game_is_left_alone() -> None:
    assert names_to_find(["May", "Rose"]) == frozenset()
    assert names_to_find(["May Rose"]) == {"May Rose", "Rose, May", "Rose May"}


def test_an_address_is_known_and_a_short_number_is_not() -> None:
    contacts = ("ann@example.org", "01632 960 114")
    assert addresses_to_find(*contacts) == {*contacts}
    assert addresses_to_find("", "12") == frozenset()


def test_a_name_is_known_as_others_may_read_it() -> None:
    assert shortened_names(["Ann Lee", "Ngaio"]) == {"Ann L.", "Ann Le."}
    assert first_words(["Ann Lee", "Ngaio", "Rose Lee"]) == {"Ann"}
    traces = NameTraces(dict.fromkeys(shortened_names(["Ann Lee"]), "A former player"))
    assert traces.out_of("2  Ann L.   +64") == "2  A former player   +64"
    assert surnames(["Ann van der Berg", "Ngaio"]) == {"Berg"}


@given(DATA)
def test_what_was_taken_out_is_no_longer_in(data: object) -> None:
    assert not ANN.are_in(ANN.out_of(data))


@given(DATA)
def test_nobody_to_forget_changes_nothing(data: object) -> None:
    assert NameTraces({}).out_of(data) == data


@given(WORDS, WORDS)
def test_a_name_between_any_words_is_found(beginning: str, ending: str) -> None:
    assert ANN.are_in(f"{beginning}, Ann Smith. {ending}")
