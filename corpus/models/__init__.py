from .article import Article as Article, Cluster as Cluster, Sentence as Sentence
from .candidate_pair import (
    CandidatePair as CandidatePair,
    Dataset as Dataset,
    DatasetPair as DatasetPair,
    Extraction as Extraction,
    Finding as Finding,
    HeldOut as HeldOut,
    KeptNumbers as KeptNumbers,
    ProjectPreset as ProjectPreset,
    in_held_out_cluster as in_held_out_cluster,
)
from .lexicon import (
    Lexicon as Lexicon,
    LexiconEntry as LexiconEntry,
    LexiconKind as LexiconKind,
    LexiconRating as LexiconRating,
    Verdict as Verdict,
)
from .sources import CorpusImport as CorpusImport, ImportState as ImportState
