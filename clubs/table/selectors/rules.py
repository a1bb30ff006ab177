"""The rules a club can choose, their printed pages, and what a tile is worth under them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from clubs.language.words import TILE_NAMES, count_words
from clubs.models import Club
from scoring import Hand, Kind, RuleSet, Tile, Wind, rule_set_keys
from scoring.hands.hand import set_codes, set_of, times_text
from scoring.hands.tiles import (
    BONUS_TILES,
    DRAGON_TILES,
    FLOWER_OF_WIND,
    JOKER,
    SEASON_OF_WIND,
    SUIT_TILES,
    SUITS,
    TERMINALS,
    TILE_OF_WIND,
    WIND_TILES,
)
from scoring.house import MarkedRow, RowChange, marked_sections
from scoring.house.declared import LIMIT_KINDS
from scoring.notes import Citation, Note, Publication, books_in_sources, citations, notes_in_sources
from scoring.rules.conditions import own_flower, own_season
from scoring.rules.declarations import Reach, Role
from scoring.scorebook.editions import base_key, rule_set, rules_of
from scoring.scorebook.models import Game
from scoring.sheet import RuleSection, all_sections

# How limits are summed up, by the hands that have none.
LIMIT_PHRASES: Final = {
    frozenset(LIMIT_KINDS): "no limit for any hand",
    frozenset({"ordinary", "losers"}): "a limit for special hands only",
    frozenset({"ordinary"}): "no limit for an ordinary Mah-Jong",
}

CELL_KINDS = {
    "Exposed": "value",
    "Concealed": "value",
    "Points": "value",
    "Doubles": "value",
    "Here": "value",
    "Source": "source",
}

NOT_PLAYED: Final = "Not played"
NOT_IN_THE_BOOK: Final = "No such line"
ORDINARY_REACH: Final = Reach.ORDINARY.value  # what doubles double unless a line says more
# How the cells of a line are said in a list of differences, by column.
COLUMN_PHRASES: Final[Mapping[str, Callable[[str], str]]] = {
    **dict.fromkeys(("Description", "When", "Tiles", "Rule", "What follows", "Here"), str),
    "What is doubled": "doubles {}".format,
    "Exposed": "{} exposed".format,
    "Concealed": "{} concealed".format,
    "Points": lambda points: count_words(int(points), "point") if points.isdigit() else points,
    "Doubles": lambda doubles: count_words(int(doubles), "double"),
    "Mah-Jong": str,
    "One tile short": "one tile short {}".format,
}

# What a book calls the tiles of a line. The names of lines are sealed with the hands they score.
BOOK_WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "bmja": {
        **dict.fromkeys(("Pung of 2s to 8s", "Kong of 2s to 8s"), "minor tiles"),
        "Pung of 1s, 9s, winds or dragons": "major tiles",
        "Kong of 1s, 9s, winds or dragons": "major tiles",
        "One suit, with winds or dragons": "honour tiles",
    }
}

AID_KINDS: Final = ((Kind.PAIR, "A pair"), (Kind.PUNG, "A pung"), (Kind.KONG, "A kong"))
EXAMPLE_TILE: Final = "B5"  # the tile that represents any tile
WORD_COLUMNS: Final = ("Description", "When", "Tiles", "Rule")
OMITTED_FROM_AID: Final = {"Penalties", "Open points"}  # which are on the page of the rules
TILE_ROWS: Final = (
    *(tuple(tile for tile in SUIT_TILES if tile[0] == suit) for suit in SUITS),
    (*WIND_TILES, *DRAGON_TILES),
    BONUS_TILES,
)


@dataclass(frozen=True, slots=True)
class HouseRow:
    """A club's house rules."""

    pk: int
    key: str
    name: str
    version: Annotated[int, "the version among rules with the same name; 0: there is only one"]
    book: Annotated[str, "the rule book they are based on"]
    summary: Annotated[str, "how many lines differ from the rule book"]
    made_at: datetime
    made_by: str
    games: Annotated[int, "how many games used them"]
    is_offered: Annotated[bool, "whether they can be chosen"]
    is_played: Annotated[bool, "whether the club plays them now"]

    @property
    def title(self) -> str:
        """The name, with its version if there are several."""
        return f"{self.name}, version {self.version}" if self.version else self.name


