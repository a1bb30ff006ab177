"""Lists over the API: as JSON, and as a file for a spreadsheet."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import (
    BaseAPIView,
    ClubAPIView,
    GetDecorator,
    PersonalAPIView,
    SerializerClass,
    get_endpoint,
)
from clubs.api.pagination import ListPagination, OnePagePagination
from clubs.api.tables import CSVRenderer, XLSXRenderer
from clubs.core.files import file_name

FORMATS: Final = [JSONRenderer, CSVRenderer, XLSXRenderer]


class TablesAPIView(BaseAPIView):
    """Answers with rows: also as a file (``?as=csv``, ``?as=xlsx``) for a spreadsheet.

    ``table`` names the part of the answer that holds the rows, where it is not the whole of it:
    ``table = "rows"``. ``table_of`` answers with rows that are never so many as to need pages.
    ``sheet`` names the sheet of a workbook, where the address does not; ``headings``
    are the words for fields whose names do not say it in this list, and ``value_labels`` tells
    those for what a field holds: a file leaves empty what has none.
    """

    renderer_classes = FORMATS
    offers_files = True
    pagination_class: type[ListPagination] = OnePagePagination
    table: ClassVar[str] = ""
    sheet: ClassVar[str] = ""
    headings: ClassVar[Mapping[str, str]] = {}

    def value_labels(self) -> Mapping[str, Mapping[str, str]]:
        """For a field, the words for what it holds."""
        return {}

    @property
    def sheet_name(self) -> str:
        last_part = self.request.path.rstrip("/").rpartition("/")[2]
        return self.sheet or last_part.replace("-", " ").capitalize()

    def finalize_response(
        self, request: Request, response: Any, *args: Any, **kwargs: Any
    ) -> Response:
        """A file with the name under which it is saved."""
        answer = super().finalize_response(request, response, *args, **kwargs)
        kind = getattr(getattr(answer, "accepted_renderer", None), "format", "json")
        if kind != "json":
            disposition = f'attachment; filename="{file_name(self.sheet_name)}.{kind}"'
            answer.headers["Content-Disposition"] = disposition
        return answer

    def table_of(self, rows: Any, serializer_class: SerializerClass) -> Response:
        """All rows as one page, each by this serializer."""
        pages = OnePagePagination()
        page: Any = pages.paginate_queryset(list(rows), self.request, view=self)
        return pages.get_paginated_response(serializer_class(page, many=True).data)


class ListsAPIView(TablesAPIView):
    """Answers with rows that are worked out: fifty a page, all of them as a file or ``?as=json``.

    A list of what is stored is a ``ClubViewSet``.
    """

    pagination_class = ListPagination

    def page_of(self, rows: Any, serializer_class: SerializerClass) -> Response:
        """The rows of the page asked for (a queryset or a sequence), each by this serializer."""
        pages = self.pagination_class()
        page: Any = pages.paginate_queryset(rows, self.request, view=self)
        return pages.get_paginated_response(serializer_class(page, many=True).data)


class ClubTableAPIView(TablesAPIView, ClubAPIView):
    """An API view of a table without pages: ranks, sums."""


class ClubListAPIView(ListsAPIView, ClubAPIView):
    """An API view of a list that grows with the club."""


class PersonalListAPIView(ListsAPIView, PersonalAPIView):
    """An API view of a list of what is someone's own."""


def table_endpoint(serializer_class: SerializerClass, **schema_options: Any) -> GetDecorator:
    """Make of a call that finds rows, never so many as to need pages, a view's ``get``."""
    return get_endpoint(
        lambda view, rows: view.table_of(rows, serializer_class),
        responses=serializer_class(many=True),
        **schema_options,
    )


def list_endpoint(serializer_class: SerializerClass, **schema_options: Any) -> GetDecorator:
    """Make of a call that finds the rows of a list a view's ``get``, which answers in pages."""
    return get_endpoint(
        lambda view, rows: view.page_of(rows, serializer_class),
        responses=serializer_class(many=True),
        **schema_options,
    )
