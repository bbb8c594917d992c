"""German."""

from paragold.languages.language import Language, counted, month_names
from paragold.languages.placeholders import PlaceholderRules
from paragold.languages.sentences import SentenceRules, words
from paragold.languages.tokens import TokenRules

_CURRENCIES = (
    "euros?|dollars?|pfund|cents?|mark|pfennig|franken|rappen|yen|yuan|rubel|pesos?|kronen|eur|usd|chf|[€$£]"
)

GERMAN = Language(
    tag="de",
    name="German",
    sentence_rules=SentenceRules(
        before_names=words(
            "dr.-ing dipl.-ing priv.-doz prof.dr dr.med dr.phil dr prof med phil jur rer nat dipl hl vgl",
            "bzw ca zzgl zzt inkl exkl einschl evtl ggf ggfs sog sogen geb gest bspw insb insbes lt bes",
            "mind allg ehem eigtl entspr vorm verh zb z.b d.h h.c u.a u.u i.d.r i.d i.a o.g o.ä u.ä s.o",
            "s.u v.a z.t z.zt a.d a.m b.a.w m.e n.n rd röm kath evang griech amerik",
        ),
        before_names_exact=words(
            "Hr Hrn Fr Frl Hrsg Gebr Hptm Lt Ltn Gen Mr Mrs Ms Msgr Obst Mag Ing Pol Sen St max v engl",
            "frz lat Chr Th Ph",
        ),
        before_numbers=words(
            "Nr Nrn nr Bd Bde Art Abs Abb Kap S Tel Fax Az Ziff Tab Anm Aufl Jg Str Jan",
        ),
        months=words("jän feb febr mär mrz apr jun jul aug sep sept okt nov dez"),
        may_end=words(
            "etc usw usf co corp inc ltd bros mio mrd tsd std min sek stck jh jhd jhdt jr sr chr v.chr",
            "n.chr d.gr tägl monatl jährl mtl gr kl abt univ verl",
        ),
        may_end_exact=words("Mo Di Mi Do Sa So"),
        endings=("str",),
        starters=words(
            "Aber Alle Allein Allerdings Alles Als Also Am An Andere Anders Auch Auf Aufgrund Aus Außer",
            "Außerdem Bei Beide Beim Bereits Bis Bisher Da Dabei Dadurch Dafür Dagegen Daher Dahinter Damals",
            "Damit Danach Daneben Dann Daran Darauf Daraufhin Daraus Darin Darum Darunter Darüber Das Dass",
            "Davon Davor Dazu Dem Den Denn Dennoch Der Deren Derzeit Des Deshalb Dessen Deswegen Die Dies",
            "Diese Diesem Diesen Dieser Dieses Doch Dort Du Durch Ebenfalls Ebenso Ein Eine Einem Einen",
            "Einer Eines Einige Er Erst Es Etwa Euer Falls Fast Ferner Früher Für Ganz Gegen Genau Gerade",
            "Gibt Gut Hat Hatte Hier Hierbei Hierzu Hinter Ich Ihm Ihn Ihnen Ihr Ihre Im Immer In Indem",
            "Infolge Ins Insgesamt Inzwischen Ist Ja Je Jede Jeder Jedes Jedoch Jetzt Kann Kein Keine Laut",
            "Leider Man Manche Manchmal Mehr Mein Meine Meist Mit Mittlerweile Möchte Nach Nachdem Natürlich",
            "Neben Nein Nicht Nichts Noch Nun Nur Nächste Ob Obwohl Oder Oft Ohne Schon Sehr Sein Seine Seit",
            "Seitdem Selbst Sie Sind So Sobald Sogar Solche Somit Sondern Sonst Sowohl Später Statt Trotz",
            "Trotzdem Um Und Uns Unser Unsere Unter Viel Viele Vielleicht Vom Von Vor War Waren Warum Was",
            "Wegen Weil Weiter Weiterhin Weitere Welche Wenig Wenn Wer Werden Wie Wieder Will Wir Wird Wo",
            "Wobei Wurde Während Z Zu Zudem Zuerst Zuletzt Zum Zunächst Zur Zusammen Zusätzlich Zuvor Zwar",
            "Zwischen Über Übrigens",
        ),
        ordinal_digits=3,
        lower_starts=r"['’‘`]s\s+[A-ZÄÖÜ]",
    ),
    token_rules=TokenRules(
        after=r"['’]s(?!\w)",
        whole=r",,|(?:[A-Z]\.-)+[A-Z]\.",
        keeps_stop=r"(?:\d{1,2}\.){1,2}|\d{3}\.|[IVX]+\.|[a-z]\.",
        splits_hyphens=True,
    ),
    placeholder_rules=PlaceholderRules(
        days=words("montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag"),
        magnitudes="hundert|tausend|million(?:en)?|milliarden?|billion(?:en)?",
        short=r"mio\.?|mill\.?|mrd\.?|tsd\.?|t",
        currencies=_CURRENCIES,
        joined=_CURRENCIES,
        ordinal=r"\.|er|te[nrs]?|ste[nrs]?",
        nations=words("us amerikanische amerikanischen kanadische australische britische schweizer"),
    ),
    function_words=words(
        "der die das den dem des ein eine einen einem einer eines und oder aber denn sondern doch dass daß",
        "ob weil wenn als wie da obwohl während bevor nachdem damit so ich du er sie es wir ihr mich dich",
        "sich uns euch ihm ihn ihnen mir dir mein meine dein deine sein seine seinen seinem seiner seines",
        "ihre ihren ihrem ihrer unser unsere euer eure wer was wen wem wessen welche welcher welches wo wann",
        "warum dieser diese dieses diesem diesen jener jene jenes jeder jede jedes alle allem allen aller",
        "alles man etwas nichts jemand niemand bin bist ist sind seid war waren warst gewesen werde wirst",
        "wird werden wurde wurden worden habe hast hat haben hatte hatten gehabt kann kannst können konnte",
        "konnten muss müssen musste mussten soll sollen sollte sollten will wollen wollte wollten darf",
        "dürfen durfte mag möchte würde würden an am auf aus bei beim bis durch für gegen hinter in im ins",
        "mit nach neben ohne seit trotz über um unter vom von vor wegen zu zum zur zwischen nicht kein keine",
        "keinen keinem keiner nie auch noch nun nur schon sehr dann dort hier mehr viel wenig sogar selbst",
        "immer wieder jedoch also sowie 's",
    ),
    closed_classes={
        "determiner": words(
            "der die das den dem des ein eine einen einem einer eines dieser diese dieses diesem diesen",
            "jener jene jenes jeder jede jedes kein keine keinen keinem keiner einige manche solche",
        ),
        "preposition": words(
            "von vom in im ins an am auf aus bei beim bis durch für gegen hinter mit nach neben ohne seit",
            "trotz über um unter vor während wegen zu zum zur zwischen als wie laut pro per",
        ),
        "be": words(
            "sein ist sind bin bist seid war waren gewesen sei seien wäre wird werden wurde wurden worden",
        ),
        "have": words("haben hat habe hast hatte hatten gehabt hätte hätten"),
        "do": words("tun tut tat taten getan machen macht machte gemacht"),
        "modal": words(
            "können kann konnte konnten könnte könnten müssen muss musste mussten sollen soll sollte sollten",
            "wollen will wollte wollten dürfen darf durfte mögen mag möchte würde würden",
        ),
        "pronoun": words(
            "ich du er sie es wir ihr mich dich ihn uns euch mir dir ihm ihnen sich man wer wen wem selbst",
        ),
        "possessive": words(
            "mein meine dein deine sein seine seinen seinem seiner ihr ihre ihren ihrem ihrer unser unsere",
            "euer eure dessen deren 's",
        ),
        "conjunction": words(
            "und oder aber denn sondern doch weil obwohl während wenn falls als dass daß ob wo der die das",
        ),
        "negation": words("nicht kein keine keinen nie niemals weder noch nichts niemand"),
    },
    negation=words(
        "nicht kein keine keinen keinem keiner keines nie niemals niemand niemanden niemandem nichts weder",
        "noch ohne nirgends nirgendwo kaum nein verweigert verweigerte verweigern bestreitet bestritt",
        "bestreiten bestritten leugnet leugnete scheitert scheiterte gescheitert unmöglich",
    ),
    upward=words(
        "hoch steigt steigen stieg stiegen gestiegen anstieg wächst wachsen wuchs gewachsen zunahm",
        "zugenommen zunahme höher mehr stärker gewinnt gewann gewonnen klettert kletterte erhöht",
        "erhöhte verbessert",
    ),
    downward=words(
        "runter fällt fallen fiel fielen gefallen sinkt sinken sank sanken gesunken schrumpft schrumpfte",
        "abnahm abgenommen abnahme niedriger weniger schwächer verliert verlor verloren verlust senkt",
        "senkte gesenkt verschlechtert",
    ),
    articles=words("der die das den dem des ein eine einen einem einer eines jeder jede jedes jedem jeden"),
    possessives=words("'s ’s"),
    months=month_names(
        "januar/jänner/jan februar/feb märz/mär/mrz april/apr mai juni/jun juli/jul august/aug "
        "september/sept/sep oktober/okt november/nov dezember/dez"
    ),
    number_words={
        **counted(
            "null eins/ein/eine zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn "
            "fünfzehn sechzehn siebzehn achtzehn neunzehn",
            first=0,
        ),
        **counted("erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte"),
        **counted("zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig", first=20, step=10),
        "hundert": "100",
        "tausend": "1000",
        "million": "1000000",
        "millionen": "1000000",
        "mio": "1000000",
        "milliarde": "1000000000",
        "milliarden": "1000000000",
        "mrd": "1000000000",
    },
    decimal=",",
)
