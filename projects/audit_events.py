"""What the audit log records."""

from __future__ import annotations

from collections.abc import Mapping

EVENTS: Mapping[str, str] = {
    "login": "Login",
    "login-failed": "Failed login",
    "logout": "Logout",
    "password-changed": "Password changed",
    "token-made": "API token made",
    "token-revoked": "API token revoked",
    "account-created": "Account created",
    "account-activated": "Account activated",
    "account-deactivated": "Account deactivated",
    "person-deleted": "Person deleted",
    "second-factor-removed": "Second factor removed",
    "administrator-added": "Administrator rights given",
    "administrator-removed": "Administrator rights taken away",
    "role-added": "Role given",
    "role-removed": "Role taken away",
    "invitation-made": "Invitation made",
    "invitation-revoked": "Invitation revoked",
    "invitation-accepted": "Invitation accepted",
    "project-created": "Project created",
    "project-changed": "Settings of the project changed",
    "project-deleted": "Project deleted",
    "project-restored": "Project restored",
    "object-archived": "Object archived",
    "object-restored": "Object restored",
    "object-deleted": "Object deleted",
    "object-removed": "Deleted object removed for good",
    "rows-changed": "Many rows of a list changed",
    "pairs-added": "Pairs added to a batch",
    "annotator-changed": "Annotator of a batch changed",
    "items-moved": "Items handed over",
    "suggester-set": "Suggestions of a linking batch set",
    "second-pass-started": "Second pass started",
    "second-pass-ended": "Second pass ended",
    "answers-seen": "Others' answers seen",
    "item-decided": "Disagreement decided",
    "export-requested": "Export requested",
    "archive-requested": "Archive of the project requested",
    "archive-imported": "Archive imported",
    "file-downloaded": "File downloaded",
    "log-pruned": "Old entries of the audit log removed",
}
"""Every kind of event with its label."""
