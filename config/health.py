"""Health checks: alive is the process, ready is what it needs."""

from __future__ import annotations

from django.contrib.auth.decorators import login_not_required
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe


@login_not_required
@require_safe
def livez(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"alive": True})


@login_not_required
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """200 when the database answers and is migrated, 503 otherwise. A missing worker is told in the pages."""
    try:
        executor = MigrationExecutor(connection)
        pending = bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    except DatabaseError:
        return JsonResponse({"ready": False, "problem": "The database does not answer."}, status=503)
    if pending:
        return JsonResponse({"ready": False, "problem": "Run `manage.py migrate`."}, status=503)
    return JsonResponse({"ready": True})
