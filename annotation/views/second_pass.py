"""The second pass of a batch, for managers: started and ended on the batch's page."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from annotation.models import BatchKind
from annotation.services.second_pass import end_second_pass, start_second_pass
from projects.errors import PublicError
from projects.models import Project
from projects.permissions import check_manage
from projects.views.project_view import back_to, project_view, tell, user_of

from .batches import batch_of


@require_POST
@project_view(check_manage)
def second_pass(request: HttpRequest, project: Project, pk: int) -> HttpResponse:
    """Start or end it, as the button that was pressed says."""
    batch = batch_of(project, pk, BatchKind.JUDGE)
    wanted = request.POST.get("second_pass")
    try:
        if wanted in {"start", "anyway"}:
            start_second_pass(batch=batch, by=user_of(request), anyway=wanted == "anyway")
            messages.success(request, "The second pass has begun: all see their own disputed pairs again.")
        elif wanted == "end":
            end_second_pass(batch=batch, by=user_of(request))
            messages.success(request, "The second pass has ended. What is still disputed can be decided.")
        else:
            raise Http404("A second pass is started or ended.")
    except PublicError as error:
        tell(request, error)
    return back_to(request, "batch", project.slug, batch.pk)
