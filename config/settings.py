"""Settings: safe by default, everything that differs between installations comes from the environment.

config/variables.py lists the variables.
"""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from kombu import Queue

from config import environment, observing, sign_on
from ops.launcher.installation import Installation
from paragold import __version__ as VERSION

BASE_DIR = Path(__file__).resolve().parent.parent
INSTALLATION = Installation.from_environment()
VAR = INSTALLATION.var

DEBUG = environment.flag("PARAGOLD_DEBUG")
HTTPS = environment.flag("PARAGOLD_HTTPS")
SECRET_KEY = environment.secret_key(VAR)
ALLOWED_HOSTS = environment.words("PARAGOLD_ALLOWED_HOSTS")
CSRF_TRUSTED_ORIGINS = environment.words("PARAGOLD_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.socialaccount.providers.saml",
    "allauth.usersessions",
    "ops",
    "alignment",
    "annotation",
    "corpus",
    "jobs",
    "projects",
    "django.forms",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "config.static.StaticFiles",
    "csp",
    "django_htmx",
    "rest_framework",
    "knox",
    "drf_spectacular",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    # Before the static files, which have these headers too.
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "projects.middleware.browser_headers",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "ops.metrics.Requests",
    "projects.middleware.LargeRequests",
    "projects.middleware.SpareThread",
    "django.middleware.gzip.GZipMiddleware",
    "projects.middleware.Utf8Requests",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "projects.request_limits.RequestLimits",
    "projects.interface_language.language_of_pages",
    "projects.views.accounts.LoginRequired",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "projects.submissions.SubmitOnce",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.i18n",
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "ops.navigation.installation",
                "ops.navigation.navigation",
                "projects.submissions.form_token",
                "projects.sign_on.switches",
                "projects.interface_language.texts_of_scripts",
            ],
            "builtins": ["django.templatetags.i18n"],
        },
    },
]

FORM_RENDERER = "projects.forms.rendering.BoundedForms"

