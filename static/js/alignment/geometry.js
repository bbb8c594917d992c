/**
 * Curves between two columns of equal rows, and cells of a matrix: numbers only, in CSS pixels, origin at the
 * top left.
 *
 * A curve is drawn as a cubic Bezier that leaves and arrives horizontally.
 * @typedef {{ x0: number, y0: number, x1: number, y1: number }} Curve
 * @typedef {import("./state.js").Cell} Cell
 */

import { SIDES } from "../shared/text.js";

const SAMPLES = 24;

/** @param {number} index @param {number} rowHeight */
export const rowCentre = (index, rowHeight) => (index + 0.5) * rowHeight;

/**
 * Vertical offsets that keep the links of one word apart: for each "i-j" of `cells` {a, b} in pixels. Ends at
 * a word are ordered by their other word, so that the links of one word never cross each other.
 * @param {Cell[]} cells @param {number} rowHeight
 */
export function ports(cells, rowHeight) {
  const offsets = new Map(cells.map(([i, j]) => [`${i}-${j}`, { a: 0, b: 0 }]));
  for (const side of SIDES) {
    const [own, other] = side === "a" ? [0, 1] : [1, 0];
    const byWord = grouped(cells, own);
    for (const group of byWord.values()) {
      const ordered = [...group].sort((p, q) => p[other] - q[other]);
      const step = Math.min(4, (rowHeight * 0.6) / ordered.length);
      ordered.forEach(([i, j], rank) => {
        const offset = offsets.get(`${i}-${j}`);
        if (offset) offset[side] = (rank - (ordered.length - 1) / 2) * step;
      });
    }
  }
  return offsets;
}

/**
 * @param {number} i @param {number} j @param {{ rowHeight: number, width: number }} box
 * @param {{ a: number, b: number }} port
 */
export function curveOf(i, j, { rowHeight, width }, port = { a: 0, b: 0 }) {
  return { x0: 0, y0: rowCentre(i, rowHeight) + port.a, x1: width, y1: rowCentre(j, rowHeight) + port.b };
}

/**
 * The `d` of an SVG path.
 * @param {Curve} curve
 */
export function pathOf({ x0, y0, x1, y1 }) {
  const middle = round((x0 + x1) / 2);
  return `M${round(x0)} ${round(y0)}C${middle} ${round(y0)} ${middle} ${round(y1)} ${round(x1)} ${round(y1)}`;
}

/**
 * The point at t in [0, 1] of the curve, as [x, y].
 * @param {Curve} curve @param {number} t @returns {[number, number]}
 */
export function pointAt({ x0, y0, x1, y1 }, t) {
  const u = 1 - t;
  const middle = (x0 + x1) / 2;
  const ends = [u ** 3 + 3 * u * u * t, 3 * u * t * t + t ** 3];
  return [u ** 3 * x0 + 3 * u * t * middle + t ** 3 * x1, ends[0] * y0 + ends[1] * y1];
}

/**
 * Distance of a point from the curve in pixels, by line segments between sampled points (error below 1 px).
 * @param {Curve} curve @param {number} x @param {number} y
 */
export function distanceTo(curve, x, y) {
  let nearest = Infinity;
  let [px, py] = pointAt(curve, 0);
  for (let step = 1; step <= SAMPLES; step += 1) {
    const [qx, qy] = pointAt(curve, step / SAMPLES);
    nearest = Math.min(nearest, segmentDistance(px, py, qx, qy, x, y));
    [px, py] = [qx, qy];
  }
  return nearest;
}

/**
 * The key of the curve nearest to the point within `tolerance` pixels, or null.
 * @param {Iterable<[string, Curve]>} curves @param {number} x @param {number} y @param {number} tolerance
 */
export function nearestCurve(curves, x, y, tolerance) {
  let nearest = null;
  let limit = tolerance;
  for (const [key, curve] of curves) {
    const outside = y < Math.min(curve.y0, curve.y1) - limit || y > Math.max(curve.y0, curve.y1) + limit;
    if (outside) continue;
    const distance = distanceTo(curve, x, y);
    if (distance <= limit) [nearest, limit] = [key, distance];
  }
  return nearest;
}

/**
 * The row under a height, kept within the column.
 * @param {number} y @param {number} rowHeight @param {number} size
 */
export const rowAt = (y, rowHeight, size) => clamp(Math.floor(y / rowHeight), size);

/**
 * The cell [i, j] of a matrix under a point; null outside unless `clamped`.
 * @param {number} x @param {number} y @param {number} cell its side in pixels
 * @param {number} rows @param {number} columns @returns {Cell | null}
 */
export function cellAt(x, y, cell, rows, columns, clamped = false) {
  const [i, j] = [Math.floor(y / cell), Math.floor(x / cell)];
  if (clamped) return [clamp(i, rows), clamp(j, columns)];
  return i >= 0 && j >= 0 && i < rows && j < columns ? [i, j] : null;
}

/**
 * Every cell of the rectangle between two corner cells, both included.
 * @param {Cell} corner @param {Cell} opposite
 */
export function rectangleCells([i, j], [k, l]) {
  /** @type {Cell[]} */
  const cells = [];
  for (let row = Math.min(i, k); row <= Math.max(i, k); row += 1) {
    for (let column = Math.min(j, l); column <= Math.max(j, l); column += 1) cells.push([row, column]);
  }
  return cells;
}

/**
 * The side of a matrix cell in whole pixels so that the matrix fits, between minimum and maximum.
 * @param {number} available @param {number} columns @param {number} minimum @param {number} maximum
 */
export function cellSize(available, columns, minimum, maximum) {
  return Math.max(minimum, Math.min(maximum, Math.floor(available / Math.max(1, columns))));
}

/**
 * Distance of a point from the segment between p and q.
 * @param {number} px @param {number} py @param {number} qx @param {number} qy
 * @param {number} x @param {number} y
 */
function segmentDistance(px, py, qx, qy, x, y) {
  const [dx, dy] = [qx - px, qy - py];
  const length = dx * dx + dy * dy;
  const t = length ? Math.max(0, Math.min(1, ((x - px) * dx + (y - py) * dy) / length)) : 0;
  return Math.hypot(px + t * dx - x, py + t * dy - y);
}

/** @param {Cell[]} cells @param {number} own */
function grouped(cells, own) {
  /** @type {Map<number, Cell[]>} */
  const groups = new Map();
  for (const cell of cells) groups.set(cell[own], [...(groups.get(cell[own]) ?? []), cell]);
  return groups;
}

/** @param {number} index @param {number} size */
const clamp = (index, size) => Math.max(0, Math.min(size - 1, index));
/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;
