"""Choosing an archive, and saying as what it comes in."""

from __future__ import annotations

from typing import Any

from django import forms


class ArchiveUploadForm(forms.Form):
    file = forms.FileField(
        label="Archive",
        max_length=255,
        allow_empty_file=True,  # the check says what an empty file lacks
        widget=forms.FileInput(attrs={"accept": ".zip"}),
    )


class ArchiveImportForm(forms.Form):
    """The project's short name, and an account for each user of the archive."""

    slug = forms.SlugField(label="Short name", max_length=60, help_text="Part of the project's addresses.")

    def __init__(self, *arguments: Any, slug: str, users: list[str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.fields["slug"].initial = slug
        self.users = users
        for number, user in enumerate(users):
            self.fields[f"account-{number}"] = forms.CharField(
                label=f"Account here for {user}", max_length=150, initial=user
            )

    def account_fields(self) -> list[forms.BoundField]:
        """The fields of the accounts, in the order of the users."""
        return [self[f"account-{number}"] for number in range(len(self.users))]

    @property
    def accounts(self) -> dict[str, str]:
        """Accounts that are not those of the same name, by the archive's user."""
        given = {user: self.cleaned_data[f"account-{number}"] for number, user in enumerate(self.users)}
        return {user: account for user, account in given.items() if account != user}