DATABASES = {"default": environment.database(environment.secret("DATABASE_URL"), VAR)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTHENTICATION_BACKENDS = ["projects.sessions.AccountBackend"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "projects"
LOGOUT_REDIRECT_URL = "account_login"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

# Password reset by mail, second factors, the list of sessions and single sign-on, by django-allauth; each is
# off unless the environment switches it on (docs/sign-on.md).
SIGN_ON = sign_on.switches()
EMAIL_BACKEND, EMAIL_HOST, EMAIL_PORT, EMAIL_HOST_USER, EMAIL_HOST_PASSWORD, EMAIL_USE_TLS, EMAIL_USE_SSL = (
    sign_on.mail_server()
)
EMAIL_TIMEOUT = 10
PASSWORD_RESET_TIMEOUT = 24 * 3600
DEFAULT_FROM_EMAIL = SIGN_ON.mail_from
ACCOUNT_ADAPTER = "projects.sign_on.AccountAdapter"
ACCOUNT_FORMS = {"reset_password": "projects.sign_on.ResetPasswordForm"}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SESSION_REMEMBER = True
# `projects.services.logins` counts over all processes; those that django-allauth counts are of one.
ACCOUNT_RATE_LIMITS = {"login": None, "login_failed": None}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "Paragold: "
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_EMAIL_CONFIRMATION_AUTHENTICATED_REDIRECT_URL = "/accounts/"
ACCOUNT_REAUTHENTICATION_REQUIRED = True
MFA_ADAPTER = "projects.sign_on.SecondFactorAdapter"
MFA_FORMS = {
    "authenticate": "projects.sign_on.CodeForm",
    "reauthenticate": "projects.sign_on.CodeAgainForm",
}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True
MFA_TOTP_TOLERANCE = 1
MFA_TOTP_ISSUER = "Paragold"
SOCIALACCOUNT_ADAPTER = "projects.sign_on.ProviderAdapter"
# By a link: a form that leads to another site is refused by the Content-Security-Policy.
SOCIALACCOUNT_LOGIN_ON_GET = True
SOCIALACCOUNT_PROVIDERS = sign_on.providers()

LANGUAGE_CODE = "en"
# Of the interface (docs/people.md#language); the language of a corpus is chosen in its project.
LANGUAGES = [("en", "English"), ("nl", "Nederlands"), ("de", "Deutsch")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "config.formats"
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
WHITENOISE_ALLOW_ALL_ORIGINS = False
STATIC_ROOT = VAR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
# The store that several hosts share, for projects/storage.py; None: files lie in the data folder.
SHARED_STORAGE = environment.shared_storage()
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    **({"shared": SHARED_STORAGE} if SHARED_STORAGE else {}),
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "config.static.ModuleManifestStorage"
    },
}
UPGRADE_WITHOUT_BACKUP = environment.flag("PARAGOLD_UPGRADE_WITHOUT_BACKUP")
# A deleted project can be restored for so many days; 0 removes it at once.
UNDO_DAYS = environment.count("PARAGOLD_UNDO_DAYS", maximum=365)
# Days that files are kept: of uploads that were not imported, of exports (0: until somebody deletes them).
UPLOADS_DAYS = environment.positive("PARAGOLD_UPLOADS_DAYS")
EXPORTS_DAYS = environment.count("PARAGOLD_EXPORTS_DAYS", maximum=36_500)
EXPORTS_DIR = VAR / "exports"
UPLOADS_DIR = VAR / "uploads"
FILE_UPLOAD_TEMP_DIR = str(UPLOADS_DIR) if UPLOADS_DIR.is_dir() else None
FILE_UPLOAD_MAX_MEMORY_SIZE = 1 << 20
DATA_UPLOAD_MAX_MEMORY_SIZE = 4 << 20

SESSION_ENGINE = "projects.sessions"
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME, DEVICE_COOKIE_NAME, MESSAGES_COOKIE_NAME, LANGUAGE_COOKIE_NAME = (
    environment.cookie_name(purpose, SECRET_KEY, https=HTTPS)
    for purpose in ("session", "csrf", "device", "messages", "language")
)
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SECURE = HTTPS
MESSAGE_STORAGE = "projects.sessions.Messages"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "projects.views.accounts.csrf_failure"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^livez$", r"^readyz$", r"^metrics$"]
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
# How many proxies in front add to X-Forwarded-For; 0: the header is ignored, since anybody can write it.
TRUSTED_PROXIES = environment.count("PARAGOLD_TRUSTED_PROXIES", maximum=10)
# Requests in a minute: of an account, and of an address without a login; 0: no limit.
ACCOUNT_REQUESTS = environment.count("PARAGOLD_ACCOUNT_REQUESTS", maximum=10**9)
ADDRESS_REQUESTS = environment.count("PARAGOLD_ADDRESS_REQUESTS", maximum=10**9)
WEB_THREADS = 0  # set by wsgi.py; 0: a server without a bound on its threads
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "connect-src": [SELF],
        "font-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

REST_FRAMEWORK = {
    # The token first: its WWW-Authenticate header makes the answer to an anonymous caller a 401.
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "projects.api.transport.TokenAuthentication",
        "projects.api.transport.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["projects.api.transport.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["projects.api.transport.BoundedJSONParser"],
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "projects.error_responses.handle",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
REST_KNOX = {
    "TOKEN_TTL": timedelta(days=30),
    "TOKEN_LIMIT_PER_USER": 20,
    "SECURE_HASH_ALGORITHM": "hashlib.sha512",
    "TOKEN_PREFIX": "pgold_",
}
KNOX_TOKEN_MODEL = "projects.ApiToken"  # noqa: S105 - a model
MIGRATION_MODULES = {"knox": None}  # its only table is replaced
# How long entries of the audit log are kept; 0: for ever.
AUDIT_DAYS = environment.count("PARAGOLD_AUDIT_DAYS", maximum=36_500)
SPECTACULAR_SETTINGS = {
    "TITLE": "Paragold",
    "VERSION": VERSION,
    "DESCRIPTION": "Import, extract, judge, link, score and export, as the pages and commands do.",
    # The description of the API says nothing of the installation: no login is needed for it.
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "projects.api.openapi.document_operations",
    ],
    "GET_LIB_DOC_EXCLUDES": "projects.api.openapi.classes_without_description",
    "ENUM_NAME_OVERRIDES": {
        "TokenScopeEnum": "projects.models.TokenScope",
        "GoldRuleEnum": "projects.models.GoldRule",
        "ItemStateEnum": "annotation.models.AssignmentState",
        "MergeRuleEnum": "alignment.services.gold_links.RULES",
        "GoldStrengthsEnum": "alignment.services.gold_links.STRENGTHS",
        "AlignerEnum": "paragold.aligners.registry.untrained_ids",
        "ErrorRateAlignerEnum": "paragold.aligners.registry.trained_ids",
        "KindEnum": "annotation.models.BatchKind",
        "LinkFormatEnum": "paragold.formats.link_files.link_format_ids",
        "LexiconKindEnum": "corpus.models.LexiconKind",
        "SubclusterRuleEnum": "annotation.models.SubclusterRule",
        "DrawnClustersEnum": "paragold.sampling.strategy.CLUSTERS",
        "MatchedClustersEnum": "paragold.extraction.criteria.CLUSTERS",
        "MatchMethodEnum": ("auto", "minhash", "exact", "bands"),
        "HeadlineMethodEnum": ("pairwise", "kmeans"),
        "MatchScopeEnum": ("clusters", "project"),
        "PhenomenaScopeEnum": "projects.models.PhenomenaScope",
    },
}


REDIS_URL = environment.secret("REDIS_URL") or INSTALLATION.redis_url
CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 5_000},  # figures of that many batches
    },
    "requests": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "paragold-requests",
        "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
    },
}
# Celery's name of a Unix socket differs from that of the client of Redis.
CELERY_BROKER_URL = re.sub("^unix:", "redis+socket:", REDIS_URL)
# A broker that is down is found out quickly: the job waits in the database all the same.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 3600, "max_retries": 1, "interval_start": 0, "interval_step": 0, "interval_max": 0,
}  # fmt: skip
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_QUEUES = [Queue(name, routing_key=name) for name in ("long", "short")]
CELERY_TASK_DEFAULT_QUEUE = "long"
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_TIMEOUT = 4
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # at the start, for ever
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_CONCURRENCY = environment.count("PARAGOLD_WORKERS", maximum=1000) or 1
# After so many messages, or with so many kilobytes of memory, a process gives way to a fresh one.
CELERY_WORKER_MAX_TASKS_PER_CHILD = 200
CELERY_WORKER_MAX_MEMORY_PER_CHILD = 400 << 10