def house_rules_of(club: Club) -> tuple[HouseRow, ...]:
    """Every saved house rules of the club, newest first; one query."""
    games = Game.objects.filter(rules=OuterRef("edition__key")).order_by().values("rules")
    saved_rules = list(
        club.house_rules.select_related("edition", "made_by")
        .annotate(games=Coalesce(Subquery(games.annotate(count=Count("pk")).values("count")), 0))
        .order_by("pk")
    )
    of_a_name = Counter(house_rules.edition.name for house_rules in saved_rules)
    so_far: Counter[str] = Counter()
    rows = []
    for house_rules in saved_rules:
        edition = house_rules.edition
        so_far[edition.name] += 1
        rows.append(
            HouseRow(
                pk=house_rules.pk,
                key=edition.key,
                name=edition.name,
                version=so_far[edition.name] if of_a_name[edition.name] > 1 else 0,
                book=rule_set(base_key(edition.key)).name,
                summary=summary_of(edition.declaration),
                made_at=house_rules.made_at,
                made_by=house_rules.made_by.name if house_rules.made_by else "",
                games=house_rules.games,
                is_offered=house_rules.retired_at is None,
                is_played=club.rules == edition.key,
            )
        )
    return tuple(reversed(rows))


def summary_of(declaration: Mapping[str, Any]) -> str:
    """The differences from the book: ``limit 500, 2 hands left out, only the winner scores``."""
    parts = []
    if "limit" in declaration:
        limit = declaration["limit"]
        parts.append("no limit" if limit is None else f"limit {limit:,}")
    for name, plural, keys in (
        ("open point", "open points", ("choices",)),
        ("changed number", "changed numbers", ("points", "doubles")),
        ("line of its own", "lines of its own", ("more_points", "more_doubles")),
        ("hand left out", "hands left out", ("without",)),
        ("hand with a different value", "hands with another value", ("values",)),
        ("special hand of its own", "special hands of its own", ("specials",)),
    ):
        if count := sum(len(declaration.get(key, ())) for key in keys):
            parts.append(count_words(count, name, plural))
    parts += (
        part
        for kind in (_limit_phrases, _special_hand_phrases, _paying_phrases, _passing_phrases)
        for part in kind(declaration)
    )
    return ", ".join(parts) or "same as the rule book"


def _chows_phrase(chows: int | Mapping[str, Any] | None) -> str:
    """How many a Mah-Jong may have; a number that holds for tables and goulashes alike, or each."""
    most = chows.get("most", "") if isinstance(chows, Mapping) else chows
    if most == "":
        return "a different number of chows"
    if most is None:
        return "any number of chows"
    return count_words(most, "chow") if most else "no chows"


def _limit_phrases(declaration: Mapping[str, Any]) -> Iterator[str]:
    """What a Mah-Jong may be and must reach, and who scores."""
    if "limits" in declaration:
        limits = declaration["limits"] or dict.fromkeys(LIMIT_KINDS)
        has_none = {kind for kind, most in limits.items() if most is None}
        yield LIMIT_PHRASES.get(frozenset(has_none), "several limits")
    if "chows" in declaration:
        yield _chows_phrase(declaration["chows"])
    if "one_suit" in declaration:
        suits = {False: "any suits", True: "one suit"}
        yield suits.get(declaration["one_suit"], "one suit in every hand")
    for name, players in (("minimum", ""), ("minimum_with_two", " with two players")):
        if name in declaration:
            least = declaration[name] or {}
            text = " or ".join(
                count_words(count, kind.removesuffix("s")) for kind, count in least.items()
            )
            yield f"{'minimum ' if least else 'no minimum'}{text}{players}"
    if "losers_score" in declaration:
        yield "everyone scores" if declaration["losers_score"] else "only the winner scores"


