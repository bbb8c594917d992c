"""Static files with the hash of their content in their names, imports between ES modules included."""

from django.contrib.staticfiles.apps import StaticFilesConfig
from whitenoise.storage import CompressedManifestStaticFilesStorage


class ModuleManifestStorage(CompressedManifestStaticFilesStorage):
    support_js_module_import_aggregation = True


class StaticFiles(StaticFilesConfig):
    # htmx's extensions are not used, and one names a module in a comment that does not exist.
    ignore_patterns = [*StaticFilesConfig.ignore_patterns, "ext"]
