"""French."""

from paragold.languages.language import Language, counted, month_names
from paragold.languages.placeholders import PlaceholderRules
from paragold.languages.sentences import SentenceRules, words
from paragold.languages.tokens import TokenRules

_CURRENCIES = (
    "euros?|dollars?|livres?|centimes?|cents?|francs?|yens?|yuans?|roubles?|pesos?|couronnes?|eur|"
    "usd|chf|[€$£]"
)
_PRONOUNS = "ils?|elles?|on|je|tu|nous|vous|ce|les?|la|lui|leur|moi|toi|y|en|là|ci"

FRENCH = Language(
    tag="fr",
    name="French",
    sentence_rules=SentenceRules(
        before_names=words(
            "mme mmes mlle mlles mgr mgrs dr drs prof cf env apr boul vs resp mrs c.-à-d s.a.s s.m s.e",
        ),
        before_names_exact=words(
            "M MM Me Mes Pr pr Mr Ms St Ste Sts Mt av Av ap bd Bd Gal Col Cdt Lt Cap Ch Chr Th Ph",
        ),
        before_numbers=words(
            "n no nos num p pp art fig vol t chap ch éd sept No Nos Art Fig Vol Chap tél Tél etc max",
        ),
        months=words("janv févr fév avr juil oct nov déc"),
        may_end=words("ex p.ex cie co corp inc ltd bros jr sr h min hab j.-c dép arr univ inst sté"),
        starters=words(
            "Ainsi Alors Après Au Aucun Aucune Aujourd'hui Auparavant Aussi Autour Autre Aux Avant Avec",
            "Beaucoup Bien C'est Car Ce Cela Celle Celui Cependant Certaines Certains Ces Cet Cette Ceux",
            "Chaque Chez Comme Comment Contre D'abord D'autres Dans De Depuis Des Deux Dès Donc Du Durant",
            "Elle Elles En Enfin Ensuite Entre Et Il Ils J'ai Jamais Je Jusqu'à L'autre La Le Les Leur Leurs",
            "Lors Lorsque Lui Ma Mais Malgré Même Mes Mon Ni Non Nos Notre Nous On Or Ou Où Par Parce Parmi",
            "Pas Pendant Plus Plusieurs Plutôt Pour Pourquoi Pourtant Puis Quand Quant Que Quelle Quelques",
            "Qui Quoi Sa Sans Se Selon Ses Seul Si Sinon Soit Son Sous Souvent Sur Ta Tandis Tant Tous Tout",
            "Toute Toutefois Toutes Très Trois Tu Un Une Vers Voici Voilà Votre Vous Y À Ça",
        ),
    ),
    token_rules=TokenRules(
        before=r"(?i:(?:jus|lors|puis|quoi)?qu|[ldjmtsncy])['’](?=[\w\"«“(]|$)",
        after=rf"-(?i:t-)?(?i:{_PRONOUNS})(?=(?:-(?:{_PRONOUNS})){{0,2}}(?![\w'’-]))",
        whole=(
            r"(?i:c['’]est-à-dire|l['’]on|rendez-vous|(?:celui|celle|ceux|celles)-(?:ci|là)"
            r"|n['’]roll)(?!\w)|(?:[A-Z]\.-)+[A-Z]\."
        ),
        keeps_stop=r"[b-xz]\.",
    ),
    placeholder_rules=PlaceholderRules(
        days=words("lundi mardi mercredi jeudi vendredi samedi dimanche"),
        magnitudes="cents?|mille|millions?|milliards?",
        short="k|m|md|mds|mn",
        currencies=_CURRENCIES,
        joined=_CURRENCIES,
        ordinal="ers?|ère|re|e|ème|es|nd|nde|°",
        links=words("de d' d’"),
    ),
    function_words=words(
        "le la les l' l’ un une des du de d' d’ au aux et ou mais donc or ni car que qu' qu’ qui quoi dont",
        "où quel quelle quels quelles ce cet cette ces c' c’ cela ça ceci celui celle ceux celles je j' j’",
        "tu il elle on nous vous ils elles me m' m’ te t' t’ se s' s’ lui leur leurs eux moi toi soi mon ma",
        "mes ton ta tes son sa ses notre nos votre vos est suis es sommes êtes sont était étaient été être",
        "étant fut furent sera seront serait ai as a avons avez ont avait avaient eu avoir ayant aura auront",
        "aurait peut peuvent pouvait pouvoir doit doivent devait devoir fait font faire va vont aller à dans",
        "en par pour sur sous avec sans entre vers chez contre depuis pendant avant après dès jusque jusqu'",
        "jusqu’ selon malgré parmi lors si comme quand lorsque lorsqu' puisque parce afin tandis ne n' n’",
        "pas plus jamais rien aucun aucune personne y très aussi même mêmes tout toute tous toutes autre",
        "autres bien encore déjà alors ainsi puis là ici moins peu trop",
    ),
    closed_classes={
        "determiner": words(
            "le la les l' l’ un une des du au aux ce cet cette ces chaque aucun aucune quelques certains",
        ),
        "preposition": words(
            "de d' d’ du des à au aux en dans par pour sur sous avec sans entre vers chez contre depuis",
            "pendant avant après dès jusque jusqu' selon malgré parmi lors comme que via",
        ),
        "be": words(
            "être est sont suis es sommes êtes était étaient été étant fut furent sera seront serait"
        ),
        "have": words("avoir a ai as avons avez ont avait avaient eu ayant aura auront aurait"),
        "do": words("faire fait font faisait faisaient fera"),
        "modal": words(
            "peut peuvent pouvait pouvoir pourrait doit doivent devait devoir devrait va vont veut"
        ),
        "pronoun": words(
            "je j' j’ tu il elle on nous vous ils elles me m' m’ te t' t’ se s' s’ le la les lui leur eux",
            "moi toi soi y en qui",
        ),
        "possessive": words("mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs dont"),
        "conjunction": words(
            "et ou mais donc or ni car que qu' qu’ si quand lorsque puisque parce afin tandis où qui dont",
        ),
        "negation": words("ne n' n’ pas non jamais ni rien aucun aucune personne"),
    },
    negation=words(
        "ne n' n’ pas non jamais rien aucun aucune personne ni sans nul nulle guère refuse refusé refusent",
        "refuser nie nié nient nier échoue échoué échouer dément démenti impossible",
    ),
    upward=words(
        "hausse monte monté montent monter augmente augmenté augmentent augmenter augmentation grimpe grimpé",
        "progresse progressé progression croît croissance gagne gagné bondit bondi plus supérieur",
    ),
    downward=words(
        "baisse baissé baissent baisser chute chuté chutent recule reculé recul diminue diminué diminution",
        "perd perdu perdent plonge plongé moins inférieur",
    ),
    articles=words("le la les l' l’ un une des du au aux chaque"),
    months=month_names(
        "janvier/janv février/févr/fév mars avril/avr mai juin juillet/juil août septembre octobre/oct "
        "novembre/nov décembre/déc"
    ),
    number_words={
        **counted(
            "zéro un/une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze "
            "seize dix-sept dix-huit dix-neuf vingt",
            first=0,
        ),
        **counted("premier/première deuxième/second/seconde troisième quatrième cinquième sixième septième"),
        **counted("trente quarante cinquante soixante", first=30, step=10),
        "soixante-dix": "70",
        "septante": "70",
        "quatre-vingts": "80",
        "quatre-vingt-dix": "90",
        "cent": "100",
        "mille": "1000",
        "million": "1000000",
        "millions": "1000000",
        "milliard": "1000000000",
        "milliards": "1000000000",
    },
    decimal=",",
)
