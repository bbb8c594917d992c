"""English abbreviations of news prose that end in a full stop, shared by tokenisation and segmentation.

Every entry is written without its full stop. Abbreviations made of single letters (U.S., a.m., J. R. R.)
need no list: their shape is enough.
"""


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# A name or a second party follows, so a sentence never ends here. In either case: "mr.", "Mr.".
TITLES = _words(
    "mr mrs ms messrs mmes dr drs prof rev gen lt col maj capt cmdr sgt cpl pvt brig gov supt insp vs v cf"
)
# The same, but ordinary words or names when they are not capitalised.
CAPITALISED_TITLES = _words("Sen Sens Rep Reps Pres Adm Det Hon Fr St Ste Mt Ft Amb Msgr Atty Const")

# A number follows ("No. 7", "Nov. 5"); before anything else the full stop may end the sentence.
NUMBERED = _words("No Nos Vol Art Sec Fig Figs pp")
MONTHS = _words("jan feb mar apr jun jul aug sep sept oct nov dec")

# These may end a sentence: only the next word decides.
COMPANIES = _words("inc corp co cos ltd bros assn intl jr sr esq etc al dept univ")
PLACES = _words(
    "Ala Ariz Ark Calif Colo Conn Del Fla Ga Ill Ind Kan Ky La Mass Md Mich Minn Miss Mo Mont Neb Nev "
    "Okla Ore Pa Tenn Tex Va Vt Wash Wis Wyo Ave Blvd Rd Hwy Sq Pty Phila"
)

ANY_CASE = TITLES | MONTHS | COMPANIES
EXACT_CASE = CAPITALISED_TITLES | NUMBERED | PLACES

# Words that open sentences and rarely continue a name: after "Inc.", "U.S." or an initial they start one.
SENTENCE_STARTERS = _words(
    "A According After Again Although Among An And Another As At Because Before But By Despite During "
    "Each Earlier Even For From He Her Here His How However I If In Instead It Its Later Many Meanwhile "
    "Moreover Most My Nor On Once One Or Our Others Other She Since So Some Such That The Their Then "
    "There These They This Those Though Thus To Under Until We Were What When Where Whether Which While "
    "Who Why With Yet You"
)
# Capitalised words that may follow "a.m." or "p.m." within a sentence.
AFTER_CLOCK_TIMES = _words(
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June "
    "July August September October November December Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec "
    "Eastern Central Mountain Pacific Greenwich ET CT MT PT EST EDT CST CDT MST MDT PST PDT GMT UTC BST "
    "CET IST AEST"
)
