"""Where the lines of the rule sets come from: the books, and numbered notes on what they leave open.

The source of a line is a place in a book, a note, or both: `Gregory, stage 1; note 11`.
`docs/rules/notes.md` is `notes_page()`. A note is added at the end, and none is renumbered: printed
pages name them.
"""

# ruff: noqa: E501 - the notes are prose

import re
import sys
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

NOTES_FILE: Final = "notes.md"

_NOTE_TEXTS: Final = (
    (
        "How a hand is read",
        (
            "All five books are played alike here. A kong counts as one only once it is declared, so four identical tiles in the hand may be a pung and a tile of a chow, or two of seven pairs. "
            "A claimed tile completes an exposed set, and the player has the best place for it. A robbed kong’s tile is claimed. "
            "Someone who did not go Mah-Jong counts every pair that scores, because no book says that only one may count. "
            "The only possible tile is judged by the hand alone: what others have discarded does not matter, and a kind of which the player holds all four is no possibility."
        ),
    ),
    (
        "Doubles of the winner, BMJA",
        (
            "The free sample stops before page 26, where the book lists the additional doubles. They are taken from the page “Doubling” of the book’s website. "
            "There, all concealed needs suit tiles and winds or dragons; the authors’ corrections to Headley and Seeley’s book say “one or more suits”. "
            "One suit with no winds or dragons earns no double when it has a chow; without chows it is Purity. "
            "The double for no chows is given with two and three players too, but not in a goulash, where nobody may have chows."
        ),
    ),
    (
        "Special hands, BMJA",
        (
            "The free sample stops before pages 28 to 30, where the book lists the special hands. They are taken from the page “Special hands” of its website, and where that could not be read whole, from three independent lists that agree: "
            "Kajongg’s BMJA rules, mahjiang.com, and a public scorer that follows the website section by section. "
            "The values for a hand one tile short, two fifths and one fifth of the limit, agree in all three. "
            "Open points: for Knitting the website says “any two of the suits”; others ask for the same two throughout, as here. "
            "All Pair Honours may hold four of a kind as two pairs, as no limit is stated. "
            "Imperial Jade needs no green dragons, and Buried Treasure no winds or dragons, as no source asks for them. "
            "A concealed special hand may be completed by a claimed tile, because the website asks only that it stays concealed “until fully formed”; so may Gates of Heaven. "
            "Whenever the ordinary score is higher, it is used. "
            "Flowers and seasons beside a special hand are counted apart, with their own doubles, and added; the whole stays within the limit. Only the final discard doubles them."
        ),
    ),
    (
        "Two points for a drawn tile, BMJA",
        "The book gives 2 points for a winning tile “drawn from the wall”. Its website means the live wall; a loose tile from the kong box has a double of its own. So a loose tile brings the 2 points in Purity alone, where the website says so. A dealt hand and a first discard bring none.",
    ),
    (
        "Original call, BMJA",
        "Book and website list the original call twice: for every player, and again for the winner. Read word for word, a player who is fishing has 1 double and a winner 2. The website’s glossary speaks of “an extra double”, and Kajongg gives winners 1 only, so a club may choose 1. The table says who made the call; Tongbox does not check it.",
    ),
    (
        "Purity and jokers, BMJA",
        (
            "Purity’s own points are doubled three times, and its flowers and seasons are counted apart, as the website shows; the final discard doubles both. Winners may take the ordinary score instead. "
            "How many jokers a set may hold is cut off in our copy of the website. As in “Outside the Box”, the guide of a British club, a pung may hold one and a kong two; a pair and a special hand of its own shape hold none."
        ),
    ),
    (
        "Payments, BMJA",
        (
            "From the page “Settling up” of the website: everyone pays the winner, then the losers pay each other the differences, and East pays and receives double. East doubles throughout the game, not the player of the prevailing wind; the authors of the printed book corrected that. "
            "With two players East does not double. The limit applies to scores, not to payments. On a drawn hand nobody pays. A player who pays for all pays every share, East’s double among them, and then the losers do not settle."
        ),
    ),
    (
        "Winds, goulash and number of players, BMJA",
        (
            "South becomes East when East neither goes Mah-Jong nor draws, and the prevailing wind changes once everyone has been East and lost it: the website’s glossary. The hand after a drawn one is a goulash, and so is the one after a drawn goulash. "
            "For two, three and five players the page in the book is not in the sample. As at Ultra Board Games, three players sit as East, South and West; with five, an East who loses sits out and the fifth player comes in as North."
        ),
    ),
    (
        "Penalties, BMJA",
        "The book refers to Headley and Seeley for penalties, which are not public. They are taken from “Outside the Box”, the guide of a British club, from Kajongg’s BMJA rules, and from a British club’s website (mahjongclub.andrewcolleran.site). The first two agree unless note 10 says otherwise. A fine for a wrongly named tile goes to the player who claimed it.",
    ),
    (
        "False Mah-Jong, BMJA",
        "“Outside the Box” charges half the limit to each other player once someone has shown a hand; Kajongg’s dialogue divides half the limit among them. The first is played here, and a club may choose the other. East neither pays nor receives double.",
    ),
    (
        "Chows, BMJA",
        "One chow at most, and none with two or three players, is the book’s. None in a goulash, except inside a special hand, is from the website’s page “Variations of play”. A player who did not go Mah-Jong is held to it only for chows on the table.",
    ),
    (
        "Two players, BMJA",
        "With two players nobody may go Mah-Jong until the hand has four doubles or 500 points. The rule is at Ultra Board Games, where it says four “pairs”, read here as doubles; the page in the book is not in the sample.",
    ),
    (
        "Where nobody pays",
        "Neither Safalra nor Baggaley describes a payment. Scores are added up from hand to hand.",
    ),
    (
        "Safalra’s lost lists",
        (
            "The lists of what the winner scores, and of the doubles, are missing from every copy we found. They are worked back from the greatest score on the page, 2,592, for concealed kongs of the three dragons and of own wind with a pair of another wind. "
            "Those kongs make 64, and 2,592 is 81 doubled five times, so the winner’s points come to 17: 10 for Mah-Jong, 5 for no chows, 1 for drawing and 1 for the only possible tile, half of what is usual, as are all other points on the page. "
            "The fifth double is for a hand of winds and dragons only. Other divisions would come to the same total."
        ),
    ),
    (
        "After the game, Safalra",
        "The winner is East next, as the page says. After a dead game it says “repeat the instructions”, which might mean the dice; here East stays. With two or three players the play passes through empty places, which are never East.",
    ),
    (
        "A loose tile, Safalra",
        "The page does not say whether a tile from the kong tiles counts as drawn from the wall. Here it does.",
    ),
    (
        "Points of sets, tallies",
        "The table of points is a picture on the page and was lost. The page says in words that major sets score twice the minor ones, concealed more than melded, and that flowers and seasons score. The BMJA’s figures fit all of that and are used.",
    ),
    (
        "Doubles of the winner, tallies",
        "The list of doubles for kinds of hand was lost with its picture. The BMJA’s are used (note 2), except for the concealed hand, for which this page gives 10 points instead of a double.",
    ),
    (
        "Special hands, tallies",
        "The list of special hands was lost with its picture. The BMJA’s are used (note 3), at the limit, or half the limit for the three hands in pairs and threes. Losers score nothing, so nothing is given for being one tile short.",
    ),
    (
        "Other points, tallies",
        "The limit is the players’ choice, “often 2,000”. Purity is doubled three times, and flowers and seasons are counted beside special hands, as in note 3. A tile from the kong box brings no double, as the page lists none; an original call brings one. The dealer, who need not be East, has the Heavenly Hand.",
    ),
    (
        "Fewer or more players, tallies",
        "From the page of variants on the same website: two and three players have no chows, and two players need four doubles or 500 points to go Mah-Jong. Its “four pairs” are read as doubles.",
    ),
    (
        "Dealing and the prevailing wind, tallies",
        "The dealer keeps the deal until they lose it, and then the winner deals. The page changes the prevailing wind when the dealer loses “the 5th game or any thereafter”: here, after a hand that the dealer lost and that was at least the fifth of its wind. Drawn hands count among the five. The page lets the dice choose the first dealer; the table names that player, or else it is seat 1.",
    ),
    (
        "Paying out, tallies",
        "Only the winner is paid. After a discard the discarder alone pays, twice the score, or four times between dealer and player. The page says nothing of the others then, so they pay nothing. A tile from the kong box and a dealt hand are paid as if drawn from the wall, a robbed kong and the final discard as discards. With two players the dealer neither pays nor receives double.",
    ),
    (
        "Pairs of other winds and of 1s or 9s, tallies",
        "The page says in a summary that pairs of honour and terminal tiles score, but its table of points was lost. As in the BMJA’s, only dragons, own wind and the prevailing wind score here; a club may give the others 2 points too.",
    ),
    (
        "What Baggaley leaves open",
        (
            "His table does not say who scores. Only Mah-Jongg is marked for the winner, so everyone scores. There is no limit. The three chows of a dragon and the four flowers of a bouquet do not score their own points as well, because each is one feature of the hand; seven pairs and an orphan also have the 20 for Mah-Jongg. "
            "Heavenly Bliss adds 100 to the hand."
        ),
    ),
    (
        "The orphan, and the drawn last tile, Baggaley",
        (
            "An orphan is fourteen tiles of which no two could stand in one set. His example is of 1-4-7, 2-5-8 and 3-6-9 in three suits, but nothing asks for just that. "
            "“Draws” is a tile from the head of the wall, its last tile among them; a replacement from the tail does not double. Seven pairs cannot be won by a claim."
        ),
    ),
    (
        "East and the end of the game, Baggaley",
        "East, North, West, South is his order of play. He does not say who is East next: here East stays after going Mah-Jongg and after a draw, and otherwise the next player is East. If several players reach 100 in one hand, the highest wins.",
    ),
    (
        "What the English account leaves open",
        (
            "“Complete set of flowers or seasons: 3 doubles” does not say that your own tile is in it, so that still doubles. “With winds and dragons” is met by either. A hand completed by a claimed tile is not wholly concealed. "
            "Gates of Heaven names thirteen tiles, so the fourteenth may be any of the suit; a claimed one must not stand in the concealed pungs. The pair of Triple Knitting may be two identical suit tiles, as the account says of every pair."
        ),
    ),
    (
        "Optional limit hands, English",
        "The account calls these hands optional: “Which ones are acceptable vary from game to game.” All are played here, and a club can leave out any of them. In Buried Treasure only the pair may be completed by a claimed tile, and kongs are not allowed, because it names concealed pungs.",
    ),
    (
        "“And a pair”, English",
        (
            "For Imperial Jade the account says “and a pair”, and for Triple Knitting “And a pair”, with no word on which tiles; for Heads and Tails it says “all of 1s and 9s”. It explains a pair as “two of same tile”. So the pair of these two hands may be any pair, winds and dragons too. "
            "Two of one number in two suits are still accepted in Triple Knitting, as in the other books. A club can choose the narrower reading of each."
        ),
    ),
    (
        "Limit hands and face value, English",
        "The face value is taken instead whenever it is higher, for a hand of any shape, so there is no limit to it. Nothing says that flowers and seasons are added to a limit hand, so they are not. Three Great Scholars, Four Blessings and 13 Wonders score without Mah-Jong, on the tiles named alone.",
    ),
    (
        "Settling up and rounds, English",
        "Everyone pays the winner, then the losers settle their differences, and the banker pays and receives double, with two players too. After a wash-out nobody moves. “A round ends when everyone has been banker”; how many rounds make a game is for the table.",
    ),
)

