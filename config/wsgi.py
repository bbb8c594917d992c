import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from config import environment

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
environment.required_secret_key(settings.VAR)
# The launcher loads the settings before gunicorn_settings.py sets these two.
settings.WEB_THREADS = int(os.environ.get("PARAGOLD_WEB_THREADS") or 0)
of_web = environment.database(environment.secret("DATABASE_URL"), settings.VAR)
settings.DATABASES["default"]["OPTIONS"] = of_web["OPTIONS"]
application = get_wsgi_application()
# Now, before the workers are forked, and not in each of them with its first request.
_ = get_resolver().url_patterns