def _special_hand_phrases(declaration: Mapping[str, Any]) -> Iterator[str]:
    """What counts for a special hand besides its value."""
    if not declaration.get("fishing", True):
        yield "a hand one tile short scores nothing"
    if "bonus_tiles_beside" in declaration:
        count = "count" if declaration["bonus_tiles_beside"] else "do not count"
        yield f"flowers {count} beside a special hand"


def _paying_phrases(declaration: Mapping[str, Any]) -> Iterator[str]:
    """Who pays whom."""
    payments = declaration.get("payments", {})
    if payments is None:
        yield "nobody pays"
        return
    if payments.keys() & {"east", "with_two"}:
        book_payments = rule_set(declaration["base"]).payments
        payer = book_payments.multiplied.value if book_payments else Role.EAST.value
        if east := payments.get("east"):
            yield (
                f"{payer} pays like the others" if east == 1 else f"{payer} pays {times_text(east)}"
            )
        if "with_two" in payments:
            yield f"{'also' if payments['with_two'] else 'but not'} with two players"
    if "losers_settle" in payments:
        yield "losers settle" if payments["losers_settle"] else "losers do not settle"
    if multiplier := payments.get("unclaimed"):
        yield f"everyone pays {times_text(multiplier)} the score for a tile that was not claimed"
    if "discarder" in payments:
        pays = payments["discarder"]
        method = pays if isinstance(pays, str) or pays is None else next(iter(pays))
        yield {
            None: "the discarder pays like the others",
            "for_all": "the discarder pays for all",
            "alone": "the discarder alone pays",
            "times": "the discarder pays more",
        }[method]


def _passing_phrases(declaration: Mapping[str, Any]) -> Iterator[str]:
    """How the winds and the deal move."""
    passing = declaration.get("passing", {})
    for name, yes, no in (
        ("goulash", "a goulash after a drawn hand", "no goulash"),
        ("prevailing", "a prevailing wind", "no prevailing wind"),
        ("draw_moves", "a drawn hand passes the deal on", "a drawn hand keeps the deal"),
    ):
        if name in passing:
            yield yes if passing[name] else no
    runs = (("most_hands", "hand"), ("most_wins", "Mah-Jong"), ("most_draws", "drawn hand"))
    for name, noun in runs:
        if name in passing:
            most = passing[name]
            yield (
                f"{count_words(most, noun)} in a row at most"
                if most
                else f"any number of {noun}s in a row"
            )


def editions_of(club: Club) -> tuple[RuleSet, ...]:
    """The house rules that the club offers, newest first; one query."""
    offered_rules = club.house_rules.filter(retired_at=None).select_related("edition")
    return tuple(rules_of(house_rules.edition) for house_rules in offered_rules)


def rules_offered(club: Club, *, current: str = "") -> list[tuple[str, str]]:
    """The available rules, the current ones even if retired: names by key; one query."""
    club_rules = house_rules_of(club)
    choices = [(key, rule_set(key).name) for key in rule_set_keys()]
    choices += [(row.key, row.title) for row in club_rules if row.is_offered or row.key == current]
    if current and current not in dict(choices):
        choices.append((current, rule_set(current).name))
    return choices


def book_line(key: str, line: str) -> str:
    """``Pung of 2s to 8s (minor tiles)``, by the key of the rules: a line as a page shows it."""
    word = BOOK_WORDS.get(key.partition("/")[0], {}).get(line, "")
    return f"{line} ({word})" if word else line


@dataclass(frozen=True, slots=True)
class RuleCell:
    """A cell of the page: its text, and whether it is a figure, a source or words (empty)."""

    text: str
    kind: str

    @property
    def pieces(self) -> tuple[Citation, ...]:
        """A source piece by piece, so that each note it names can be a link."""
        return tuple(citations(self.text))


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """A line of the rules."""

    cells: tuple[RuleCell, ...]
    change: Annotated[str, "empty: as in the rule book; otherwise what has changed"]
    book_text: str
    house_text: Annotated[str, "what differs, as it is played here"]
    in_the_book: Annotated[str, "what differs, as the rule book has it"]

    @property
    def is_gone(self) -> bool:
        """Whether only the book has it."""
        return self.change == RowChange.GONE.value


