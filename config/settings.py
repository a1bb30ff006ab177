"""All settings of Tongbox: one file, read from the environment, embedded defaults."""

from pathlib import Path
from urllib.parse import quote

from csp.constants import NONE, SELF
from whitenoise.compress import Compressor

from config import env, files, logs
from tongbox import __version__, places

BASE_DIR = places.BASE_DIR
VERSION = __version__
VAR_DIR = env.var_dir()

SECRET_KEY = env.secret_key(VAR_DIR)
SECRET_KEY_FALLBACKS = env.word_list("SECRET_KEY_FALLBACKS", [])
DEBUG = env.flag("DEBUG")
ALLOWED_HOSTS = env.allowed_hosts()
CSRF_TRUSTED_ORIGINS = env.word_list("TONGBOX_ORIGINS", [])
WATCHERS = env.word_list("TONGBOX_WATCHERS", [])  # networks that may see how the machine is doing
SITE_ADDRESS = env.text("TONGBOX_ADDRESS")  # empty: what was chosen in the browser
NETWORK_ADDRESS = ""  # where phones find this computer now, if not at what was chosen
PORT = env.number("TONGBOX_PORT", 8000)  # where this computer answers: whatever serves sets it
IN_CONTAINER = env.flag("TONGBOX_CONTAINER")  # its network hides who calls, and our own number

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "rest_framework",
    "drf_spectacular",
    "django_htmx",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "scoring.scorebook",
    "clubs",
    "tournaments",
    "config",
]

MIDDLEWARE = [
    "config.middleware.measure_requests",
    "config.middleware.assign_request_id",
    "config.middleware.SlowPolling",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "config.middleware.protect_response",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.middleware.redirect_to_page_above",
    "config.middleware.check_host",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "config.middleware.limit_body_size",
    "clubs.accounts.signin.session_renewal_middleware",
    "clubs.core.tries.device_middleware",
    "config.middleware.VisitorRateLimit",
    "config.middleware.WriterLimit",
    "config.middleware.VisitorLimit",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["clubs.templatetags.words"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "clubs.accounts.appearance.appearance_context",
            ],
        },
    }
]

DATABASES = env.databases(f"sqlite:///{quote(str(VAR_DIR / 'tongbox.sqlite3'))}")
if "replica" in DATABASES:  # what may be a second old is read there
    DATABASE_ROUTERS = ["clubs.core.replica.Router"]
    MIDDLEWARE.append("clubs.core.replica.replica_middleware")
DIRECT_DATABASE_URL = env.text("TONGBOX_DIRECT_DATABASE_URL")  # the server behind a pooler

REDIS_URL = env.redis_url()
CACHES = {
    "default": {"BACKEND": "config.caching.ForgivingRedisCache", "LOCATION": REDIS_URL}
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}
SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"

CELERY_BROKER_URL = REDIS_URL or "memory://localhost"
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_connect_timeout": 2} if REDIS_URL else {}  # seconds
CELERY_TASK_PUBLISH_RETRY = False  # what nobody hears of, the minute's sweep finds
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BEAT_SCHEDULE = {
    "wake waiting jobs": {"task": "clubs.tasks.wake_waiting_jobs", "schedule": 60.0},
    "wipe rehearsals": {"task": "clubs.tasks.wipe_unused_rehearsals", "schedule": 3600.0},
    "let go of answers": {"task": "clubs.tasks.let_go_of_answers", "schedule": 3600.0},
    "send news": {"task": "clubs.tasks.send_waiting_news", "schedule": 60.0},
    "back up": {"task": "tournaments.tasks.back_up_when_due", "schedule": 600.0},
    "look after clubs": {"task": "clubs.tasks.look_after_clubs", "schedule": 3600.0},
    "keep to timetables": {"task": "clubs.tasks.let_go_what_is_due", "schedule": 3600.0},
}

BOUNCES = env.text("TONGBOX_BOUNCES")  # imaps://user:password@host/INBOX, read for bounces
if BOUNCES:
    CELERY_BEAT_SCHEDULE["read bounces"] = {"task": "clubs.tasks.read_bounces", "schedule": 300.0}

vars().update(env.email_settings(f"filemail:///{quote(str(VAR_DIR / 'mail'))}"))
DEFAULT_FROM_EMAIL = env.text("TONGBOX_FROM", "Tongbox <tongbox@localhost>")
BOUNCES_TO = env.text("TONGBOX_BOUNCES_TO")  # its address; empty: bounces go to the sender
BOUNCES_KEY = env.text("TONGBOX_BOUNCES_KEY")  # in the address that a mail service reports to
DKIM_SELECTOR = env.text("TONGBOX_DKIM")  # under which the mail service's key is published
WEBHOOKS_TO_PRIVATE = env.flag("TONGBOX_WEBHOOKS_PRIVATE")  # also within one's own network
MEDIA_ROOT = VAR_DIR / "files"
BACKUPS = Path(env.text("TONGBOX_BACKUPS", str(VAR_DIR / "backups")))
BACK_UP_AT = env.text("TONGBOX_BACK_UP_AT", "3")  # from that hour on, or "never"
KEEP_BACKUPS = env.text("TONGBOX_KEEP", "7,5,12")  # days, weeks, months
BACKUPS_AWAY = env.word_list("TONGBOX_BACKUPS_AWAY", [])  # addresses: s3, webdavs, command
RECOVERY_KEY = VAR_DIR / "recovery_key"  # the key file that opens the copies there
TRY_DATABASE_URL = env.text("TONGBOX_TRY_DATABASE_URL")  # where to try them, if not beside ours
OPERATORS = env.word_list("TONGBOX_ADMINS", [])  # e-mail addresses
FOUNDING = env.text("TONGBOX_FOUNDING", "closed")  # or "open": anyone may start a club
FOUNDING_A_DAY = env.number("TONGBOX_FOUNDING_A_DAY", 50)  # requests of the whole installation
TEXTS = env.text("TONGBOX_TEXTS", str(VAR_DIR / "texts"))  # the terms and the privacy notice

