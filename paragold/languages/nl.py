"""Dutch."""

from paragold.languages.language import Language, counted, month_names
from paragold.languages.placeholders import PlaceholderRules
from paragold.languages.sentences import SentenceRules, words
from paragold.languages.tokens import TokenRules

_CURRENCIES = (
    "euro'?s?|dollars?|ponden|pond|cent|frank|gulden|yen|yuan|roebels?|peso'?s?|kronen|kroon|eur|usd|[€$£]"
)

DUTCH = Language(
    tag="nl",
    name="Dutch",
    sentence_rules=SentenceRules(
        before_names=words(
            "prof.dr prof.dr.ir prof.ir prof.mr mr.dr mr.drs dr.ir ds.dr drs.ing dhr mevr mej mw mrs dr",
            "drs dra ir prof ds mgr kard jhr jkvr kol luit sgt serg cmdt kpt gebr bijv plm resp vgl zgn",
            "evt incl excl nml vert z.em z.k.h z.m h.k.h d.w.z o.a m.a.w m.b.t m.b.v m.i.v m.n m.m.v",
            "i.p.v i.v.m i.s.m i.t.t n.a.v o.b.v o.l.v o.i.d o.m t.g.v t.w t.a.v t.o.v t.b.v t.n.v p.a",
            "a.d.h.v a.h.w d.m.v d.d i.c i.o v.a z.g r.k n.h o.g t.h.v i.g.v",
        ),
        before_names_exact=words(
            "mr Mr Ms ing Ing ca Ca vs bv nl cf St Ste Gen gen.maj fa Fa Staatssecr Sen Chr Th Ph",
        ),
        before_numbers=words(
            "nr nrs Nr Nrs no No blz Blz p pp pag art Art afb Afb fig Fig afl hfst etc enz jan tel Tel",
            "km",
        ),
        months=words("febr feb mrt apr jun jul aug sept sep okt nov dec"),
        may_end=words(
            "e.d e.a jr sr inc corp co ltd bros mln mld milj max min sec dir secr red burg bgm wed maj",
            "geb gest ong afd afk alg ass dept prov aant jl ll a.s l.l j.l a.u.b s.v.p v.c n.c ned belg",
            "n.v b.v c.s n.o",
        ),
        starters=words(
            "Aan Achter Al Alle Alleen Alles Als Ander Andere Ben Beide Bij Binnen Bovendien Daar Daarbij",
            "Daardoor Daarmee Daarna Daarnaast Daarom Daarop Dan Dat De Degene Desondanks Deze Dezelfde Die",
            "Dit Door Dus Echter Een Eerst Eerder Elk Elke En Enkele Er Even Geen Haar Had Heeft Heel Het",
            "Hetzelfde Hier Hij Hoe Hoewel Hun Iedereen Ieder Iedere Iemand Ik In Inmiddels Is Ja Je Jij",
            "Jullie Kan Komt Later Maar Mede Meer Men Met Mijn Misschien Moet Na Naar Naast Nadat Natuurlijk",
            "Nee Net Niemand Niet Nog Nu Of Om Omdat Ondanks Onder Ons Onze Ook Op Over Per Pas Sinds",
            "Slechts Soms Te Tegen Terwijl Tijdens Toch Toen Tot Tussen Twee Uit Uiteindelijk Vanaf Vandaag",
            "Vanuit Veel Verder Vervolgens Vier Volgens Voor Vooral Voordat Vorig Vorige Waar Waarom Wanneer",
            "Want Wat We Wel Wie Wij Wil Ze Zelf Zelfs Zij Zijn Zo Zoals Zodra Zou Zonder Zowel",
        ),
        lower_starts=r"['’‘`](?:[stnkmr]|ns)(?:\s+|-)[A-Z]",
    ),
    token_rules=TokenRules(
        after=r"-ie(?![\w-])",
        whole=r"['’‘`](?i:ns|[stnkmr])(?:-\w[\w-]*)?(?!\w)|,,|[^\W\d_]{2,40}-(?=$|,|/)",
        keeps_stop=r"[a-z]\.",
    ),
    placeholder_rules=PlaceholderRules(
        days=words("maandag dinsdag woensdag donderdag vrijdag zaterdag zondag"),
        magnitudes="honderd|duizend|miljoen|miljard|biljoen",
        short=r"mln\.?|mld\.?|milj\.?|k|m",
        currencies=_CURRENCIES,
        joined=_CURRENCIES,
        ordinal="e|de|ste|'?er",
        nations=words("amerikaanse canadese australische britse zwitserse belgische"),
    ),
    function_words=words(
        "de het een 't 'n 's en of maar want dus dat die dit deze daar hier er ik jij je u hij zij ze wij we",
        "jullie hen hun haar hem mij me jou ons zich mijn jouw uw zijn onze wie wat welke welk waar wanneer",
        "hoe waarom is ben bent was waren wees geweest wordt word worden werd werden geworden heb hebt heeft",
        "hebben had hadden gehad kan kunt kunnen kon konden zal zult zullen zou zouden moet moeten moest",
        "moesten mag mogen mocht mochten wil wilt willen wilde wilden doet doen deed deden gedaan gaat gaan",
        "laat laten aan achter af al als bij binnen boven buiten door in langs met na naar naast om onder op",
        "over per rond sinds te tegen ten ter tijdens tot tussen uit van vanaf vanuit via volgens voor",
        "voorbij zonder niet geen nooit noch ook nog nu dan toen toch wel zo zoals zelf zelfs hoewel omdat",
        "terwijl indien tenzij zodat totdat nadat voordat mits elk elke ieder iedere alle alles iets niets",
        "iemand niemand men meer meest veel weinig ander andere anders eens even echter alleen slechts heel",
        "zeer erg te toe mee heen weer",
    ),
    closed_classes={
        "determiner": words(
            "de het een 't 'n deze die dit dat elk elke ieder iedere geen sommige zulke zo'n"
        ),
        "preposition": words(
            "van in op aan bij voor met uit naar tot over onder om tegen tussen door tijdens na sinds zonder",
            "binnen buiten boven achter langs rond volgens vanaf vanuit via per als dan te ter ten",
        ),
        "be": words("zijn is ben bent was waren geweest wees wordt worden word werd werden geworden"),
        "have": words("hebben heb hebt heeft had hadden gehad"),
        "do": words("doen doet doe deed deden gedaan"),
        "modal": words(
            "zullen zal zult zou zouden kunnen kan kunt kon konden mogen mag mocht mochten moeten moet moest",
            "moesten willen wil wilt wilde wilden",
        ),
        "pronoun": words(
            "ik jij je u hij zij ze het wij we jullie mij me jou hem haar ons hen hun zich zichzelf er",
            "men wie",
        ),
        "possessive": words("mijn jouw je uw zijn haar ons onze hun wiens 's"),
        "conjunction": words(
            "en of maar want dus omdat hoewel terwijl als indien tenzij toen wanneer waar dat die welke",
        ),
        "negation": words("niet geen nooit noch niets niemand"),
    },
    negation=words(
        "niet geen nooit niemand niets niks noch nergens zonder nee neen evenmin weigert weigerde weigeren",
        "geweigerd ontkent ontkende ontkennen ontkend mislukt mislukte mislukken ontbreekt ontbrak faalt",
        "faalde onmogelijk amper nauwelijks",
    ),
    upward=words(
        "omhoog stijgt stijgen steeg stegen gestegen stijging groeit groeien groeide groeiden gegroeid",
        "groei toeneemt toenemen toenam toegenomen toename hoger meer sterker wint winnen won winst",
        "klimt klom geklommen verhoogt verhoogd verhoging verbetert verbeterde verbeterd",
    ),
    downward=words(
        "omlaag neer daalt dalen daalde daalden gedaald daling krimpt krimpen kromp gekrompen krimp afneemt",
        "afnemen afnam afgenomen afname lager minder zwakker verliest verliezen verloor verloren",
        "verlies zakt zakte gezakt keldert kelderde verlaagt verlaagd verlaging verslechtert verslechterde",
    ),
    articles=words("de het een 't ’t 'n ’n elk elke ieder iedere"),
    months=month_names(
        "januari/jan februari/febr/feb maart/mrt april/apr mei juni/jun juli/jul augustus/aug "
        "september/sept/sep oktober/okt november/nov december/dec"
    ),
    number_words={
        **counted(
            "nul een/één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien "
            "zestien zeventien achttien negentien",
            first=0,
        ),
        **counted("eerste tweede derde vierde vijfde zesde zevende achtste negende tiende"),
        **counted("twintig dertig veertig vijftig zestig zeventig tachtig negentig", first=20, step=10),
        "honderd": "100",
        "duizend": "1000",
        "miljoen": "1000000",
        "mln": "1000000",
        "miljard": "1000000000",
        "mld": "1000000000",
    },
    decimal=",",
)
