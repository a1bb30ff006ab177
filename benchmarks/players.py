"""What players' pages, special hands and ratings cost: `python -m benchmarks.players`."""

import os

import django

from clubs.tenancy import across_clubs


def main() -> None:
    """Set Django up with the settings of the tests, then measure."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.test_settings")
    django.setup()
    from benchmarks.played import measure

    measure()


if __name__ == "__main__":
    with across_clubs():
        main()
