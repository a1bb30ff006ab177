"""The API's addresses of keys and of the programs that are told."""

from clubs.api.access import tokens, webhooks

urlpatterns = [*tokens.urlpatterns, *webhooks.urlpatterns]
