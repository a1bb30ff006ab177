"""Where the API has what a page has: its address is named after the page's, ``api-…``."""

from django.urls import reverse

from tournaments.models import Tournament


def linked(page: str, tournament: Tournament) -> str:
    """The API's address for a page of the tournament, by the page's name; empty for no page."""
    if not page:
        return ""
    where = {"club": tournament.club.slug, "tournament": tournament.pk}
    return reverse(f"api-{page}", kwargs=where)


def table_linked(tournament: Tournament, round_number: int, number: int) -> str:
    """The API's address of a table of a round."""
    where = {
        "club": tournament.club.slug,
        "tournament": tournament.pk,
        "round": round_number,
        "number": number,
    }
    return reverse("api-tournament-table", kwargs=where)


def hall_links(tournament: Tournament) -> dict[str, str]:
    """The pages for everyone in the hall, without signing in."""
    key = [tournament.wall_key]
    return {
        "wall": reverse("tournament-wall", args=key),
        "find_me": reverse("find-me", args=key),
        "why": reverse("why-open", args=key),
        "results": reverse("results", args=key) if tournament.published_at else "",
    }
