"""The words of a backup program are no longer kept: one may be a password."""

from typing import Any

from django.db import migrations
from django.utils.crypto import salted_hmac


def seal_words(apps: Any, editor: Any) -> None:
    """``away.sh b2:club`` becomes ``away.sh (3f2a91)``, as ``clubs.backup.program`` writes it."""
    copies = apps.get_model("clubs", "AwayCopy").objects.using(editor.connection.alias)
    for place in set(copies.values_list("place", flat=True)):
        program, _, words = place.partition(" ")
        if words and "/" not in program:  # else an address
            seal = salted_hmac("clubs.backup.program", place, algorithm="sha256").hexdigest()[:6]
            copies.filter(place=place).update(place=f"{program} ({seal})")


class Migration(migrations.Migration):
    dependencies = [("clubs", "0017_clubs_of_kept_answers")]

    operations = [migrations.RunPython(seal_words, migrations.RunPython.noop)]
