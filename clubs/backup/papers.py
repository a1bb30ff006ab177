"""The sheet with the recovery key: what to keep in another building, and what to do with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from clubs.paper.fonts import BOLD_FACE
from clubs.paper.formats import DEFAULT_FORMAT, Format
from clubs.paper.page import INK, LINE_COLOUR, SOFT_INK, Paper

KEY_PREFIX: Final = "AGE-SECRET-KEY-1"
GROUP_LENGTH, GROUPS_PER_LINE = 4, 5
CODE_SIDE: Final = 118.0
KEY_SIZE: Final = 15.0
LINE_STEP: Final = 24.0
LEDE: Final = (
    "Keep this paper in another building. If the computer is gone, it opens the copies of your "
    "backups. Without it, no one can open them."
)
TYPING_NOTE: Final = (
    "In the key, 0 is always a nought. It does not matter whether you type capitals."
)
RECOVERY_STEPS: Final = (
    "1. Install Tongbox on another computer.",
    "2. Set TONGBOX_BACKUPS_AWAY to the address below, with its user name and password.",
    "3. Run “tongbox restore --from-away” (on a server, “manage restore --from-away”).",
    "4. Choose a copy, and type this key when you are asked.",
)
WARNING: Final = (
    "Anyone who has this key and a copy can read everything in it. Do not photograph this paper, "
    "and do not email it."
)
WITHOUT_TONGBOX_NOTE: Final = (
    "Without Tongbox: write the key in a file, on one line without spaces. The free program age "
    "(age-encryption.org) then opens a copy: age --decrypt --identity FILE COPY.tar.age"
)


def recovery_sheet(
    key: str, *, places: Sequence[str], made_on: str, form: Format = DEFAULT_FORMAT
) -> bytes:
    """A PDF of the key in groups and as a QR code, three steps, and the places of the copies.

    ``places`` are their addresses without passwords; there are lines to write on.
    """
    sheet = _RecoverySheet(
        Paper("Recovery key", form), f"Recovery key of Tongbox, printed on {made_on}"
    )
    paper = sheet.paper
    sheet.begin()
    sheet.y = paper.title(sheet.y, "Recovery key", LEDE)
    sheet.draw_key(key)
    sheet.say(TYPING_NOTE)
    sheet.head("To get everything back")
    for step in RECOVERY_STEPS:
        sheet.say(step)
    sheet.head("Where the copies are")
    for place in places or ("",):
        sheet.draw_place(place)
    sheet.head("Keep it secret")
    sheet.say(WARNING)
    sheet.y -= 4
    sheet.say(WITHOUT_TONGBOX_NOTE, SOFT_INK)
    return paper.finish()


@dataclass
class _RecoverySheet:
    """What is drawn from ``y`` downwards, on another page where there is no room."""

    paper: Paper
    footer: str
    y: float = 0

    def begin(self) -> None:
        self.paper.footer(self.footer)
        self.y = self.paper.masthead("Tongbox", "Backups at another place")

    def _room_for(self, height: float) -> None:
        if self.y - height < self.paper.foot:
            self.paper.next_page()
            self.begin()
            self.y -= 24

    def say(self, text: str, colour: str = INK) -> None:
        self._room_for(29)
        room = self.paper.room
        self.y = self.paper.paragraph(
            self.paper.margin, self.y, text, room=room, size=10.5, colour=colour
        )
        self.y -= 3

    def head(self, text: str) -> None:
        self._room_for(90)
        with self.paper.tags.element("H2"):
            self.paper.text(self.paper.margin, self.y - 18, text, size=13, face=BOLD_FACE)
        self.y -= 38

    def draw_key(self, key: str) -> None:
        """A box with the key in groups, and its QR code."""
        paper, key_letters = self.paper, key.removeprefix(KEY_PREFIX)
        groups = [
            key_letters[start : start + GROUP_LENGTH]
            for start in range(0, len(key_letters), GROUP_LENGTH)
        ]
        rows = [
            " ".join(groups[start : start + GROUPS_PER_LINE])
            for start in range(0, len(groups), GROUPS_PER_LINE)
        ]
        height, top = CODE_SIDE + 12, self.y - 4
        paper.box(
            paper.margin, top - height, paper.room, height, line=1, colour=LINE_COLOUR, round_by=6
        )
        paper.qr(key, paper.right - CODE_SIDE - 6, top - 6 - CODE_SIDE, CODE_SIDE)
        baseline = top - (height - LINE_STEP * len(rows)) / 2 - 5
        for line in (KEY_PREFIX, *rows):
            room = paper.room - CODE_SIDE - 34
            paper.text(paper.margin + 18, baseline, line, size=KEY_SIZE, face=BOLD_FACE, room=room)
            baseline -= LINE_STEP
        self.y = top - height - 20

    def draw_place(self, place: str) -> None:
        """Its address, and lines for its user name and password, if it has them."""
        self._room_for(72)
        paper, left_edge = self.paper, self.paper.margin + 72
        has_password = "PASSWORD" in place or not place
        blanks = [("User name", ""), ("Password", "")] if has_password else []
        for label, text in [("Address", place), *blanks]:
            paper.text(paper.margin, self.y, label, size=10.5, colour=SOFT_INK)
            if text:
                room = paper.right - left_edge
                lowest = paper.lines(
                    left_edge, self.y, text, size=10.5, face=BOLD_FACE, room=room, most=3
                )
                self.y = lowest
            else:
                paper.rule(left_edge, self.y - 3, paper.right, self.y - 3, colour=LINE_COLOUR)
            self.y -= LINE_STEP
        self.y -= 2
