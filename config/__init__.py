"""The switchboard: settings, addresses, the worker, the server."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
