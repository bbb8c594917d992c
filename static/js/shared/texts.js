/**
 * Texts in the language of the page. The modules have them in English; the page brings the translations of
 * locale/LANGUAGE/LC_MESSAGES/djangojs.po, none where it is English.
 */

const element = globalThis.document?.getElementById?.("texts");
/** @type {Record<string, string | string[]>} */
const catalog = JSON.parse(element?.textContent ?? "{}");

/** @typedef {Record<string, string | number>} Values */

/**
 * @param {string} text @param {Values} [values] for its placeholders, such as %(count)s
 */
export function gettext(text, values = {}) { return fill(String(catalog[text] ?? text), values); }

/**
 * The text for one thing, or for another number of them, which fills %(count)s.
 * @param {string} single @param {string} several @param {number} count @param {Values} [values]
 */
export function ngettext(single, several, count, values = {}) {
  return fill((catalog[single] ?? [single, several])[count === 1 ? 0 : 1], { count, ...values });
}

/** @param {string} text @param {Values} values */
function fill(text, values) { return text.replace(/%\((\w+)\)s/g, (_, name) => String(values[name])); }

/**
 * What fills the placeholders of a text about items: a "pair" or a "cluster".
 * @param {string} thing
 */
export function wordsFor(thing) {
  const [single, several] = thing === "cluster"
    ? [gettext("cluster"), gettext("clusters")] : [gettext("pair"), gettext("pairs")];
  return { thing: single, things: several, Thing: single[0].toUpperCase() + single.slice(1) };
}

/**
 * A label within a sentence: German nouns keep their capitals.
 * @param {string} text
 */
export function within(text) {
  return globalThis.document?.documentElement?.lang === "de" ? text : text.toLowerCase();
}
