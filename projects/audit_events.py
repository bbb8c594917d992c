"""What the audit log records."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext_noop as _

EVENTS: Mapping[str, str] = {
    "login": _("Login"),
    "login-failed": _("Failed login"),
    "logout": _("Logout"),
    "password-changed": _("Password changed"),
    "token-made": _("API token made"),
    "token-revoked": _("API token revoked"),
    "account-created": _("Account created"),
    "account-activated": _("Account activated"),
    "account-deactivated": _("Account deactivated"),
    "person-deleted": _("Person deleted"),
    "second-factor-removed": _("Second factor removed"),
    "administrator-added": _("Administrator rights given"),
    "administrator-removed": _("Administrator rights taken away"),
    "role-added": _("Role given"),
    "role-removed": _("Role taken away"),
    "invitation-made": _("Invitation made"),
    "invitation-revoked": _("Invitation revoked"),
    "invitation-accepted": _("Invitation accepted"),
    "project-created": _("Project created"),
    "project-changed": _("Settings of the project changed"),
    "project-deleted": _("Project deleted"),
    "project-restored": _("Project restored"),
    "object-archived": _("Object archived"),
    "object-restored": _("Object restored"),
    "object-deleted": _("Object deleted"),
    "object-removed": _("Deleted object removed for good"),
    "rows-changed": _("Many rows of a list changed"),
    "pairs-added": _("Pairs added to a batch"),
    "judgements-asked": _("Further judgements of uncertain pairs asked for"),
    "annotator-changed": _("Annotator of a batch changed"),
    "items-moved": _("Items handed over"),
    "suggester-set": _("Suggestions of a linking batch set"),
    "second-pass-started": _("Second pass started"),
    "second-pass-ended": _("Second pass ended"),
    "answers-seen": _("Others' answers seen"),
    "item-decided": _("Disagreement decided"),
    "export-requested": _("Export requested"),
    "archive-requested": _("Archive of the project requested"),
    "archive-imported": _("Archive imported"),
    "file-downloaded": _("File downloaded"),
    "log-pruned": _("Old entries of the audit log removed"),
}
"""Every kind of event with its label."""
