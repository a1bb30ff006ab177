"""The script that keeps a table's pages on the phone, and sends what waits there."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from clubs.core.access import open_to_all


@open_to_all
def worker(request: HttpRequest) -> HttpResponse:
    """Served beside the tables' links, because it serves nothing above itself."""
    return render(request, "table_worker.js", content_type="text/javascript")
