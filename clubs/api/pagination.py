"""Pages of a list: fifty rows each, or all of them as a file or ``?as=json``."""

import re
from typing import Any, Final

from django.db.models import QuerySet
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import PageNumberPagination
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

MAX_ROWS: Final = 20_000
PAGE_NUMBER: Final = re.compile(r"[1-9]\d{0,8}", re.ASCII)


class ListPagination(PageNumberPagination):
    """Fifty rows at a time, in an order that leaves no two rows equal; ``?page=2`` goes on."""

    page_size = 50
    last_page_strings = ()

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        """The rows of the page asked for, of a queryset or of a sequence."""
        if isinstance(queryset, QuerySet):
            order = queryset.query.order_by or queryset.model._meta.ordering
            queryset = queryset.order_by(*order, "pk")
        return super().paginate_queryset(queryset, request, view)

    def get_page_size(self, request: Request) -> int:
        """Fifty rows; every row for a file and where the caller asks for ``?as=``."""
        is_page = isinstance(getattr(request, "accepted_renderer", None), JSONRenderer)
        return self.page_size if is_page and "as" not in request.query_params else MAX_ROWS

    def get_page_number(self, request: Request, paginator: Any) -> int:
        """A whole number from 1; raises ``ValidationError`` for anything else."""
        if paginator.per_page == MAX_ROWS:
            return 1
        number = request.query_params.get("page", "1")
        if not PAGE_NUMBER.fullmatch(number):
            raise ValidationError({"page": ["Choose a page number from 1."]}, code="bad_parameter")
        return int(number)

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:  # noqa: ARG002
        """The page parameter in the API's description."""
        kind = {"type": "integer", "minimum": 1, "maximum": 999_999_999}
        description = "50 rows a page, counted from 1"
        return [
            {
                "name": "page",
                "in": "query",
                "schema": kind,
                "required": False,
                "description": description,
            }
        ]

    def get_paginated_response_schema(self, schema: Any) -> dict[str, Any]:
        """A page of rows in the API's description."""
        address = {"type": ["string", "null"], "format": "uri"}
        count = {"type": "integer", "description": "rows on all pages"}
        fields: dict[str, Any] = {"count": count}
        fields |= {"next": address, "previous": address, "results": schema}
        return {"type": "object", "required": ["count", "results"], "properties": fields}


class OnePagePagination(ListPagination):
    """All rows as one page, where they are never many."""

    page_size = MAX_ROWS

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:  # noqa: ARG002
        """No parameter: there is one page."""
        return []
