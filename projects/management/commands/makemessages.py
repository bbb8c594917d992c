"""Django's command, which here also finds the messages of public errors where they are raised."""

from __future__ import annotations

from django.core.management.commands import makemessages

from projects.management.bounded import BoundedCommand

ERRORS = (
    "Conflict", "FirstAdministratorGone", "InUse", "InvitationGone", "KeyReused", "PublicError",
    "StillRunning", "TooLittleRoom", "UploadGone",
)  # fmt: skip


class Command(BoundedCommand, makemessages.Command):
    xgettext_options = [
        *makemessages.Command.xgettext_options,
        *(f"--keyword={name}" for name in ERRORS),
    ]