_NOTE_NUMBER: Final = re.compile(r"\bnote (\d+)", re.IGNORECASE)


class Publication(NamedTuple):
    """A book, page or paper: the name that sources use, and what it is."""

    name: str
    text: str


class Note(NamedTuple):
    """What a source leaves open or does not print, how it is played here, and why."""

    number: int
    title: str
    text: str

    @property
    def anchor(self) -> str:
        return f"note-{self.number}"


class Citation(NamedTuple):
    """A piece of a source as it is printed, and the number of the note that it names, if any."""

    text: str
    note: int | None

    @property
    def anchor(self) -> str:
        return f"note-{self.note}" if self.note else ""


BOOKS: Final = (
    Publication(
        "Gregory",
        "Peter Gregory, “Mah-Jong, British Rules”, the free sample of the book, 2009–10. It teaches the rules of the British Mah-Jong Association in stages.",
    ),
    Publication(
        "Gregory’s website",
        "mahjongbritishrules.com, the website that goes with the book, named by the title of the page.",
    ),
    Publication(
        "Safalra", "“Safalra’s Mah Jong Rules”, safalra.com, named by the heading on the page."
    ),
    Publication(
        "Ultra Board Games",
        "“Mahjong, British Rules”, ultraboardgames.com, named by the heading on the page. It counts scores in tallies.",
    ),
    Publication(
        "Baggaley",
        "“Mah-Jongg, Stuart Baggaley’s Rules”, as he taught them in Michigan, revised on 21 November 2007.",
    ),
    Publication(
        "English account",
        "“Mahjong or Mah Jongg”, an account of the game as it is played in England, without author or date, named by the heading in it.",
    ),
)

