"""Delete a person's account."""

from argparse import ArgumentParser
from typing import Any

from jobs.management.project_argument import ProjectCommand, user_named
from ops.deletion.people import KEEP, REMOVE, contributions, delete_person


class Command(ProjectCommand):
    help = (
        "Delete a person's account with its name, roles, sessions and tokens; answers, decisions and ratings "
        "are kept under a pseudonym or removed. This cannot be undone."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--answers", choices=(KEEP, REMOVE), default="", help="what becomes of answers")
        parser.add_argument("--preview", action="store_true", help="print what they gave; change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        user = user_named(options["username"])
        name = user.get_username()
        if options["preview"]:
            for row in contributions(user):
                self.stdout.write(
                    f"{row.project.slug}: {row.answers:,} answers, {row.decisions:,} decisions, "
                    f"{row.ratings:,} lexicon ratings. Without the answers {row.pairs_without_gold:,} pairs "
                    f"lose their gold label; {row.gold_sets:,} frozen gold sets stay as they are."
                )
            self.stdout.write(f"Nothing is deleted. Choose --answers {KEEP} or --answers {REMOVE}.")
            return
        pseudonym = delete_person(user=user, by=None, confirmed=name, answers=options["answers"])
        kept = f" What is kept is shown under {pseudonym}." if pseudonym else ""
        self.stdout.write(f"The account {name} is deleted.{kept}")
