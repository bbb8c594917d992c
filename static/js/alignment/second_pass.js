/** The second pass over one's own links: the disputed ones as rows above the page for linking words. */

import { action, find, part } from "../shared/page.js";
import { declaredOptions, Rows } from "../shared/rows.js";
import { gettext } from "../shared/texts.js";
import { Bench } from "./bench.js";
import { DROP } from "./decisions.js";
import { startLinking } from "./linking.js";
import { cellOf, keyOf, link, POSSIBLE, remove, SURE } from "./state.js";
import { drawnLink, namedLink, strengthWord } from "./words.js";

/**
 * @typedef {import("./state.js").Pair} Pair
 * @typedef {import("./state.js").Strength} Strength
 */

/** @param {import("../shared/desk.js").Calls} calls @returns {import("../shared/desk.js").Bench} */
function makeBench({ say, onEdit }) {
  /** @type {Set<string>} */
  let looked = new Set(); // the disputed links decided again
  const bench = new Bench({
    say,
    onEdit(action) {
      paint();
      onEdit(action);
    },
  });
  const { editor } = bench;
  const table = part("second-look");
  find(".sentences", HTMLElement, bench.root).append(table);
  const rows = new Rows({
    annotators: [gettext("You")], choose, moved: ({ key }) => editor.focusCell(...cellOf(key)),
  });

  function paint() {
    const strengthOf = (/** @type {string} */ key) => editor.state.links.get(key)?.strength ?? DROP;
    rows.paint(new Map([...looked].map((key) => [key, strengthOf(key)])));
  }

  /** @param {string} key @param {string} value */
  function choose(key, value) {
    const cell = cellOf(key);
    looked.add(key);
    editor.edit(value, (state) => (
      value === DROP ? remove(state, [cell]) : link(state, [cell], /** @type {Strength} */ (value))
    ), gettext("Kept: %(what)s.", { what: strengthWord(value) }));
    paint();
    if (!rows.toOpen()) action("submit").focus();
  }

  /** @param {string} value @param {() => unknown} otherwise where the rows have not the focus */
  const here = (value, otherwise) => () => {
    if (table.contains(document.activeElement) && rows.row) choose(rows.row.key, value);
    else otherwise();
  };

  return {
    editor,
    actions: {
      ...bench.actions,
      sure: here(SURE, bench.actions.sure),
      possible: here(POSSIBLE, bench.actions.possible),
      drop: here(DROP, bench.actions.remove),
    },
    open(/** @type {Pair} */ item, history) {
      bench.open(/** @type {any} */ (item), history);
      looked = new Set();
      const own = new Map((item.links ?? []).map(([a, b, strength]) => [keyOf(a, b), strength]));
      rows.open((item.disputed ?? []).map(([a, b]) => {
        const strength = own.get(keyOf(a, b));
        const words = `${item.a.tokens[a]} – ${item.b.tokens[b]}`;
        return {
          key: keyOf(a, b), name: namedLink(item, a, b), said: gettext("%(words)s, yours: %(what)s", {
            words, what: strength ? strengthWord(strength) : gettext("none"),
          }),
          cells: [drawnLink(strength)], options: declaredOptions(),
        };
      }));
      table.hidden = false;
      paint();
      rows.goTo(0);
    },
    focus() {
      if (table.contains(document.activeElement)) rows.focus();
      else bench.focus();
    },
    timed: (action, from) => bench.timed(action, from),
  };
}

startLinking(makeBench);
