"""Spanish."""

from paragold.languages.language import Language, counted, month_names
from paragold.languages.placeholders import PlaceholderRules
from paragold.languages.sentences import SentenceRules, words
from paragold.languages.tokens import TokenRules

_CURRENCIES = (
    "euros?|d[óo]lar(?:es)?|pesos?|pesetas?|libras?|c[ée]ntimos?|centavos?|francos?|yenes|yen|yuanes|"
    "reales|eur|usd|[€$£]"
)

SPANISH = Language(
    tag="es",
    name="Spanish",
    sentence_rules=SentenceRules(
        before_names=words(
            "sr sres sra sras srta srtas dr dres dra dras prof profa gral cnel tte cmte sgto mons excmo",
            "excma ilmo ilma sto sta dña vda avda av pza ctra vs aprox mrs pdte ej p.ej s.m s.a.r",
        ),
        before_names_exact=words(
            "Lic Ing Arq Cap Fr Hno Hnos Pte Mtro Mtra Mgr Rvdo Gob Dip Sen Mr Ms St Ma Fco cf",
        ),
        before_numbers=words(
            "n no núm núms pág págs art arts fig figs vol vols cap tel tít No Núm Art Fig Vol Tel etc",
        ),
        months=words("ene feb abr jun jul ago sept oct nov dic"),
        may_end=words(
            "ud uds vd vds cía co corp inc ltd ltda bros jr hab ee.uu s.a s.l c.v a.c d.c rr.hh ff.aa",
            "cc.oo jj.oo kg km cm min seg máx mín tlf depto dpto edo univ mill",
        ),
        starters=words(
            "A Además Actualmente Al Algunas Algunos Ante Antes Aquí Asimismo Así Aunque Cada Como Con",
            "Contra Cuando Cómo De Debido Del Desde Después Dicha Dicho Donde Dos Durante El Ella Ellas Ello",
            "Ellos En Entonces Entre Era Es Esa Ese Eso Esta Estaba Estas Este Esto Estos Está Están Fue",
            "Fueron Ha Había Hace Hacia Han Hasta Hay Incluso La Las Le Les Lo Los Luego Mas Me Mientras Mi",
            "Mis Mucho Muchos Muy Más Nadie Ni No Nos Nuestra Nuestro O Os Otra Otras Otro Otros Para Pero",
            "Poco Por Porque Posteriormente Pues Que Quien Quizás Qué Se Según Ser Si Sin Sobre Su Sus Sí",
            "Sólo Solo También Tampoco Tanto Te Todas Todo Todos Tras Tres Tu Un Una Unas Uno Unos Varios Y",
            "Ya Yo Él",
        ),
    ),
    token_rules=TokenRules(after=r"['’]s(?!\w)", whole=r"(?i:n|\d+)\.[ºª°]", keeps_stop=r"[a-z]\."),
    placeholder_rules=PlaceholderRules(
        days=words("lunes martes miércoles jueves viernes sábado domingo"),
        magnitudes="cien|cientos|mil|mill[óo]n(?:es)?|billones|billón",
        short=r"k|m|mm|mill\.?",
        currencies=_CURRENCIES,
        joined=_CURRENCIES,
        ordinal=r"\.?[ºª°]|er|ro|do|da|ra|to|ta",
        links=words("de"),
    ),
    function_words=words(
        "el la los las lo un una unos unas al del de a y e o u pero sino que si porque pues como cuando",
        "donde quien quienes cual cuales cuyo cuya qué quién cuál cómo cuándo dónde yo tú él ella ello",
        "nosotros vosotros ellos ellas usted ustedes me te se nos os le les mi mis tu tus su sus nuestro",
        "nuestra nuestros nuestras este esta estos estas esto ese esa esos esas eso aquel aquella aquellos",
        "aquellas ser es soy eres somos son era eran fue fueron sido siendo sea sean será serán sería estar",
        "está están estaba estaban estado haber ha he han había habían hay hubo habrá habido tiene tienen",
        "tenía puede pueden podía poder debe deben en por para con sin sobre entre hasta desde hacia contra",
        "según durante tras ante bajo mediante no ni nunca jamás nada nadie ningún ninguna ninguno más menos",
        "muy tan tanto ya también tampoco aún todavía así luego entonces todo toda todos todas otro otra",
        "otros otras mismo misma cada algún alguna algunos algunas poco mucho aunque mientras",
    ),
    closed_classes={
        "determiner": words(
            "el la los las lo un una unos unas este esta estos estas ese esa esos esas aquel aquella cada",
            "algún alguna ningún ninguna del al",
        ),
        "preposition": words(
            "de del a al en por para con sin sobre entre hasta desde hacia contra según durante tras ante",
            "bajo mediante como que",
        ),
        "be": words(
            "ser es soy somos son era eran fue fueron sido siendo sea será serán sería estar está están",
            "estaba estaban estado",
        ),
        "have": words("haber ha he han hemos había habían hay hubo habrá habido tener tiene tienen tenía"),
        "do": words("hacer hace hacen hizo hicieron hecho"),
        "modal": words("puede pueden podía poder podría debe deben debía debería va van quiere quieren"),
        "pronoun": words(
            "yo tú él ella ello nosotros ellos ellas usted ustedes me te se nos os lo la los las le les",
            "quien",
        ),
        "possessive": words("mi mis tu tus su sus nuestro nuestra nuestros nuestras cuyo cuya"),
        "conjunction": words(
            "y e o u pero sino ni si porque pues cuando aunque mientras donde que cual cuales"
        ),
        "negation": words("no nunca jamás nada nadie ningún ninguna ninguno ni tampoco"),
    },
    negation=words(
        "no nunca jamás nada nadie ni ningún ninguna ninguno sin tampoco niega negó niegan negar rechaza",
        "rechazó fracasa fracasó impide impidió imposible apenas",
    ),
    upward=words(
        "sube subió suben subir subido aumenta aumentó aumentan aumento aumentado crece creció crecen",
        "crecimiento gana ganó ganan avanza avanzó mayor más alza incrementa incremento mejora mejoró",
    ),
    downward=words(
        "baja bajó bajan bajar bajado cae cayó caen caída caído disminuye disminuyó descenso desciende",
        "descendió pierde perdió pierden retrocede retrocedió menor menos reduce redujo empeora empeoró",
    ),
    articles=words("el la los las lo un una unos unas al del cada"),
    months=month_names(
        "enero/ene febrero/feb marzo/mar abril/abr mayo junio/jun julio/jul agosto/ago "
        "septiembre/setiembre/sept octubre/oct noviembre/nov diciembre/dic"
    ),
    number_words={
        **counted(
            "cero uno/un/una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince "
            "dieciséis diecisiete dieciocho diecinueve",
            first=0,
        ),
        **counted(
            "primero/primer/primera segundo/segunda tercero/tercer/tercera cuarto/cuarta quinto/quinta"
        ),
        **counted("veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa", first=20, step=10),
        "cien": "100",
        "mil": "1000",
        "millón": "1000000",
        "millones": "1000000",
    },
    decimal=",",
)
