"""Put the drafts of the terms and the privacy notice where the operator fills them in.

`manage.py check` says whether a gap is left, and `deploy/hosted.md` what the texts are for.
"""

from shutil import copyfile
from typing import Any

from django.core.management.base import BaseCommand

from clubs.hosting.texts import DRAFTS, GAP_MARK, TEXT_TITLES, path_of


class Command(BaseCommand):
    """``manage.py draft_terms``: a text that is there already stays as it is."""

    help = "Write drafts of the terms and the privacy notice, to be filled in by hand."

    def handle(self, *args: Any, **options: Any) -> None:
        for kind, title in TEXT_TITLES.items():
            path = path_of(kind)
            if path.exists():
                self.stdout.write(f"{title}: {path} is there already. Nothing was changed.")
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            copyfile(DRAFTS / f"{kind}.md", path)
            self.stdout.write(f"{title}: fill in every “{GAP_MARK} …]” in {path}")
