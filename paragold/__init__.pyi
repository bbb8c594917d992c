from .aligners.aligner import Aligner as Aligner
from .aligners.best import BestAligner as BestAligner
from .aligners.http_model import HttpModel as HttpModel
from .aligners.identity import Identity as Identity, IdentityStem as IdentityStem
from .aligners.programs import Eflomal as Eflomal, Giza as Giza, Thot as Thot
from .aligners.statistical import HMM as HMM, IBM1 as IBM1
from .client import Client as Client
from .door.classifier import ParaphraseClassifier as ParaphraseClassifier, cross_validate as cross_validate
from .door.finding import (
    HeadlineMatcher as HeadlineMatcher,
    Matcher as Matcher,
    associate as associate,
    extract as extract,
    extract_many as extract_many,
    map_pairs as map_pairs,
    match as match,
    match_headlines as match_headlines,
    match_many as match_many,
    match_translations as match_translations,
    phrase_pairs as phrase_pairs,
    presets as presets,
    sample as sample,
)
from .door.measures import (
    agreement as agreement,
    ladder as ladder,
    merge_links as merge_links,
    score as score,
)
from .door.reading import (
    convert as convert,
    load as load,
    read_articles as read_articles,
    read_headlines as read_headlines,
    read_judgements as read_judgements,
    read_links as read_links,
    read_pairs as read_pairs,
    read_texts as read_texts,
    write_links as write_links,
    write_pairs as write_pairs,
)
from .languages import language as language
from .metrics.links import LinkedPair as LinkedPair, Links as Links, TokenPair as TokenPair
from .problems import FileProblem as FileProblem
from .spec import Spec as Spec, SpecError as SpecError
from .tables import linked_pairs as linked_pairs, words_of as words_of
from .text.tokenisation import tokenise as tokenise

__version__: str
