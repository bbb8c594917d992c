"""Every address: pages by app, the API under /api/v1/, health checks."""

from django.urls import include, path

from .health import livez, readyz
from .views.lineage import gold_pair
from .views.project import project
from .views.projects import projects

urlpatterns = [
    path("livez", livez, name="livez"),
    path("readyz", readyz, name="readyz"),
    path("api/v1/", include("config.api")),
    path("", projects, name="projects"),
    path("", include("corpus.urls")),
    path("projects/<slug:slug>/", project, name="project"),
    path("projects/<slug:slug>/gold/pairs/<int:pk>/", gold_pair, name="gold-pair"),
    path("", include("annotation.urls")),
    path("", include("alignment.urls")),
]

handler404 = "config.views.errors.not_found"
handler500 = "config.views.errors.broken"
