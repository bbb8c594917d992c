from .alignment import (
    Alignment as Alignment,
    Evaluation as Evaluation,
    Export as Export,
    GoldAlignment as GoldAlignment,
    GoldAlignmentSet as GoldAlignmentSet,
    Origin as Origin,
    Strength as Strength,
    SuggestedLinks as SuggestedLinks,
    WordLink as WordLink,
)
from .experiment import (
    Experiment as Experiment,
    ExperimentCell as ExperimentCell,
    ExperimentRow as ExperimentRow,
)
from .trained_aligner import (
    AlignerRun as AlignerRun,
    AutomaticAlignment as AutomaticAlignment,
    TrainedAligner as TrainedAligner,
)
