"""What a worker does to train an aligner: iteration by iteration, then the model and what it scores."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django.db import transaction

from alignment.models import TrainedAligner
from alignment.services.gold_links import BOOTSTRAP_SEED, linked_pairs
from alignment.services.scoring import as_json
from corpus.models import Job, JobChunk
from corpus.services import jobs
from corpus.services.running import RUNNERS, LeaseLost, Runner
from paragold.aligners.cross_validation import groups_of
from paragold.aligners.registry import Pair
from paragold.metrics.error_rate import score_table
from paragold.metrics.links import LinkedPair

from . import files, steps, training_text
from .gold_folds import gold_folds

if TYPE_CHECKING:
    from paragold.aligners.evidence import Evidence
    from paragold.aligners.training import State, Training
    from paragold.aligners.translation_model import TranslationModel


class Workshop:
    """What the steps of one training share in a process; all of it can be made anew from the database."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.trained = TrainedAligner.objects.select_related("gold_set").get(job=job)
        self.recipe = self.trained.recipe
        gold_set = self.trained.gold_set
        self.gold: list[LinkedPair] = linked_pairs(gold_set) if gold_set else []
        self.training: Training = self.recipe.training(_pairs(self.trained))
        self._state: State | None = None
        self._model: TranslationModel | None = None
        self._evidence: list[Evidence] | None = None

    def state(self, iterations: int) -> State:
        """The state after so many iterations: as it is in memory or in its file, else worked out again."""
        from paragold.aligners.model_files import ModelFileError
        from paragold.aligners.training import load_state

        state = self._state
        if state is not None and len(state.iterations) == iterations:
            return state
        if iterations == 0:
            return self.training.start()
        try:
            return load_state(files.state_path(self.job, iterations))
        except ModelFileError:
            return self.training.advance(self.state(iterations - 1))

    def advance(self, number: int) -> State:
        """Do the iteration of that number, from 1, and keep the state after it."""
        from paragold.aligners.training import save_state

        self._state = self.training.advance(self.state(number - 1))
        save_state(files.state_path(self.job, number), self._state)
        return self._state

    @property
    def model(self) -> TranslationModel:
        """The translation model after the last iteration."""
        if self._model is None:
            self._model = self.training.model(self.state(self.training.iterations))
        return self._model

    @property
    def evidence(self) -> list[Evidence]:
        """The candidate links of every gold pair."""
        from paragold.aligners.best import evidence_of
        from paragold.aligners.statistical import batches

        if self._evidence is None:
            pairs = [(pair.tokens.source, pair.tokens.target) for pair in self.gold]
            self._evidence = [found for batch in batches(pairs) for found in evidence_of(self.model, batch)]
        return self._evidence


def _pairs(trained: TrainedAligner) -> list[Pair]:
    """The sentence pairs that it is trained on."""
    gold_sets = [*trained.texts.all(), *([trained.gold_set] if trained.gold_set else [])]
    return training_text.read(
        training_text.pairs_of(trained.project, list(trained.datasets.all()), gold_sets)
    )


SMALL_PAIRS = 50_000
_workshops: dict[int, Workshop] = {}


def workshop(job: Job) -> Workshop:
    """The workshop of a training, kept in memory while this process works on it.

    Where two trainings are under way at once, a process gets steps of both in turn: the last one is kept
    beside it if it is small, so that it need not be made anew for every step.
    """
    if job.pk not in _workshops:
        kept = [pk for pk, shop in _workshops.items() if shop.trained.pairs <= SMALL_PAIRS][-1:]
        for pk in set(_workshops) - set(kept):
            del _workshops[pk]
        _workshops[job.pk] = Workshop(job)
    return _workshops[job.pk]