AUTH_USER_MODEL = "clubs.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("MinimumLengthValidator", "CommonPasswordValidator", "NumericPasswordValidator")
]
LOGIN_REDIRECT_URL = "home"
LOGIN_URL = "account_login"
PASSWORD_HASHERS = [
    f"django.contrib.auth.hashers.{name}PasswordHasher" for name in ("Scrypt", "PBKDF2")
]
ACCOUNT_FORMS = {
    "login": "clubs.accounts.password_forms.SignInForm",
    "change_password": "clubs.accounts.password_forms.ChangeForm",
    "set_password": "clubs.accounts.password_forms.SetForm",
    "reset_password": "clubs.accounts.password_forms.ForgottenForm",
    "reset_password_from_key": "clubs.accounts.password_forms.ResetForm",
    "request_login_code": "clubs.accounts.password_forms.CodeByEmailForm",
}
ACCOUNT_ADAPTER = "clubs.accounts.signin.SignIn"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_LOGOUT_REDIRECT_URL = "home"
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = 10 * 60  # seconds
ACCOUNT_REAUTHENTICATION_TIMEOUT = 15 * 60  # seconds
ACCOUNT_RATE_LIMITS = {  # what else is tried is counted by clubs.core.tries
    "login": None,
    "login_failed": None,
    "request_login_code": None,
    "reset_password": None,
    "reset_password_from_key": "20/m/ip",
    "reauthenticate": None,
    "change_password": None,
    "manage_email": "10/h/user",
}
PASSWORD_RESET_TIMEOUT = 24 * 60 * 60  # seconds
SESSION_COOKIE_AGE = 14 * 24 * 60 * 60  # seconds without a visit
SECOND_FACTOR = env.text("TONGBOX_SECOND_FACTOR", "offered")  # or "required", for organisers
MFA_ADAPTER = "clubs.core.authentication.SecondStep"
MFA_FORMS = {
    "authenticate": "clubs.core.authentication.CodeForm",
    "reauthenticate": "clubs.core.authentication.CodeAgainForm",
}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_ALLOW_UNVERIFIED_EMAIL = True  # addresses are given by the club, nobody signs up
MFA_TOTP_ISSUER = "Tongbox"
MFA_TOTP_TOLERANCE = 1  # steps of 30 seconds: old phones' clocks are slow

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "Europe/London"
USE_I18N = True
USE_TZ = True
USE_THOUSAND_SEPARATOR = True

STATIC_URL = "static/"
STATIC_ROOT = Path(env.text("TONGBOX_STATIC_FOLDER") or VAR_DIR / "static")
STATICFILES_DIRS = [BASE_DIR / "static", ("guide", BASE_DIR / "docs" / "guide" / "pictures")]
STORAGES = {
    "default": files.storage_settings(env.text("TONGBOX_FILES")),
    "staticfiles": {
        "BACKEND": env.text(
            "TONGBOX_STATIC", "whitenoise.storage.CompressedManifestStaticFilesStorage"
        )
    },
}
# Fonts that only printouts use, and what only whoever debugs a library reads.
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = [*Compressor.SKIP_COMPRESS_EXTENSIONS, "ttf", "map"]

MOST_SENT = 6_000_000  # bytes of one request; the web server before us refuses at 6 MiB
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000  # bytes of a form without its files
DATA_UPLOAD_MAX_NUMBER_FIELDS = 5_000  # an import that is checked has some for each line
DATA_UPLOAD_MAX_NUMBER_FILES = 2

BEHIND_TLS = env.flag("TONGBOX_TLS")
SECURE_SSL_REDIRECT = BEHIND_TLS
SECURE_HSTS_SECONDS = 31_536_000 if BEHIND_TLS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = BEHIND_TLS
SECURE_HSTS_PRELOAD = BEHIND_TLS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_TLS else None
ALLAUTH_TRUSTED_PROXY_COUNT = 1 if BEHIND_TLS else 0
SECURE_REFERRER_POLICY = "same-origin"  # a link's key never leaves; forms need their own origin
SESSION_COOKIE_SECURE = BEHIND_TLS
CSRF_COOKIE_SECURE = BEHIND_TLS
CSRF_COOKIE_HTTPONLY = True
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "worker-src": [SELF],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "clubs.accounts.signin.KeyAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["clubs.api.callers.DenyAll"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["clubs.api.fields.SmallJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "clubs.api.openapi.DescribedSchema",
    "EXCEPTION_HANDLER": "clubs.api.answers.answer_problems",
    "URL_FORMAT_OVERRIDE": "as",
    "DEFAULT_THROTTLE_RATES": {  # a minute: one key, one signed in, one table's link, one address
        "key": "1200/min",
        "person": "1200/min",
        "link": "600/min",
        "address": "1200/min",
        "visitor": "600/min",  # pages of clubs, for one network
        "sign-in": "10/min",
    },
    "NUM_PROXIES": 1 if BEHIND_TLS else 0,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Tongbox",
    "DESCRIPTION": "You can do almost everything through the API that you can do on the website. "
    "Lists come in pages of 50, and errors are returned as `problems`.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1/",
    "POSTPROCESSING_HOOKS": ["clubs.api.openapi.complete_schema"],
}

LOGGING = logs.logging_settings(env.text("TONGBOX_LOG", "WARNING"), as_json=logs.IN_JSON)
