"""What is stored, as DRF's generic viewsets answer it: a list, and each of its records."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from rest_framework.mixins import ListModelMixin, RetrieveModelMixin
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.routers import SimpleRouter
from rest_framework.serializers import BaseSerializer
from rest_framework.viewsets import GenericViewSet

from clubs.api.commands import PatchAPIView
from clubs.api.filters import FilterBackend
from clubs.api.lists import TablesAPIView
from clubs.api.pagination import ListPagination

CLUB_PATH: Final = "clubs/<slug:club>/"


class RecordViewSet(TablesAPIView, GenericViewSet[Any]):
    """A viewset whose list is also a file, and can be filtered (``filterset_class``).

    DRF's mixins read and delete (``perform_destroy`` calls the service). What is added or changed
    is validated by the page's form: ``command_endpoint`` makes ``create`` and the actions,
    ``patch_endpoint`` makes ``partial_update``. ``log`` has the activity log's sentence for each
    of them, by its name. ``list_serializer_class`` answers the list, where a record says more than
    its row.
    """

    filter_backends = [FilterBackend]
    pagination_class = ListPagination
    lookup_value_converter = "int"
    list_serializer_class: type[BaseSerializer[Any]] | None = None
    log: ClassVar[Mapping[str, str] | str] = {}

    @property
    def offers_files(self) -> bool:  # type: ignore[override]
        """Whether it is the list that is asked for."""
        return self.action == "list"

    def get_serializer_class(self) -> type[BaseSerializer[Any]]:
        if self.action == "list" and self.list_serializer_class:
            return self.list_serializer_class
        return super().get_serializer_class()

    def on_page(self, page: Any) -> Any:
        """What the serializer is given for one page: its rows, unless a viewset adds more."""
        return page

    def paginate_queryset(self, queryset: Any) -> Any:
        return self.on_page(super().paginate_queryset(queryset))

    def get_renderers(self) -> list[BaseRenderer]:
        """A record is JSON."""
        return super().get_renderers() if self.offers_files else [JSONRenderer()]


class ClubViewSet(RecordViewSet, PatchAPIView):
    """A viewset of a club's records, which may be changed under the club's lock."""


class ClubListViewSet(ListModelMixin, ClubViewSet):
    """A viewset that only lists."""


class ClubReadOnlyViewSet(RetrieveModelMixin, ClubListViewSet):
    """A viewset that lists and reads, to which others add what can be done."""


class Router(SimpleRouter):
    """DRF's router, with Django's path converters in its addresses."""

    def __init__(self) -> None:
        super().__init__(use_regex_path=False)

    @property
    def urls(self) -> list[Any]:
        """The patterns, none of which includes others."""
        return super().urls
