from .item import (
    Answer as Answer,
    Assignment as Assignment,
    AssignmentState as AssignmentState,
    Batch as Batch,
    BatchAnnotator as BatchAnnotator,
    BatchKind as BatchKind,
    BatchState as BatchState,
    HandingOut as HandingOut,
    Item as Item,
    ItemHeadline as ItemHeadline,
    Measure as Measure,
    TrainingTry as TrainingTry,
)
from .judgement import (
    IMPORTED as IMPORTED,
    MAX_COUNT as MAX_COUNT,
    POSTERIOR as POSTERIOR,
    Decision as Decision,
    FrozenGold as FrozenGold,
    GoldJudgement as GoldJudgement,
    GoldSet as GoldSet,
    GoldSubclusters as GoldSubclusters,
    GoldSubclusterSet as GoldSubclusterSet,
    Judgement as Judgement,
    Phenomenon as Phenomenon,
    PhenomenonCount as PhenomenonCount,
    Placement as Placement,
    Pseudonym as Pseudonym,
    SecondLook as SecondLook,
    SecondPass as SecondPass,
    SubclusterRule as SubclusterRule,
)
from .key_bindings import KeyBindings as KeyBindings
from .model_annotator import ModelAnnotator as ModelAnnotator, ModelAnswer as ModelAnswer
from .trained_classifier import (
    ClassifierRun as ClassifierRun,
    PairScore as PairScore,
    TrainedClassifier as TrainedClassifier,
)
