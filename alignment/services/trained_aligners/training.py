"""What a worker does to train an aligner: iteration by iteration, then the model and what it scores."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from alignment.models import TrainedAligner
from alignment.services.gold_links import BOOTSTRAP_SEED, training_links
from alignment.services.scoring import as_json
from jobs.kinds import Runner
from jobs.models import Job, JobChunk
from jobs.services import ledger
from jobs.services.running import LeaseLost
from paragold.aligners.aligner import Aligner, Pair
from paragold.metrics.error_rate import counts_by_words, table_of
from paragold.metrics.links import LinkedPair
from paragold.problems import FileProblem
from projects import storage

from . import stored
from .launching import (
    ITERATION,
    MODEL,
    RULES,
    gold_folds,
    iteration_step,
    last_steps,
    read_tokens,
    training_pairs,
)

SMALL_PAIRS = 50_000
_workshops: dict[int, Workshop] = {}


class Workshop:
    """What the steps of one training share in a process; all of it can be made again from the database."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.trained = TrainedAligner.objects.select_related("gold_set").get(job=job)
        pairs, gold_set = _pairs(self.trained), self.trained.gold_set
        self.gold: list[LinkedPair] = training_links(gold_set) if gold_set else []
        others = {str(other): training_links(other) for other in self.trained.other_gold.order_by("pk")}
        self.training = self.trained.estimator.begin(pairs, gold=self.gold, other_gold=others)
        self._state: Any = None

    def state(self, iterations: int) -> Any:
        """The state after so many iterations: as it is in memory or in its file, else computed again."""
        from paragold.aligners.training import load_state

        if self._state is None or len(self._state.iterations) != iterations:
            if iterations == 0:
                self._state = self.training.start()
            else:
                try:
                    place = storage.fetch(stored.state_path(self.job, iterations))
                    self._state = load_state(place)
                except (FileProblem, FileNotFoundError):
                    self._state = self.training.advance(self.state(iterations - 1))
        return self._state

    def advance(self, number: int) -> Any:
        """Do the iteration of that number, from 1, and keep the state after it."""
        from paragold.aligners.training import save_state

        self._state = self.training.advance(self.state(number - 1))
        partial = stored.partial_path(self.job)
        save_state(self._state, partial)
        storage.put(partial, stored.state_path(self.job, number))
        return self._state

    @property
    def last_state(self) -> Any:
        """The state after the last iteration."""
        return self.state(self.training.iterations)


def _pairs(trained: TrainedAligner) -> list[Pair]:
    """The sentence pairs that it is trained on."""
    gold_sets = [*trained.texts.all(), *trained.other_gold.all()]
    gold_sets += [trained.gold_set] if trained.gold_set else []
    return read_tokens(training_pairs(trained.project, list(trained.datasets.all()), gold_sets))


def workshop(job: Job) -> Workshop:
    """The workshop of a training, kept in memory while this process works on it.

    Where two trainings are under way at once, a process gets steps of both in turn: the last one is kept
    beside it if it is small, so that it need not be made again for every step.
    """
    shop = _workshops.get(job.pk)
    # A number may be given to another job, once a database was restored.
    if shop is None or shop.job.requested_at != job.requested_at:
        kept = [pk for pk, shop in _workshops.items() if shop.trained.pairs <= SMALL_PAIRS][-1:]
        for pk in set(_workshops) - set(kept):
            del _workshops[pk]
        shop = _workshops[job.pk] = Workshop(job)
    return shop


def compute(job: Job, chunk: JobChunk) -> dict[str, Any]:
    step = chunk.payload
    trained = job.trained_aligner
    aligner = trained.estimator
    if not aligner.iterations:
        gold = training_links(trained.gold_set) if trained.gold_set else []
        return step | _kept(job, aligner.fit(_pairs(trained), gold=gold))
    shop = workshop(job)
    if step["step"] == ITERATION:
        state = shop.advance(step["number"])
        return step | {"iteration": state.iterations[-1]}
    if step["step"] == MODEL:
        return step | _kept(job, shop.training.finish(shop.last_state))
    if step["step"] == RULES:
        aligner = shop.training.finish(shop.last_state, numbers=())
        links = aligner.align_all([pair.tokens for pair in shop.gold])
        return step | {"size": 0, "links": dict(enumerate(links))}
    held_out = shop.training.held_out_links(shop.last_state, fold=step["fold"], size=step["size"])
    return step | {"links": held_out}


def _kept(job: Job, aligner: Aligner) -> dict[str, Any]:
    """Write the aligner to its file."""
    sha256, size = stored.keep(job, aligner)
    made = {"sha256": sha256, "bytes": size, "signature": aligner.signature}
    return made | {"transfers": list(aligner.transfers)}


def store(job: Job, result: dict[str, Any]) -> dict[str, int]:
    ledger.lock(job)
    trained = TrainedAligner.objects.select_for_update().get(job=job)
    if result["step"] == ITERATION:
        trained.iterations = [*trained.iterations, result["iteration"]]
        done = len(trained.iterations)
        more = done < trained.estimator.iterations
        if more:
            chunks = [iteration_step(done + 1)]
        else:
            chunks = last_steps(gold_folds(trained.estimator, trained.gold_set))
        ledger.add_chunks(job=job, chunks=chunks)
        transaction.on_commit(lambda: storage.delete(stored.state_path(job, done - 1)))
    elif result["step"] == MODEL:
        if not storage.exists(stored.model_path(result["sha256"])):
            raise LeaseLost  # an equal aligner was deleted at this moment, and the file with it
        trained.sha256, trained.bytes = result["sha256"], result["bytes"]
        trained.signature, trained.transfers = result["signature"], result["transfers"]
    else:
        links = trained.held_out.setdefault(str(result["size"]), {})
        links |= {str(pair): [list(link) for link in drawn] for pair, drawn in result["links"].items()}
    trained.save()
    return {}


def finish(job: Job) -> None:
    """Draw the learning curve, and clear away what only the training needed."""
    trained = TrainedAligner.objects.select_for_update().get(job=job)
    if trained.held_out and trained.gold_set:
        gold = training_links(trained.gold_set)
        trained.learning_curve = [
            {"pairs": int(size), "scores": _scores(trained.held_out[size], gold)}
            for size in sorted(trained.held_out, key=int)
        ]
        trained.held_out = {}
        trained.save(update_fields=["learning_curve", "held_out"])
    _workshops.pop(job.pk, None)
    transaction.on_commit(lambda: stored.remove_states(job))
    transaction.on_commit(stored.sweep)


def _scores(links: dict[str, list[list[int]]], gold: list[LinkedPair]) -> dict[str, Any]:
    drawn = [[(a, b) for a, b in links[str(number)]] for number in range(len(gold))]
    table = table_of(
        counts_by_words(drawn, gold),
        seed=BOOTSTRAP_SEED,
    )
    return as_json(table)


RUNNER = Runner(compute=compute, store=store, finish=finish)
