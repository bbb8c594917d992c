from projects.api.endpoint import route

from .archives import (
    ProjectArchiveDownloadView,
    ProjectArchivesView,
    ProjectArchiveView,
)
from .deletion import (
    DeletableProjectView,
    DeletedProjectsView,
    PeopleView,
    PersonView,
    RestoreProjectView,
)

urlpatterns = [
    route("projects/<slug:slug>/", DeletableProjectView, "api-project"),
    route("deleted-projects/", DeletedProjectsView, "api-deleted-projects"),
    route("deleted-projects/<int:pk>/restore/", RestoreProjectView, "api-project-restore"),
    route("people/", PeopleView, "api-people"),
    route("people/<int:pk>/", PersonView, "api-person"),
    route("projects/<slug:slug>/archives/", ProjectArchivesView, "api-archives"),
    route("archives/<int:pk>/", ProjectArchiveView, "api-archive"),
    route("archives/<int:pk>/download/", ProjectArchiveDownloadView, "api-archive-download"),
]
