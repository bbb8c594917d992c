"""Who looked at what they are allowed to see only with a trace."""

from django.conf import settings
from django.db import models

from .project import Project


class AuditEntry(models.Model):
    project = models.ForeignKey(Project, models.CASCADE, related_name="audit_entries")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    action = models.CharField(max_length=60)
    target = models.CharField(max_length=200)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.user} {self.action} {self.target}"