NOTES: Final = tuple(Note(number, *note) for number, note in enumerate(_NOTE_TEXTS, 1))


def citations(source: str) -> Iterator[Citation]:
    """The source piece by piece: `Gregory, stage 1; ` and `note 11`, which names a note."""
    start = 0
    for match in _NOTE_NUMBER.finditer(source):
        if text := source[start : match.start()]:
            yield Citation(text, None)
        yield Citation(match[0], int(match[1]))
        start = match.end()
    if last_text := source[start:]:
        yield Citation(last_text, None)


def notes_in_sources(sources: Iterable[str]) -> tuple[Note, ...]:
    """The notes that the sources name, in the order of their numbers."""
    numbers = {piece.note for source in sources for piece in citations(source)}
    return tuple(note for note in NOTES if note.number in numbers)


def books_in_sources(sources: Iterable[str]) -> tuple[Publication, ...]:
    """The books that the sources name, in the order of `BOOKS`."""
    places = {place.partition(",")[0] for source in sources for place in source.split("; ")}
    return tuple(book for book in BOOKS if book.name in places)


def link_notes(source: str) -> str:
    """The source in Markdown, each note a link to its place in `docs/rules/notes.md`."""
    return "".join(
        f"[{piece.text}]({NOTES_FILE}#{piece.anchor})" if piece.note else piece.text
        for piece in citations(source)
    )


def notes_page() -> str:
    """The books and every note as Markdown."""
    parts = [
        "# Sources and notes",
        "Each line of a [rules page](README.md) names its source: a place in a book, or a note on this page.",
        "## Books",
        "\n".join(f"- **{book.name}**: {book.text}" for book in BOOKS),
        "Each note below says what a book leaves open, how it is played here, and why. A club can choose otherwise where the page lists it under “Open points”.",
    ]
    for note in NOTES:
        parts += [f"## Note {note.number}", f"**{note.title}.** {note.text}"]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.stdout.write(notes_page())