# What a chunk may take, unless its job says otherwise.
CHUNK_SECONDS = 300
# How long a worker may hold a chunk without a sign of life, and how often it gives one.
LEASE_SECONDS = environment.positive("PARAGOLD_LEASE_SECONDS")
HEARTBEAT_SECONDS = environment.positive("PARAGOLD_HEARTBEAT_SECONDS")

LOGGING = observing.log_settings()
observing.report_errors(VERSION)
# What a program that collects figures sends to read /metrics; without one there is no such page.
METRICS_TOKEN = environment.secret("PARAGOLD_METRICS_TOKEN")

# What apps take from those above them, by dotted path.
JOB_KINDS = "config.job_kinds.JOB_KINDS"
OPERATIONS = "config.operations.OPERATIONS"
IMPORTS = "config.imports.IMPORTS"
REMOVABLE_KINDS = (
    "corpus.services.removable.KINDS",
    "annotation.services.removable.KINDS",
    "alignment.services.removable.KINDS",
)
HOUSEKEEPING = (
    "jobs.services.retention.sweep",
    "ops.deletion.projects.sweep_deleted_projects",
    "ops.deletion.projects.sweep_files",
    "ops.table_statistics.refresh_statistics",
)
RESOURCES = (
    "annotation.listings.PAIRS",
    "annotation.listings.BATCHES",
    "annotation.listings.ITEMS",
    "jobs.resources.JOBS",
)
LIST_ACTION_JOB = "jobs.services.list_actions.launch_list_action"
SUB_CLUSTER_TUNING = "annotation.services.subcluster_scores.tuned_for"
LINK_ITEMS = "alignment.api.link_review.LINK_ITEMS"
LINK_SECOND_LOOKS = "alignment.services.second_pass.LINKS"
LINK_AGREEMENT = "alignment.services.disputes.agreement_of_links"
LINK_MODELS = "alignment.services.link_models.LINKS"
ALIGNMENT_ERROR = "alignment.services.scoring.ALIGNMENT_ERROR"