@dataclass(frozen=True, slots=True)
class PrintedSection:
    """A table of the rules."""

    title: str
    note: str
    heads: tuple[RuleCell, ...]
    rows: tuple[PrintedRow, ...]

    @property
    def changes(self) -> tuple[PrintedRow, ...]:
        """The lines that differ from the book."""
        return tuple(row for row in self.rows if row.change)


@dataclass(frozen=True, slots=True)
class PrintedRules:
    """A rule set, whole, as it is printed; the very lines that score."""

    rules: RuleSet
    book: RuleSet
    sections: tuple[PrintedSection, ...]
    books: Annotated[tuple[Publication, ...], "the books that the sources name"]
    notes: Annotated[tuple[Note, ...], "the notes that the sources name"]

    @property
    def is_house(self) -> bool:
        return self.rules is not self.book

    @property
    def edition(self) -> str:
        """``2008`` of ``bmja/2008``."""
        return self.book.key.partition("/")[2]

    @property
    def changed_sections(self) -> tuple[PrintedSection, ...]:
        return tuple(section for section in self.sections if section.changes)

    @property
    def count(self) -> int:
        return sum(len(section.changes) for section in self.sections)


def compare_with_book(rules: RuleSet, book: RuleSet) -> PrintedRules:
    """The whole page of the rules, with every line compared with the book's."""
    sections = []
    for section in marked_sections(rules, book):
        kinds = [CELL_KINDS.get(column, "") for column in section.columns]
        rows = tuple(
            PrintedRow(
                _rule_cells(row.cells, kinds),
                "" if row.change is RowChange.NONE else row.change.value,
                row.book_text,
                *_difference(row, section.columns),
            )
            for row in section.rows
        )
        heads = _rule_cells(section.columns, kinds)
        sections.append(PrintedSection(section.title, section.note, heads, rows))
    sources = [row.cells[-1].text for section in sections for row in section.rows]
    return PrintedRules(
        rules, book, tuple(sections), books_in_sources(sources), notes_in_sources(sources)
    )


def _difference(row: MarkedRow, columns: tuple[str, ...]) -> tuple[str, str]:
    """What differs in a line, in words: as it is played here, and in the rule book."""
    if row.change is RowChange.NONE or row.book_cells is None:
        house_cells = dict(zip(columns, row.cells, strict=True)) if row.book_cells is None else {}
        return _join_phrases(_worth_words(house_cells)), NOT_IN_THE_BOOK
    book_cells = dict(zip(columns, row.book_cells, strict=True))
    if row.change is RowChange.GONE:
        return NOT_PLAYED, _join_phrases(_worth_words(book_cells))
    now = dict(zip(columns, row.cells, strict=True))
    differs = [column for column in columns[1:-1] if now[column] != book_cells[column]]
    house_cells, printed_cells = (
        {column: cells[column] for column in differs} for cells in (now, book_cells)
    )
    return _join_phrases(_worth_words(house_cells)), _join_phrases(_worth_words(printed_cells))


def _worth_words(fields: Mapping[str, str]) -> Iterator[str]:
    """The cells of a line in words, by column, but for its name and source."""
    texts = {column: text for column, text in fields.items() if text and text != ORDINARY_REACH}
    if "Exposed" in texts and texts["Exposed"] == texts.get("Concealed"):
        texts["Points"] = texts.pop("Exposed")
        del texts["Concealed"]
    for column, describe in COLUMN_PHRASES.items():
        if column in texts:
            yield describe(texts[column])


def _join_phrases(phrases: Iterable[str]) -> str:
    """The words as one phrase that begins with a capital."""
    text = "; ".join(phrases)
    return text[:1].upper() + text[1:]


def _rule_cells(texts: tuple[str, ...], kinds: list[str]) -> tuple[RuleCell, ...]:
    return tuple(RuleCell(text, kind) for text, kind in zip(texts, kinds, strict=True))


@dataclass(frozen=True, slots=True)
class Asker:
    """The player whose tiles are looked at: their own wind, and the prevailing one."""

    own_wind: Wind
    prevailing: Wind | None

    def asking(self, own_wind: Wind | None, prevailing: Wind | None) -> "Asker":
        """With these winds instead, where they are given and a wind prevails at all."""
        return Asker(own_wind or self.own_wind, self.prevailing and (prevailing or self.prevailing))


