"""Projects and the people in them, what every object of a project has in common, and rows of the whole
installation: its settings, failed logins, requests sent with a key."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Self

from django.conf import global_settings, settings
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.deconstruct import deconstructible
from django.utils.translation import gettext, gettext_lazy, gettext_noop as _
from knox.models import AbstractAuthToken
from knox.settings import CONSTANTS

from paragold.formats.publishing import canonical_licence
from projects.audit_events import EVENTS


@deconstructible
@dataclass
class Within:
    """Refuses, with `message`, a number that is not from `low` to `high`; NaN is neither."""

    low: float
    high: float
    message: str

    def __call__(self, value: float) -> None:
        if not self.low <= value <= self.high:
            raise ValidationError(gettext(self.message))


class PhenomenaScope(models.TextChoices):
    """In which pairs of a batch phenomena are counted."""

    NONE = "none", _("in no pair")
    PARAPHRASES = "paraphrases", _("in paraphrases and partial paraphrases")
    EVERY_PAIR = "every_pair", _("in every pair, as table 2 of Dolan et al. (2004)")


class Scheme(models.TextChoices):
    BINARY = "binary", _("Binary: paraphrase or not")
    THREE_WAY = "three_way", _("Three-way: paraphrase, partial paraphrase, unrelated")


class GoldRule(models.TextChoices):
    DISAGREEMENT_NEGATIVE = "disagreement_negative", _("Disagreement counts as not a paraphrase")
    MAJORITY = "majority", _("Majority; a tie counts as not a paraphrase")
    ADJUDICATED = "adjudicated", _("Adjudicated where people disagree")


class Role(models.TextChoices):
    MANAGER = "manager", _("Manager")
    ADJUDICATOR = "adjudicator", _("Adjudicator")
    ANNOTATOR = "annotator", _("Annotator")
    VIEWER = "viewer", _("Viewer")


# Within sentences, for the catalogs of translations.
_ROLES = (_("manager"), _("adjudicator"), _("annotator"), _("viewer"))


class ProjectQuerySet(models.QuerySet["Project"]):
    def visible_to(self, user) -> ProjectQuerySet:
        """The projects in which `user` has any role; all of them for an administrator."""
        if user.is_superuser:
            return self
        return self.filter(memberships__user_id=user.pk).distinct()


class ProjectManager(models.Manager.from_queryset(ProjectQuerySet)):  # type: ignore[misc]  # built at run time
    """All projects but those that only hold the rows of an unfinished import, and those that are deleted."""

    def get_queryset(self) -> ProjectQuerySet:
        return super().get_queryset().filter(staging=False, deleted_at=None)


class Project(models.Model):
    """A corpus and its settings."""

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=120)
    language = models.CharField(
        max_length=35,
        default="en",
        validators=[
            RegexValidator(
                r"\A[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*\Z",
                "This is not a language tag. Write one such as en, de or pt-BR.",
            )
        ],
        help_text=_("BCP 47 tag of the text, such as en, de or pt-BR."),
    )
    second_language = models.CharField(
        max_length=35,
        blank=True,
        help_text=_(
            "Language of the second sentence of each pair, such as fr, for translations; empty for "
            "sentences in one language."
        ),
    )
    scheme = models.CharField("judging scheme", max_length=12, choices=Scheme.choices, default=Scheme.BINARY)
    overlap = models.PositiveSmallIntegerField(
        default=2,
        validators=[Within(1, 20, _("Each pair is judged by 1 to 20 people."))],
        help_text=_("How many annotators judge each pair: 1 to 20."),
    )
    gold_rule = models.CharField(
        max_length=24,
        choices=GoldRule.choices,
        default=GoldRule.DISAGREEMENT_NEGATIVE,
        help_text=_("Determines the gold label from a pair's judgements."),
    )
    count_phenomena = models.CharField(
        max_length=11,
        choices=PhenomenaScope.choices,
        default=PhenomenaScope.NONE,
        help_text=_(
            "In which pairs annotators count elaborations, synonyms and the like. It applies to new "
            "batches and can be changed in each."
        ),
    )
    held_out_share = models.FloatField(
        "held-out share",
        default=0.0,
        validators=[Within(0, 0.9, _("The share is from 0 (none) to 0.9."))],
        help_text=_("Share of the clusters that are kept for testing: 0 to 0.9."),
    )
    seed = models.PositiveIntegerField(default=1, help_text=_("Determines which clusters are held out."))
    near_duplicate_share = models.FloatField(
        "leave out near duplicates",
        null=True,
        blank=True,
        validators=[Within(0.1, 1, _("The share is from 0.1 to 1; empty for none."))],
        help_text=_(
            "Leaves out, at import, articles that have this share of text in common with another of "
            "their cluster: 0.1 to 1, such as 0.8. Empty: leaves out none."
        ),
    )
    guidelines = models.TextField(
        blank=True,
        help_text=_("What counts as a paraphrase, in Markdown. Annotators see it beside every pair."),
    )
    guidelines_version = models.PositiveIntegerField(
        default=1, editable=False, help_text="Counts the changes of the guidelines, from 1."
    )
    licence = models.CharField(
        max_length=200,
        blank=True,
        help_text=_(
            "SPDX identifier of the licence of exported data sets, such as CC-BY-4.0. Each export can "
            "name another."
        ),
    )
    authors = models.TextField(
        blank=True,
        help_text=_(
            "Authors of published data sets, one per line: family name, given names, or an organisation."
        ),
    )
    contact = models.CharField(
        max_length=200, blank=True, help_text=_("Printed in the data card, such as an e-mail address.")
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    staging = models.BooleanField(default=False, help_text="Contains the hidden rows of an unfinished import")
    deleted_at = models.DateTimeField(null=True, editable=False)
    deleted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, editable=False, related_name="+"
    )

    objects = ProjectManager()
    everything = models.Manager()  # noqa: DJ012 - a second manager is taken for a field

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(condition=Q(overlap__gte=1) & Q(overlap__lte=20), name="project_overlap"),
            models.CheckConstraint(
                condition=Q(held_out_share__gte=0) & Q(held_out_share__lte=0.9), name="project_held_out"
            ),
            models.CheckConstraint(
                condition=Q(near_duplicate_share=None)
                | Q(near_duplicate_share__gte=0.1, near_duplicate_share__lte=1),
                name="project_near_duplicates",
            ),
            models.CheckConstraint(
                condition=~Q(second_language=models.F("language")), name="project_two_languages"
            ),
            models.CheckConstraint(condition=Q(scheme__in=Scheme.values), name="project_scheme"),
            models.CheckConstraint(condition=Q(gold_rule__in=GoldRule.values), name="project_gold_rule"),
            models.CheckConstraint(
                condition=Q(count_phenomena__in=PhenomenaScope.values), name="project_count_phenomena"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("project", args=[self.slug])

    def clean(self) -> None:
        try:
            self.licence = canonical_licence(self.licence)
        except ValueError as error:
            raise ValidationError({"licence": str(error)}) from error

    @property
    def languages(self) -> tuple[str] | tuple[str, str]:
        """The language of its text, or of the first and of the second sentences of its pairs."""
        return (self.language, self.second_language) if self.second_language else (self.language,)

    @property
    def language_names(self) -> list[str]:
        """Their names in the language of the page; the tag of a language that Django does not know."""
        known = {code: gettext(name) for code, name in global_settings.LANGUAGES}
        return [known.get(tag, tag) for tag in self.languages]

    def holds_out(self, cluster_key: str) -> bool:
        """Whether the cluster is held out: its hash under the project's seed falls below the share.

        The decision depends on seed and key alone, so a cluster imported later never moves another.
        """
        digest = hashlib.blake2b(f"{self.seed}\x1f{cluster_key}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big") < self.held_out_share * 2**64


class MembershipManager(models.Manager["Membership"]):
    """Nobody has a role in a project that is deleted."""

    def get_queryset(self) -> models.QuerySet[Membership]:
        return super().get_queryset().filter(project__deleted_at=None)


class Membership(models.Model):
    """A role of a person in a project; several are allowed."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=Role.choices)
    guidelines_version = models.PositiveIntegerField(
        default=1, help_text="Of an annotator: the version of the guidelines that was confirmed last."
    )

    objects = MembershipManager()

    class Meta:
        ordering = ["user__username", "role"]
        constraints = [
            models.UniqueConstraint(fields=["project", "user", "role"], name="membership_unique"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="membership_role"),
        ]

    def __str__(self) -> str:
        return f"{self.user} is {self.role} of {self.project}"


