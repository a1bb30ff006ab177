"""The people of a tournament at their doors: pages for the director, the API for the phones."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.api import api_client, link_client, send
from tests.clubs.tables import sheet
from tests.clubs.visits import Visitor
from tests.paper import words_of
from tests.people import Cast
from tests.tournaments.whole.dealing import Croupier
from tests.tournaments.whole.reckoning import Sheet

DONE, KEPT, STOOD, REFUSED, CONFLICT = 302, 201, 200, 422, 409
Key = tuple[int, int]


@dataclass
class Hall:
    """One tournament as its director, its scorer and its tables reach it; and what they sent."""

    cast: Cast
    rules: str
    place: str = ""
    keys: dict[Key, str] = field(default_factory=dict)
    sheets: dict[Key, Sheet] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.director = Visitor(self.cast.director)
        self.scorer = Visitor(self.cast.scorer)
        self.program = api_client(self.cast.player)
        self.phone = Client()

    def open(self, ranks_by: Sequence[str], **fields: Any) -> None:
        """The director makes a new tournament, ranked by these."""
        fields |= {f"rank_{place}": metric for place, metric in enumerate(ranks_by, start=1)}
        list_ = f"/c/{self.cast.club.slug}/tournaments/"
        answer = self.director.post(f"{list_}new/", {"held_on": "2026-11-21", **fields})
        assert answer.status_code == DONE, answer.context["form"].errors
        self.place = answer.headers["Location"].removesuffix("entrants/")

    def do(self, step: str, **fields: Any) -> None:
        """The director presses a button; it is done."""
        answer = self.director.post(f"{self.place}{step}", fields)
        assert answer.status_code == DONE, (step, answer.content.decode())

    def refusal_page(self, step: str) -> str:
        """The page that says why a step cannot be taken yet."""
        answer = self.director.post(f"{self.place}{step}")
        assert answer.status_code == REFUSED
        return answer.content.decode()

    def read_in(self, text: str) -> None:
        """An entry list as a file: looked at, then entered."""
        address = f"{self.place}entrants/list/"
        file = SimpleUploadedFile("entries.csv", text.encode())
        page = self.director.post(address, {"file": file})
        form_text = page.context["form"]["text"].value()
        answer = self.director.post(address, {"text": form_text, "enter": "yes"})
        assert answer.status_code == DONE, answer.context["form"].errors

    def entrants(self, names: Collection[str]) -> dict[str, int]:
        """The numbers by which the pages know these entrants."""
        page = self.director.get(f"{self.place}entrants/").content.decode()
        rows = re.split(r'id="entrant-(\d+)"', page)[1:]
        numbers = {
            match[1]: int(key)
            for key, row in zip(rows[::2], rows[1::2], strict=True)
            if (match := re.search(r"</span>([^<>]+?)</a>", row[row.index("<th") :]))
        }
        return {name: numbers[name] for name in names}

    def entrant(self, name: str) -> int:
        """The number by which the pages know an entrant."""
        return self.entrants([name])[name]

    def substitute(self, name: str, stand_in: str, *, number: int) -> None:
        """From this round on someone sits in for an entrant, or nobody any more."""
        substitution = {
            "entrant": self.entrant(name),
            "name": stand_in,
            "number": number,
            "goes_on": "on",
        }
        form_data = {f"substitute-{field}": value for field, value in substitution.items()}
        self.do("seating/changes/", way="substitute", **form_data)

    def seating(self) -> list[dict[str, Any]]:
        """The rounds with their tables, as a program reads them."""
        rounds = self.program.get(f"/api/v1{self._api_path}").json()["rounds"]
        assert isinstance(rounds, list)
        return rounds

    def standings(
        self, client: Client | None = None, *, round_number: int = 0
    ) -> list[dict[str, Any]]:
        """The standings as a program reads them, now or as they were after a round."""
        query = f"?after={round_number}" if round_number else ""
        rows = (client or self.program).get(f"{self.standings_address}{query}").json()["results"]
        assert isinstance(rows, list)
        return rows

    @property
    def standings_address(self) -> str:
        """Where the API has the standings."""
        return f"/api/v1{self._api_path}standings/"

    @property
    def _api_path(self) -> str:
        return self.place.replace("/c/", "/clubs/", 1)

    def take_cards(self) -> None:
        """The printed cards are laid out: each table of each round has its link from now on."""
        paper = self.director.get(f"{self.place}print/cards.pdf").content
        for page in words_of(paper):
            rounds = [int(number) for number in re.findall(r", round (\d+)", page)]
            tables = [int(number) for number in re.findall(r"Table (\d+)", page)]
            links = re.findall(r"/r/([\w-]+)/", page)
            self.keys |= dict(zip(zip(rounds, tables, strict=True), links, strict=True))

    def print_papers(self, number: int) -> None:
        """Sheets and cards of a round; the codes on the cards are those that lie there already."""
        for paper in ("sheets", "cards"):
            response = self.director.get(f"{self.place}print/{paper}.pdf?round={number}")
            assert response.content.startswith(b"%PDF")

    def sitter_for(self, name: str, number: int) -> str:
        """Who sits in a round on the chair that counts for an entrant."""
        (round_data,) = [row for row in self.seating() if row["number"] == number]
        table, seat = next(
            (table["number"], place["seat"])
            for table in round_data["tables"]
            for place in table["places"]
            if place["name"] == name
        )
        game = self.table_client(number, table).get("/api/v1/link/").json()["game"]
        (sitter,) = [row["name"] for row in game["seats"] if row["seat"] == seat]
        return str(sitter)

    def sit_down(self, number: int) -> list[Sheet]:
        """The tables of a round, each with a fresh sheet, as the seating says now."""
        (round_data,) = [row for row in self.seating() if row["number"] == number]
        for table in round_data["tables"]:
            names = tuple(place["name"] for place in table["places"])
            key = (number, table["number"])
            self.sheets[key] = Sheet(self.rules, *key, names)
        return [sheet for key, sheet in self.sheets.items() if key[0] == number]

    def link(self, sheet: Sheet) -> str:
        """The end of the address that is printed on the table's card."""
        return f"/r/{self.keys[sheet.round, sheet.table]}/"

    def desk_of(self, sheet: Sheet) -> str:
        """Where the organisers find the table."""
        return f"{self.place}rounds/{sheet.round}/tables/{sheet.table}/"

    def post(self, sheet: Sheet, hand: Mapping[str, Any]) -> Any:
        """What the table's phone is answered when it sends a hand."""
        phone = self.table_client(sheet.round, sheet.table)
        game = phone.get("/api/v1/link/").json()["game"]["id"]
        return send(phone, f"/api/v1/games/{game}/hands/", hand)

    def hands_at(self, sheet: Sheet) -> list[Any]:
        """The table's hands, as a program reads them with its link."""
        link = self.table_client(sheet.round, sheet.table).get("/api/v1/link/")
        return list(link.json()["game"]["hands"])

    def table_client(self, number: int, table: int) -> Client:
        """A program at a table of a round, with the key that is printed on its card."""
        return link_client(self.keys[number, table])

    def enter(self, sheet: Sheet, croupier: Croupier) -> int:
        """The table plays its next hand and enters it; answers with the hand's key."""
        deal = sheet.deals[-1]
        number = len(sheet.hands) + 1
        hand = croupier.hand(number, deal, only_totals=sheet.table <= 2)
        sheet.hands.append(hand)
        if sheet.table <= 2:
            return self._enter_on_page(sheet, hand)
        response = self.post(sheet, hand)
        assert response.status_code == KEPT, response.json()
        hand_data = response.json()
        winds = {int(seat): wind for seat, wind in hand_data["winds"].items()}
        deal_fields = (
            winds,
            hand_data["dealer"],
            hand_data["prevailing_wind"],
            hand_data["goulash"],
        )
        assert deal_fields == tuple(deal)
        return int(hand_data["id"])

    def _enter_on_page(self, sheet_: Sheet, hand: dict[str, Any]) -> int:
        """The same on a page: table 1 on its phone, table 2 from paper at the scorer's desk."""
        at_desk = sheet_.table == 2
        client, address = (
            (self.scorer, self.desk_of(sheet_)) if at_desk else (self.phone, self.link(sheet_))
        )
        form_data = sheet(client.get(address), **typed_of(hand))
        looked_at = client.post(address, form_data | {"step": "check"})
        assert "<h1>Check this hand</h1>" in looked_at.content.decode()
        assert client.post(address, form_data | {"step": "save"}).status_code == DONE
        return int(self.hands_at(sheet_)[-1]["id"])

    def agree(self, sheet: Sheet, hand: int) -> None:
        """The table says that the hand is right."""
        self._say(sheet, hand, "agree")

    def dispute(self, sheet: Sheet, hand: int) -> None:
        """The first seat says that it is not."""
        self._say(sheet, hand, "dispute", seat=1)

    def _say(self, sheet: Sheet, hand: int, action: str, **fields: Any) -> None:
        """What the table is shown, and what it says of it."""
        page = self.phone.get(self.link(sheet)).context["page"]
        fields |= {"shown": page.reviews[hand].mark}
        address = f"{self.link(sheet)}hands/{hand}/{action}/"
        assert self.phone.post(address, fields).status_code == DONE

    def may_correct(self, sheet: Sheet, number: int, **hand_fields: Any) -> bool:
        """Whether the scorer, looking first, is told that the hands played later still fit."""
        return (
            self._decide(sheet, number, {**hand_fields, "reason": "Let me see"}, step="check")
            == 200
        )

    def correct(self, sheet: Sheet, number: int, reason: str, **hand_fields: Any) -> None:
        """The scorer decides a hand otherwise; the sheet is written over likewise."""
        assert self._decide(sheet, number, {**hand_fields, "reason": reason}, step="save") == DONE
        sheet.hands[number - 1] = hand_fields

    def _decide(self, sheet: Sheet, number: int, correction: dict[str, Any], *, step: str) -> int:
        hands = self.hands_at(sheet)
        address = f"{self.desk_of(sheet)}hands/{hands[number - 1]['id']}/correct/"
        form_data = {**typed_of(correction), "reason": correction["reason"], "step": step}
        return self.scorer.post(address, form_data).status_code

    def penalise(self, sheet: Sheet, seat: int, kind: str, reason: str) -> None:
        """The director rules at the table."""
        case = {"what": kind, "seat": seat, "reason": reason, "submission_id": uuid4()}
        answer = self.director.post(f"{self.desk_of(sheet)}rulings/", case)
        assert answer.status_code == DONE, answer.content.decode()


def typed_of(hand: dict[str, Any]) -> dict[str, Any]:
    """A hand told in totals as someone types it."""
    form_data = {"winner": hand["winner"] or "nobody"}
    form_data |= {f"score_{seat}": score for seat, score in hand.get("scores", {}).items()}
    if hand["winner"] is not None:
        form_data["score"] = hand["scores"][str(hand["winner"])]
        form_data["last_tile"] = hand.get("discarder") or "wall"
    return form_data | ({"pays_for_all": hand["pays_for_all"]} if hand.get("pays_for_all") else {})