def asker_of(rules: RuleSet) -> Asker:
    """East in the first round, for whoever asks away from a table."""
    return Asker(Wind.E, Wind.E if rules.passing.prevailing else None)


@dataclass(frozen=True, slots=True)
class SetWorth:
    """A set of a tile and, in words, what it is worth."""

    name: str
    tiles: tuple[Tile, ...]
    exposed: str
    concealed: str

    @property
    def is_the_same(self) -> bool:
        return self.exposed == self.concealed


@dataclass(frozen=True, slots=True)
class TileInfo:
    """One tile."""

    code: str
    name: str
    notes: tuple[str, ...]
    sets: tuple[SetWorth, ...]


@dataclass(frozen=True, slots=True)
class AidLine:
    """A line of the rules."""

    name: str
    text: str
    worth: str
    tiles: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True)
class AidPart:
    """A table of the rules."""

    title: str
    note: str
    lines: tuple[AidLine, ...]


@dataclass(frozen=True, slots=True)
class Aid:
    """Every tile, the tile that was asked about, and the rules as a crib sheet."""

    rules: RuleSet
    asker: Asker
    rows: tuple[tuple[Tile, ...], ...]
    tile: TileInfo | None
    parts: tuple[AidPart, ...]

    @property
    def winds(self) -> tuple[Wind, ...]:
        return self.rules.passing.order


def aid_of(rules: RuleSet, asker: Asker, code: str = "") -> Aid:
    """The page for that player; an unknown tile code selects none."""
    rows = tuple(row for row in TILE_ROWS if rules.bonus_points or row is not BONUS_TILES)
    if rules.jokers and rules.passing.goulash_after_a_draw:
        rows += ((JOKER,),)
    is_known = any(code in row for row in rows)
    tile = Tile(code)
    sets = []
    if is_known and tile in SUIT_TILES:  # one chow with the tile
        lowest = Tile(f"{tile[0]}{min(max(int(tile[1]) - 1, 1), 7)}")
        sets.append(_set_worth(rules, asker, "A chow", Kind.CHOW, lowest))
    if is_known and tile not in {*BONUS_TILES, JOKER}:
        sets += [_set_worth(rules, asker, name, kind, tile) for kind, name in AID_KINDS]
    return Aid(
        rules=rules,
        asker=asker,
        rows=rows,
        tile=TileInfo(
            code=tile,
            name=TILE_NAMES[tile],
            notes=tuple(_tile_sentences(rules, asker, tile)),
            sets=tuple(sets),
        )
        if is_known
        else None,
        parts=tuple(_aid_parts(rules, asker)),
    )


def _tile_sentences(rules: RuleSet, asker: Asker, tile: Tile) -> Iterator[str]:
    if tile in SUIT_TILES:
        yield "A 1 or a 9 of its suit." if tile in TERMINALS else "From the middle of its suit."
    if tile in DRAGON_TILES:
        yield "A dragon."
    if tile == TILE_OF_WIND[asker.own_wind]:
        yield f"{asker.own_wind.label}’s own wind."
    if asker.prevailing and tile == TILE_OF_WIND[asker.prevailing]:
        yield "The prevailing wind."
    if tile == JOKER and rules.jokers:
        yield (
            f"Stands for another tile in a goulash: {rules.jokers.in_a_pung} at most in a pung, "
            f"{rules.jokers.in_a_kong} in a kong."
        )
    if tile in BONUS_TILES:
        yield from _bonus_tile_sentences(rules, asker, tile)