class EarlierGuidelines(models.Model):
    """Guidelines that others have replaced."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="earlier_guidelines")
    version = models.PositiveIntegerField()
    text = models.TextField(blank=True)
    replaced_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    replaced_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["project", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["project", "version"], name="earlier_guidelines_version")
        ]

    def __str__(self) -> str:
        return f"version {self.version} of the guidelines of {self.project}"


class Invitation(models.Model):
    """A link that gives its holders a role in a project, until it expires or is used up; revoked ones are
    deleted. The link itself is signed and not stored."""

    project = models.ForeignKey(Project, models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=12, choices=Role.choices)
    uses_left = models.PositiveSmallIntegerField()
    expires_at = models.DateTimeField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [models.CheckConstraint(condition=Q(role__in=Role.values), name="invitation_role")]

    def __str__(self) -> str:
        return f"invitation {self.pk} of {self.project} as {self.role}"


class AuditQuerySet(models.QuerySet["AuditEntry"]):
    """Adds and reads; `projects.services.audit.prune` is the only one that removes."""

    def update(self, **values: Any) -> int:
        raise AppendOnly

    def delete(self) -> tuple[int, dict[str, int]]:
        raise AppendOnly


class AppendOnly(Exception):
    """Somebody tried to change or delete entries of the audit log."""

    def __init__(self) -> None:
        super().__init__("The audit log is append-only.")


class AuditEntry(models.Model):
    """Who did or saw what, in a project or (without one) in the installation.

    Names are copies and ids no foreign keys: an entry stays as it is when a person or project is deleted.
    Triggers of the database (migration 0001) refuse every change, and every deletion that no later entry
    accounts for: one with `pruned_before`, the time before which entries were removed.
    """

    at = models.DateTimeField(auto_now_add=True, db_index=True)
    event = models.CharField(max_length=40, db_index=True, help_text="Kind of event.")
    actor_id = models.BigIntegerField(null=True, db_index=True, help_text="Number of the account.")
    actor = models.CharField(
        max_length=150,
        blank=True,
        help_text="User name; empty for a command and for people who are not logged in.",
    )
    project_id = models.BigIntegerField(null=True, db_index=True, help_text="Number of the project.")
    project = models.CharField(
        max_length=60,
        blank=True,
        help_text="Short name of the project in addresses; empty: accounts and the installation.",
    )
    target = models.CharField(max_length=200, blank=True)
    details = models.JSONField(default=dict)
    address = models.CharField(
        max_length=64, blank=True, help_text="IPv4 address or IPv6 /64 network of the request."
    )
    request_id = models.CharField(max_length=64, blank=True)
    pruned_before = models.DateTimeField(null=True, db_index=True)

    objects = AuditQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.actor} {self.event} {self.target}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise AppendOnly
        super().save(*args, **kwargs | {"force_insert": True})

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise AppendOnly

    @property
    def label(self) -> str:
        """The kind of event in words."""
        return gettext(EVENTS.get(self.event, self.event))


class TokenScope(models.TextChoices):
    """What a token may do of that which its owner's roles allow."""

    READ = "read", gettext_lazy("Read: GET only")
    ANNOTATE = "annotate", gettext_lazy("Annotate: read, and answer what is assigned to you")
    MANAGE = "manage", gettext_lazy("Manage: everything that your roles allow")


