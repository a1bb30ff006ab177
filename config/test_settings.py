"""Settings for the tests: the real ones, but for speed and for the outside world."""

import os
import tempfile

os.environ.setdefault("TONGBOX_VAR", tempfile.mkdtemp(prefix="tongbox-test-"))

from config.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
SITE_ADDRESS = "http://localhost:8000"
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
CELERY_TASK_ALWAYS_EAGER = True
CELERY_TASK_EAGER_PROPAGATES = True
WHITENOISE_AUTOREFRESH = True
# The same few people ask for everything; tests of what is too often take the real rates.
REST_FRAMEWORK = {
    **REST_FRAMEWORK,  # noqa: F405
    "DEFAULT_THROTTLE_RATES": {
        **dict.fromkeys(("key", "person", "link", "address", "visitor"), "1000000/min"),
        "sign-in": "10/min",
    },
}
if DATABASES["default"]["ENGINE"] == "config.sqlite":  # noqa: F405
    # A file, as an installation has: threads must wait for one another as they do there.
    DATABASES["default"]["TEST"] = {"NAME": VAR_DIR / "test.sqlite3"}  # noqa: F405
if REDIS_URL:  # noqa: F405
    # Tests that run side by side empty the cache under their feet unless each has its own.
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    server, _, database = REDIS_URL.rpartition("/")  # noqa: F405
    CACHES["default"]["LOCATION"] = f"{server}/{(int(database) + worker) % 16}"  # noqa: F405