def _bonus_tile_sentences(rules: RuleSet, asker: Asker, tile: Tile) -> Iterator[str]:
    yield "Placed beside the hand; you draw another tile to replace it."
    if rules.bonus_points:
        yield f"Worth {count_words(rules.bonus_points.points, 'point')}."
    owner = next(
        wind
        for tiles_by_wind in (FLOWER_OF_WIND, SEASON_OF_WIND)
        for wind, bonus in tiles_by_wind.items()
        if bonus == tile
    )
    owner_phrase = "your own" if owner is asker.own_wind else f"{owner.label}’s own"
    kind = "flower" if tile in FLOWER_OF_WIND.values() else "season"
    conditions = (own_flower if kind == "flower" else own_season).all_of
    doubles = sum(line.doubles for line in rules.doubles if line.when.all_of & conditions)
    doubling = f": {count_words(doubles, 'double')}" if doubles and owner is asker.own_wind else ""
    yield f"It is {owner_phrase} {kind}{doubling}."


def _set_worth(rules: RuleSet, asker: Asker, name: str, kind: Kind, tile: Tile) -> SetWorth:
    lying = [
        next(
            tile_set
            for tile_set in map(set_of, set_codes(kind, exposed=exposed))
            if tile_set.tile == tile
        )
        for exposed in (True, False)
    ]
    prices = rules.book.prices(asker.own_wind, asker.prevailing).sets
    exposed, concealed = (prices[tile_set.code] for tile_set in lying)
    return SetWorth(
        name=name,
        tiles=lying[0].tiles,
        exposed=_worth_phrase(exposed.points, exposed.doubles),
        concealed=_worth_phrase(concealed.points, concealed.doubles),
    )


def _worth_phrase(points: int, doubles: int) -> str:
    if not points and not doubles:
        return "nothing"
    parts = [count_words(points, "point")] if points else []
    return " and ".join(parts + ([count_words(doubles, "double")] if doubles else []))


def _aid_parts(rules: RuleSet, asker: Asker) -> Iterator[AidPart]:
    # Every exposed set, starting with those of the tile that represents any.
    kinds = (Kind.CHOW, *(kind for kind, _ in AID_KINDS))
    tile_sets = [set_of(code) for kind in kinds for code in set_codes(kind, exposed=True)]
    examples = sorted(tile_sets, key=lambda tile_set: tile_set.tile != EXAMPLE_TILE)
    # An example set for each line about sets or bonus tiles, by the line's name.
    hand = Hand(seat_wind=asker.own_wind, prevailing_wind=asker.prevailing)
    conditions = [(line.name, line.when) for line in rules.set_points]
    conditions += [(line.name, line.when) for line in rules.set_doubles]
    pictures = {
        name: next((tile_set.tiles for tile_set in examples if condition.test(tile_set, hand)), ())
        for name, condition in conditions
    }
    if rules.bonus_points:
        pictures[rules.bonus_points.name] = (
            FLOWER_OF_WIND[asker.own_wind],
            SEASON_OF_WIND[asker.own_wind],
        )
    if rules.adding:
        pictures |= {bouquet.name: bouquet.tiles for bouquet in rules.adding.bouquets}
    for section in all_sections(rules):
        if section.rows and section.title not in OMITTED_FROM_AID:
            lines = tuple(_aid_line(section, row, pictures) for row in section.rows)
            yield AidPart(section.title, section.note, lines)


def _aid_line(
    section: RuleSection, row: tuple[str, ...], pictures: Mapping[str, tuple[Tile, ...]]
) -> AidLine:
    fields = dict(zip(section.columns, row, strict=True))
    name = row[0]
    description = next((fields[column] for column in WORD_COLUMNS if column in fields), "")
    worths = []
    if "Exposed" in fields:
        exposed, concealed = fields["Exposed"], fields["Concealed"]
        worth_text = f"{exposed} exposed; {concealed} concealed"
        worths.append(exposed if exposed == concealed else worth_text)
    if "Points" in fields:
        worths.append(fields["Points"])
    if "Doubles" in fields:
        worths.append(count_words(int(fields["Doubles"]), "double"))
    if "Mah-Jong" in fields:
        worths.append(fields["Mah-Jong"])
        if fields["One tile short"] not in {"", "nothing"}:
            worths.append(f"one tile short {fields['One tile short']}")
    return AidLine(
        name=name,
        text="" if description.casefold() in {name.casefold(), "each", "always"} else description,
        worth="; ".join(worths),
        tiles=pictures.get(name, ()),
    )
