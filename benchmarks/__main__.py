"""`python -m benchmarks NAME` measures a work; `python -m benchmarks --help` lists them."""

import sys

from benchmarks import (
    aligners,
    browser,
    classification,
    extraction,
    growth,
    idle,
    kills,
    load,
    matching,
    web,
)
from benchmarks.runner import Work, main
from replication import (
    brockett_2005,
    chung_knight,
    competence,
    dolan_2004,
    event_scores,
    linking_actions,
    meaning,
    sentence_boundaries,
    treebanks,
    word_alignment,
    wubben_2009,
)

WORKS = (
    Work(extraction.extraction, {"clusters": 1, "rounds": 1}),
    Work(extraction.many_files, {"sentences": 3e3}),
    Work(matching.minhash, {"sentences": 2_000, "rounds": 1}),
    Work(matching.join, {"sentences": 5_000, "exact": 2_000}),
    Work(chung_knight.matching_growth, {"sizes": (500, 1_000)}),
    Work(
        growth.growth,
        {"texts": (300,), "compared": (1e5,), "pairs": (1_000,), "judgements": (200,), "batches": (3,)},
    ),
    Work(aligners.aligners, {"pairs": 300}),
    Work(classification.classifier, {"pairs": 1_000, "train": 300}),
    Work(web.extraction_jobs, {"scale": 0.0002, "database": "sqlite"}),
    Work(web.export, {"pairs": 2_000}),
    Work(web.annotators, {"people": 5, "length": 8}),
    Work(idle.idle, {"pages": 10, "rest": 1.0}),
    Work(load.large_upload, {"megabytes": 1, "idle": 1.0}),
    Work(load.overload, {"length": 3}),
    Work(kills.kills, {"kills": 2}),
    Work(browser.judging_page, {"answers": 3, "loads": 1}),
    Work(browser.linking_page, {"words": 10, "rounds": 1}),
    # How good it is: tables and figures of the papers, and gold data.
    Work(competence.competence, {"items": 60, "runs": 2, "resamples": 50}),
    Work(dolan_2004.table_1, {"most": 30, "news": dolan_2004.NEWS[:1]}),
    Work(brockett_2005.table_3, {"most": 30, "news": dolan_2004.NEWS[:1]}),
    Work(brockett_2005.classifier_ablation, {"encoder": "", "folds": 3, "seeds": (0,), "most": 300}),
    Work(chung_knight.estimates, {}),
    Work(chung_knight.curves, {}),
    Work(meaning.meaning, {"most": 30}),
    Work(wubben_2009.headlines, {"seeds": 1, "starts": 2}),
    Work(event_scores.events, {}),
    Work(sentence_boundaries.segmentation, {"articles": 50}),
    Work(treebanks.treebanks, {"sentences": 50}),
    Work(word_alignment.alignment_error, {"only": "best", "most": 60}),
    Work(word_alignment.evidence_ablation, {"most": 20, "sets": ("MSR RTE-2 dev",)}),
    Work(linking_actions.linking_actions, {"most": 20, "suggesters": ("identity", "best")}),
)

if __name__ == "__main__":
    sys.exit(main(WORKS))
