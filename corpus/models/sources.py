"""Articles on their way in: imports."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_noop as _

from jobs.models import Job
from paragold.languages import ENGLISH
from paragold.languages.language import TOKENISATION
from projects.models import Kept, Project, Removable, RemovableQuerySet

SIGNATURE = f"{ENGLISH.sentence_signature}|{ENGLISH.token_signature}"
"""Of imports whose texts are split by Paragold's own rules for English."""
# Of the segmenters of all imports of a project; longer ones are hashed.
LONGEST_SIGNATURE = 120


class ImportState(models.TextChoices):
    CHECKING = "checking", _("Being checked")
    CHECKED = "checked", _("Checked; nothing is written yet")
    REFUSED = "refused", _("Refused; nothing was written")
    STORING = "storing", _("Being stored")
    IMPORTED = "imported", _("Imported")
    UNCHANGED = "unchanged", _("Nothing new in it")


class ImportQuerySet(RemovableQuerySet):
    def imported(self) -> ImportQuerySet:
        """The imports that brought something into the corpus."""
        return self.filter(state=ImportState.IMPORTED)

    def text_signature(self) -> str:
        """The methods that decided the sentences and tokens of a project's articles, from all its imports."""
        used = sorted(set(self.imported().values_list("signature", flat=True)) - {SIGNATURE})
        tokens, first = ENGLISH.token_signature, [ENGLISH.sentence_signature]
        # Imports of pairs, which are a collection of their own, have another form. All of a project's imports
        # are in its language.
        parts = [signature.rpartition("|") for signature in used]
        of_texts = [part for part in parts if part[2].startswith(TOKENISATION)]
        if of_texts and of_texts[0][2] != tokens:
            tokens, first = of_texts[0][2], []
        split = "|".join([*first, *(part[0] for part in of_texts)])
        if len(split) > LONGEST_SIGNATURE:
            split = f"imports:{blake2b(split.encode(), digest_size=8).hexdigest()}"
        return f"{tokens}|{split}"


class ImportManager(Kept, models.Manager.from_queryset(ImportQuerySet)):  # type: ignore[misc]  # built at run time
    pass


class CorpusImport(Removable):
    """One file, what was found in it and what became of it.

    While rows are stored they hang on `staging`, a project that nobody sees; the last step moves them.
    """

    project = models.ForeignKey(Project, models.CASCADE, related_name="imports")
    state = models.CharField(max_length=10, choices=ImportState.choices, default=ImportState.IMPORTED)
    filename = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64)
    options = models.JSONField(default=dict, help_text="How the file is read: format, encoding, columns")
    counts = models.JSONField(default=dict)
    notes = models.JSONField(default=list)
    problems = models.JSONField(default=list, help_text="Why the file was refused, in words.")
    sample = models.JSONField(default=list, help_text="The first articles, as they were cut")
    signature = models.TextField(help_text="Methods of segmentation and tokenisation that were used.")
    token = models.CharField(max_length=32, blank=True, help_text="Names its files in the uploads folder")
    job = models.OneToOneField(Job, models.SET_NULL, null=True, related_name="corpus_import")
    staging = models.OneToOneField(Project, models.SET_NULL, null=True, related_name="+")
    imported_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    imported_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[ImportManager] = ImportManager()

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=ImportState.values), name="import_state"),
            models.CheckConstraint(
                condition=Q(staging=None) | Q(state=ImportState.STORING), name="import_staging_while_storing"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.filename} into {self.project}"

    @property
    def kind(self) -> str:
        """The id of its ImportKind."""
        kind: str = self.options.get("kind", "articles")
        return kind

    @property
    def refused(self) -> bool:
        return self.state == ImportState.REFUSED

    @property
    def found_by(self) -> dict[str, Any] | None:
        """How the clusters were found, with the method's version; None where they were given."""
        event_settings: dict[str, Any] | None = self.options.get("events")
        return event_settings
