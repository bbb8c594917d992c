"""Tasks by number, as a job of Slurm does them: `python -m paragold.shards FOLDER STAGE [NUMBER ...]`."""

import sys
from pathlib import Path

from paragold.problems import FileProblem
from paragold.shards.chain import submit_next
from paragold.shards.commits import is_done
from paragold.shards.engines import ATTEMPTS, attempt
from paragold.shards.slurm import finish_when_done


def main(arguments: list[str]) -> int:
    folder, stage, *numbers = Path(arguments[0]), *arguments[1:]
    try:
        if stage == "finish":
            finish_when_done(folder)
            submit_next(folder)
            return 0
    except FileProblem as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    for number in map(int, numbers):
        for _ in range(ATTEMPTS):
            # A job that is started again has done some of its tasks.
            if is_done(folder, stage, number):
                break
            outcome = attempt(folder, stage, number)
            if outcome.problem is not None:
                sys.stderr.write(f"{outcome.problem}\n")
                return 1
            if outcome.failure:
                sys.stderr.write(f"{stage} {number}: {outcome.failure}.\n")
        else:
            if not is_done(folder, stage, number):
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
