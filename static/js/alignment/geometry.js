/**
 * Curves between two columns of equal rows, and cells of a matrix: numbers only, in CSS pixels, origin at the
 * top left. A curve is {x0, y0, x1, y1}, drawn as a cubic Bezier that leaves and arrives horizontally.
 */

const SAMPLES = 24;

export const rowCentre = (index, rowHeight) => (index + 0.5) * rowHeight;

/**
 * Vertical offsets that keep the links of one word apart: for each "i-j" of `cells` {a, b} in pixels. Ends at a
 * word are ordered by their other word, so that the links of one word never cross each other.
 */
export function ports(cells, rowHeight) {
  const offsets = new Map(cells.map(([i, j]) => [`${i}-${j}`, { a: 0, b: 0 }]));
  for (const [side, own, other] of [["a", 0, 1], ["b", 1, 0]]) {
    const byWord = grouped(cells, own);
    for (const group of byWord.values()) {
      const ordered = [...group].sort((p, q) => p[other] - q[other]);
      const step = Math.min(4, (rowHeight * 0.6) / ordered.length);
      ordered.forEach(([i, j], rank) => {
        offsets.get(`${i}-${j}`)[side] = (rank - (ordered.length - 1) / 2) * step;
      });
    }
  }
  return offsets;
}

export function curveOf(i, j, { rowHeight, width }, port = { a: 0, b: 0 }) {
  return { x0: 0, y0: rowCentre(i, rowHeight) + port.a, x1: width, y1: rowCentre(j, rowHeight) + port.b };
}

/** The `d` of an SVG path. */
export function pathOf({ x0, y0, x1, y1 }) {
  const middle = round((x0 + x1) / 2);
  return `M${round(x0)} ${round(y0)}C${middle} ${round(y0)} ${middle} ${round(y1)} ${round(x1)} ${round(y1)}`;
}

/** The point at t in [0, 1] of the curve, as [x, y]. */
export function pointAt({ x0, y0, x1, y1 }, t) {
  const u = 1 - t;
  const middle = (x0 + x1) / 2;
  const ends = [u ** 3 + 3 * u * u * t, 3 * u * t * t + t ** 3];
  return [u ** 3 * x0 + 3 * u * t * middle + t ** 3 * x1, ends[0] * y0 + ends[1] * y1];
}

/** Distance of a point from the curve in pixels, by line segments between sampled points (error below 1 px). */
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

/** The key of the curve nearest to the point within `tolerance` pixels, or null. `curves`: iterable of [key, curve]. */
export function nearestCurve(curves, x, y, tolerance) {
  let found = null;
  let limit = tolerance;
  for (const [key, curve] of curves) {
    const outside = y < Math.min(curve.y0, curve.y1) - limit || y > Math.max(curve.y0, curve.y1) + limit;
    if (outside) continue;
    const distance = distanceTo(curve, x, y);
    if (distance <= limit) [found, limit] = [key, distance];
  }
  return found;
}

/** The row under a height, kept within the column. */
export const rowAt = (y, rowHeight, size) => clamp(Math.floor(y / rowHeight), size);

/** The cell [i, j] of a matrix under a point; null outside unless `clamped`. */
export function cellAt(x, y, cell, rows, columns, clamped = false) {
  const [i, j] = [Math.floor(y / cell), Math.floor(x / cell)];
  if (clamped) return [clamp(i, rows), clamp(j, columns)];
  return i >= 0 && j >= 0 && i < rows && j < columns ? [i, j] : null;
}

/** Every cell of the rectangle between two corner cells, both included. */
export function rectangleCells([i, j], [k, l]) {
  const cells = [];
  for (let row = Math.min(i, k); row <= Math.max(i, k); row += 1) {
    for (let column = Math.min(j, l); column <= Math.max(j, l); column += 1) cells.push([row, column]);
  }
  return cells;
}

/** The side of a matrix cell in whole pixels so that the matrix fits, between the least and the most. */
export function cellSize(available, columns, least, most) {
  return Math.max(least, Math.min(most, Math.floor(available / Math.max(1, columns))));
}

function segmentDistance(px, py, qx, qy, x, y) {
  const [dx, dy] = [qx - px, qy - py];
  const length = dx * dx + dy * dy;
  const t = length ? Math.max(0, Math.min(1, ((x - px) * dx + (y - py) * dy) / length)) : 0;
  return Math.hypot(px + t * dx - x, py + t * dy - y);
}

function grouped(cells, own) {
  const groups = new Map();
  for (const cell of cells) groups.set(cell[own], [...(groups.get(cell[own]) ?? []), cell]);
  return groups;
}

const clamp = (index, size) => Math.max(0, Math.min(size - 1, index));
const round = (value) => Math.round(value * 10) / 10;
