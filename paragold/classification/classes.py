"""The classes of features by name, each of which can be switched off, and where lexicons are looked into."""

MORPHOLOGY, WORDNET, ASSOCIATION = "morphology", "wordnet", "association"
LEXICAL_CLASSES = (MORPHOLOGY, WORDNET, ASSOCIATION)
STRING, COMPOSITE, OVERLAP, WEIGHTED = "string", "composite", "overlap", "weighted"
CORRELATIONS, PRODUCTS, ENCODER = "correlations", "products", "encoder"
PAPER_CLASSES = (STRING, *LEXICAL_CLASSES, COMPOSITE, CORRELATIONS)
# Groups of classes whose columns are multiplied with each other.
MULTIPLIED = ((STRING, OVERLAP, WEIGHTED), (ENCODER,))
# The class of an encoder is off where none is chosen.
CLASSES = (*PAPER_CLASSES, OVERLAP, WEIGHTED, ENCODER, PRODUCTS)
# Classes that are off by default.
CONTEXT = "context"
EXTRA_CLASSES = (CONTEXT,)
ALL_CLASSES = (*CLASSES, *EXTRA_CLASSES)

MEANINGS = {
    STRING: "lengths, shared words, word edit distance, lexical distance",
    MORPHOLOGY: "word pairs with one stem: orbit, orbital",
    WORDNET: "synonyms, and words one level above: operation, procedure",
    ASSOCIATION: "word pairs of a lexicon built from your text: vendors, suppliers",
    COMPOSITE: "how many words each lexicon matches, by length and edit distance",
    CORRELATIONS: "word pairs of each lexicon against lengths, distances and the other lexicons",
    OVERLAP: "n-grams up to 4, longest common subsequence, characters (not in the paper)",
    ENCODER: "how near both sentences and their words are in meaning; needs an encoder (not in the paper)",
    PRODUCTS: "products of each two columns of string, overlap and weighted, and of encoder (not in the "
    "paper)",
    CONTEXT: "days between the articles, places in them, cohesion of the cluster (off by default)",
    WEIGHTED: "rare words, names and numbers unmatched, negation, opposites (not in the paper)",
}

Lookup = tuple[bool, bool]
"""The words among which word pairs are looked up: whether among all words of both sentences, not only those
left when identical words are taken out; and whether also pairs that have a function word."""
IN_RESIDUE: Lookup = False, False