def compute(job: Job, chunk: JobChunk) -> dict[str, Any]:
    step = chunk.payload
    if job.trained_aligner.recipe.by_program:
        return step | _program(job)
    shop = workshop(job)
    if step["step"] == steps.ITERATION:
        state = shop.advance(step["number"])
        return step | {"iteration": asdict(state.iterations[-1])}
    if step["step"] == steps.MODEL:
        return step | _model(shop)
    if step["step"] == steps.RULES:
        aligner = shop.recipe.finish(shop.model)
        links = aligner.align_all([(pair.tokens.source, pair.tokens.target) for pair in shop.gold])
        return step | {"size": 0, "links": dict(enumerate(links))}
    from paragold.aligners.cross_validation import held_out_links

    links_by_pair = held_out_links(
        shop.evidence,
        [pair.links for pair in shop.gold],
        groups=groups_of((pair.tokens.source, pair.tokens.target) for pair in shop.gold),
        fold=step["fold"],
        size=step["size"],
        seed=shop.recipe.seed,
        without=shop.recipe.without,
    )
    return step | {"links": links_by_pair}


def _program(job: Job) -> dict[str, Any]:
    """Keep the text of a program, which trains on it whenever it is applied."""
    trained = job.trained_aligner
    aligner = trained.recipe.program(_pairs(trained))
    sha256, size = files.keep(job, aligner)
    return {"sha256": sha256, "bytes": size, "signature": aligner.signature}


def _model(shop: Workshop) -> dict[str, Any]:
    classifier = None
    if shop.gold:
        from paragold.aligners.best import STRENGTH
        from paragold.aligners.link_classifier import fit

        links = [pair.links for pair in shop.gold]
        classifier = fit(shop.evidence, links, strength=STRENGTH, without=shop.recipe.without)
    aligner = shop.recipe.finish(shop.model, classifier)
    sha256, size = files.keep(shop.job, aligner)
    return {"sha256": sha256, "bytes": size, "signature": aligner.signature}


def store(job: Job, result: dict[str, Any]) -> dict[str, int]:
    jobs.lock(job)
    trained = TrainedAligner.objects.select_for_update().get(job=job)
    if result["step"] == steps.ITERATION:
        trained.iterations = [*trained.iterations, result["iteration"]]
        done = len(trained.iterations)
        more = done < sum(trained.recipe.iterations)
        if more:
            chunks = [steps.iteration(done + 1)]
        else:
            gold_set = trained.gold_set
            chunks = steps.last_steps(gold_folds(trained.recipe, gold_set) if gold_set else [])
        jobs.add_chunks(job=job, chunks=chunks)
        transaction.on_commit(lambda: files.state_path(job, done - 1).unlink(missing_ok=True))
    elif result["step"] == steps.MODEL:
        if not files.model_path(result["sha256"]).is_file():
            raise LeaseLost  # an equal aligner was deleted at this moment, and the file with it
        trained.sha256, trained.bytes = result["sha256"], result["bytes"]
        trained.signature = result["signature"]
    else:
        links = trained.held_out.setdefault(str(result["size"]), {})
        links |= {str(pair): [list(link) for link in found] for pair, found in result["links"].items()}
    trained.save()
    return {}


def finish(job: Job) -> None:
    """Draw the learning curve and clear away what only the training needed."""
    trained = TrainedAligner.objects.select_for_update().get(job=job)
    if trained.held_out and trained.gold_set:
        gold = linked_pairs(trained.gold_set)
        trained.learning_curve = [
            {"pairs": int(size), "scores": _scores(trained.held_out[size], gold)}
            for size in sorted(trained.held_out, key=int)
        ]
        trained.held_out = {}
        trained.save(update_fields=["learning_curve", "held_out"])
    _workshops.pop(job.pk, None)
    transaction.on_commit(lambda: files.remove_states(job))
    transaction.on_commit(files.sweep)


def _scores(links: dict[str, list[list[int]]], gold: list[LinkedPair]) -> dict[str, Any]:
    drawn = [[(a, b) for a, b in links[str(number)]] for number in range(len(gold))]
    table = score_table(
        drawn, [pair.links for pair in gold], [pair.tokens for pair in gold], seed=BOOTSTRAP_SEED
    )
    return as_json(table)


RUNNERS[files.KIND] = Runner(compute=compute, store=store, finish=finish)