class ApiToken(AbstractAuthToken):
    """A token of the API, of which the database holds a hash."""

    id = models.BigAutoField(primary_key=True)
    digest = models.CharField(max_length=CONSTANTS.DIGEST_LENGTH, unique=True)
    name = models.CharField(
        max_length=80, default="Login", help_text=gettext_lazy("Where the token is used.")
    )
    scope = models.CharField(
        max_length=8,
        choices=TokenScope.choices,
        default=TokenScope.MANAGE,
        help_text=gettext_lazy("What the token may do; never more than its owner."),
    )
    last_used_at = models.DateTimeField(null=True, help_text="When it was last used, to the minute.")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=Q(scope__in=TokenScope.values), name="token_scope"),
        ]


class RemovableQuerySet(models.QuerySet[Any]):
    def current(self) -> Self:
        """The rows that lists and choices offer: all but the archived ones."""
        return self.filter(archived_at=None)


class Kept:
    """For managers: all rows but those that are deleted."""

    def get_queryset(self) -> Any:
        return super().get_queryset().filter(deleted_at=None)  # type: ignore[misc]  # that of the manager


class KeptManager(Kept, models.Manager.from_queryset(RemovableQuerySet)):  # type: ignore[misc]  # built at run time
    pass


class Removable(models.Model):
    """An archived row is hidden from lists and choices, and readable. A deleted one is hidden from everything
    but the bin and the job that removes it (`everything`); its name is free."""

    archived_at = models.DateTimeField(null=True, editable=False)
    deleted_at = models.DateTimeField(null=True, editable=False)
    deleted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, editable=False, related_name="+"
    )

    objects = KeptManager()
    everything = models.Manager()  # noqa: DJ012 - a second manager is taken for a field

    class Meta:
        abstract = True


class LoginCount(models.Model):
    """Failed logins of one account, device or address.

    `key` is a keyed hash: the table names neither people nor addresses.
    """

    key = models.CharField(max_length=64, unique=True)
    failures = models.PositiveIntegerField(default=0, help_text="Logins that are being checked included")
    last_at = models.DateTimeField(db_index=True, help_text="When the last login was tried")

    def __str__(self) -> str:
        return f"{self.failures} failures, the last at {self.last_at:%Y-%m-%d %H:%M:%S}"


class OwnLanguage(models.Model):
    """The language of the interface that a person has chosen; without a row, the browser says it."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+")
    language = models.CharField(max_length=10)

    def __str__(self) -> str:
        return f"{self.language}, of {self.user}"


class Submission(models.Model):
    """A form or an API request that a person sent with a key, and what it led to.

    `result` is None while the first of them is at work: the address a form led to, or the answer of the API.
    `project` is the one that it was sent to: the row goes with it.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    project = models.ForeignKey(Project, models.CASCADE, null=True, related_name="+")
    key = models.CharField(max_length=64)
    body_sha256 = models.CharField(max_length=64)
    result = models.JSONField(null=True)
    begun_at = models.DateTimeField(db_index=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="submission_once")]

    def __str__(self) -> str:
        return f"submission {self.key} of {self.user}"
