"""English."""

from paragold.languages.language import Language, counted, month_names
from paragold.languages.placeholders import PlaceholderRules
from paragold.languages.sentences import ANY_OPENER, SentenceRules, words
from paragold.languages.tokens import TokenRules

_MONTHS = words("jan feb mar apr jun jul aug sep sept oct nov dec")
_DAY_NAMES = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
_MAGNITUDES = "(?:hundred|thousand|million|billion|trillion|lakh|crore)s?"
_CURRENCIES = (
    "(?:dollar|euro|pound|cent|peso|franc|rouble|ruble|rupee|rupiah|krone|lira|dirham|riyal|ringgit|shekel)s?"
    "|pence|yen|yuan|renminbi|kronor|kroner|eur|usd|gbp"
)

ENGLISH = Language(
    tag="en",
    name="English",
    sentence_rules=SentenceRules(
        before_names=words(
            "mr mrs ms messrs mmes dr drs prof rev gen lt col maj capt cmdr sgt cpl pvt brig gov supt",
            "insp vs v cf",
        ),
        before_names_exact=words(
            "Sen Sens Rep Reps Pres Adm Det Hon Fr St Ste Mt Ft Amb Msgr Atty Const",
        ),
        before_numbers=words("No Nos Vol Art Sec Fig Figs pp"),
        months=_MONTHS,
        may_end=words("inc corp co cos ltd bros assn intl jr sr esq etc al dept univ"),
        may_end_exact=words(
            "Ala Ariz Ark Calif Colo Conn Del Fla Ga Ill Ind Kan Ky La Mass Md Mich Minn Miss Mo Mont",
            "Neb Nev Okla Ore Pa Tenn Tex Va Vt Wash Wis Wyo Ave Blvd Rd Hwy Sq Pty Phila",
        ),
        starters=words(
            "A According After Again Although Among An And Another As At Because Before But By Despite",
            "During Each Earlier Even For From He Her Here His How However I If In Instead It Its Later Many",
            "Meanwhile Moreover Most My Nor On Once One Or Our Others Other She Since So Some Such That The",
            "Their Then There These They This Those Though Thus To Under Until We Were What When Where",
            "Whether Which While Who Why With Yet You",
        ),
        initials=r"(?:[A-Za-z]\.)+[A-Za-z]",
        not_initials=words("I"),
        openers="",
        closers="",
        opening_marks=ANY_OPENER,
        company_endings=r"(?:Inc|Corp|Ltd|Co|Cos|LLC|PLC)\b",
        after_clock_times=words(
            _DAY_NAMES,
            "January February March April May June July August September October November December Jan Feb",
            "Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Eastern Central Mountain Pacific Greenwich ET CT MT PT",
            "EST EDT CST CDT MST MDT PST PDT GMT UTC BST CET IST AEST",
        ),
    ),
    token_rules=TokenRules(
        after=r"['’](?i:s|re|ve|ll|d|m)(?!\w|-\w)",
        ending=r"(?i:n['’]t)(?!\w)",
        whole=r"Ph\.D(?!\w)(?:\.(?!\.))?",
    ),
    placeholder_rules=PlaceholderRules(
        magnitudes=_MAGNITUDES,
        short="k|m|mm|mn|mln|b|bn|tn|trn",
        currencies=_CURRENCIES,
        # A pound that a hyphen joins to a number is mostly one of weight.
        joined=rf"(?!pound)(?:{_CURRENCIES})",
        ordinal="st|nd|rd|th|s",
        # Units of one letter may as well be part of a name.
        units="ft|in|yds?|mi|km|cm|mm|kg|lbs?|oz|mg|ml|mph|kph|kmh|hp|cc|kw|mw|gw|kwh|gb|mb|tb|hz|khz|mhz|ghz|"
        f"am|pm|hrs?|mins?|secs?|bn|mn|mln|tn|trn|{_MAGNITUDES}",
        small="[0-9]{1,2}p",
        not_small=(".", "m"),
        periods="mid|early|late|pre|post",
        nations=words("us u.s. american canadian australian british swiss"),
        # The pronoun "us" is rare before "$".
        countries=words("us a c au ca hk nz s r"),
        articles=words("a"),
        after_amount=words(
            "a after an and are as at because before but by each every for from had has have he her his if",
            "in into is it its last less more next of on or over per she than that the their they this",
            "through to under until was were when which while who will with would",
        ),
        days=words(_DAY_NAMES.lower(), " ".join(f"{day}s" for day in _DAY_NAMES.lower().split())),
        short_days=words("mon tue tues wed weds thu thur thurs fri sat sun"),
        days_too=words("mon wed weds sat sun"),
        before_days=words("on last next until till since"),
        times_of_day=words("morning afternoon evening night"),
        weight="pounds?",
        weighing=words("weigh weighs weighed weighing"),
        by_weight=words("heavier lighter overweight underweight"),
        weight_of="of",
        of_money=words(
            "aid benefits cash compensation costs credit cuts damage damages debt debts funding funds income",
            "investment losses money pay profit profits public revenue sales savings spending support tax",
            "taxes taxpayer taxpayers value",
        ),
        ones=words(
            "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen",
            "sixteen seventeen eighteen nineteen",
        ),
        tens=words("twenty thirty forty fifty sixty seventy eighty ninety"),
        starts={"a": 1, "half": 2},
        half=("and", "a", "half"),
        joint="and",
    ),
    function_words=words(
        "a about above after again against all also am an and another any are as at be because been before",
        "being below between both but by can could did do does doing down during each few for from further",
        "had has have having he her here hers him his how i if in into is it its itself just may me might",
        "more most must my no nor not now of off on once only or other our out over own per same shall she",
        "should so some such than that the their them then there these they this those through to too under",
        "until up upon us very was we were what when where which while who whom whose why will with would",
        "you your 's 're 've 'll 'd 'm n't",
    ),
    closed_classes={
        "determiner": words("a an the this that these those some any each every no another such"),
        "preposition": words(
            "of in on at by for with from to into onto over under about against between among through during",
            "before after since until within without toward towards upon per via as than like near off out",
            "up down across along around behind beside beyond despite amid",
        ),
        "be": words("be is are was were been being am 's 're 'm"),
        "have": words("have has had having 've 'd"),
        "do": words("do does did doing done"),
        "modal": words("will would shall should can could may might must 'll wo ca"),
        "pronoun": words(
            "i you he she it we they me him her us them himself herself itself themselves one who whom",
            "whoever",
        ),
        "possessive": words("my your his her its our their 's ' whose"),
        "conjunction": words(
            "and or but nor yet so because although though while whereas if unless when where whether that",
            "which",
        ),
        "negation": words("not n't no never neither nor none nothing"),
    },
    negation=words(
        "no not n't never none nobody nothing neither nor without cannot deny denied denies denying fail",
        "failed fails failing unable unlikely refuse refused refuses refusing",
    ),
    upward=words(
        "up rise rises rose risen rising gain gains gained gaining climb climbs climbed climbing jump jumps",
        "jumped jumping surge surges surged surging soar soars soared soaring increase increases increased",
        "increasing grow grows grew grown growing higher advance advances advanced rally rallied more above",
        "stronger exceed exceeded improve improved",
    ),
    downward=words(
        "down fall falls fell fallen falling drop drops dropped dropping decline declines declined declining",
        "slip slips slipped slipping slide slides slid sliding plunge plunges plunged tumble tumbled",
        "decrease decreases decreased decreasing shrink shrank lower lose loses lost losing less below",
        "weaker sink sank dip dipped worsen worsened",
    ),
    articles=words("a an the each every either neither"),
    possessives=words("'s ’s"),
    months=month_names(
        "january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sep/sept "
        "october/oct november/nov december/dec"
    ),
    number_words={
        **counted(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
            "sixteen seventeen eighteen nineteen",
            first=0,
        ),
        **counted("first second third fourth fifth sixth seventh eighth ninth tenth"),
        **counted("twenty thirty forty fifty sixty seventy eighty ninety", first=20, step=10),
        **{"hundred": "100", "thousand": "1000", "million": "1000000", "billion": "1000000000"},
        **{"m": "1000000", "mn": "1000000", "bn": "1000000000"},
    },
)
