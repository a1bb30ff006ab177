"""The API's addresses of keys and of the programs that are told."""

from clubs.accounts import api
from clubs.webhooks import api as webhooks_api

urlpatterns = [*api.urlpatterns, *webhooks_api.urlpatterns]
