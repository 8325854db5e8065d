/* Fits the labels of the map to the zoom. Spaces that matter are labelled first and always: with the name where it is
   readable and free, else with the code near the unit. The others are labelled as long as there is room. */

const SMALLEST = 11;
const LAND = 13.5;
const SEA = 13;
const LARGEST = 17;
const CODE = 11;
const GROWTH = 1.9;
const ROOM = 3;
const APART = 4; // between two labels side by side, so that they are not read as one word

const overlaps = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
const overlapArea = (a, b) =>
  Math.max(0, Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)) * Math.max(0, Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y));

/** Return how far a box is from the edge of a disc; negative inside. */
const farFrom = (box, disc) => {
  const [cx, cy] = [disc.x + disc.w / 2, disc.y + disc.h / 2];
  return Math.hypot(Math.max(0, box.x - cx, cx - box.x - box.w), Math.max(0, box.y - cy, cy - box.y - box.h)) - disc.w / 2;
};

const inside = (at, low, room) => at > low && at < low + room;

function measureLabel(text, frame) {
  const box = text.getBBox();
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  return {
    text,
    x,
    y,
    // a label inside the frame stays inside when it grows; labels in a box beside the map have no frame
    frame: frame && inside(x, frame.x, frame.width) && inside(y, frame.y, frame.height) ? frame : null,
    water: text.classList.contains('water'),
    curved: Boolean(text.querySelector('textPath')),
    size: Number(text.getAttribute('font-size')),
    w: box.width,
    h: box.height * 0.78,
  };
}

const within = (at, low, room, half) => Math.min(Math.max(at, low + half), low + room - half);

/** Return the centre of a label when it is enlarged: `x`, `y`, or the nearest point that the frame allows. */
const centreOf = ({ w, h, frame }, factor, { x, y }) =>
  frame
    ? { x: within(x, frame.x, frame.width, (w * factor) / 2), y: within(y, frame.y, frame.height, (h * factor) / 2) }
    : { x, y };

function labelBox(label, factor, at = label, share = 0.94) {
  const { x, y } = centreOf(label, factor, at);
  const w = label.w * factor * share;
  const h = label.h * factor * share;
  return { x: x - w / 2, y: y - h / 2, w, h };
}

/** Measure the labels of a picture; null if it has none. Names and codes list the same spaces in the same order. */
export function measure(svg) {
  const [names, codes] = ['.names', '.codes'].map((group) => [...svg.querySelectorAll(`${group} text`)]);
  if (names.length === 0 || names.length !== codes.length) return null;
  const frame = svg.querySelector('.neat')?.getBBox();
  for (const text of [...names, ...codes]) {
    text.removeAttribute('transform');
    text.removeAttribute('data-off');
  }
  return names.map((name, i) => {
    const space = codes[i].textContent.trim();
    const face = svg.querySelector(`path.space[data-space="${CSS.escape(space)}"]`);
    const box = face?.getBBox();
    name.dataset.of = space;
    codes[i].dataset.of = space;
    return { space, face, area: box ? box.width * box.height : Infinity, name: measureLabel(name, frame), code: measureLabel(codes[i], frame) };
  });
}

function showLabel({ label, factor, at }) {
  label.text.removeAttribute('data-off');
  const { x, y } = centreOf(label, factor, at);
  const turned = `translate(${x} ${y}) scale(${factor.toFixed(3)}) translate(${-label.x} ${-label.y})`;
  label.text.setAttribute('transform', turned);
}

/** Yield positions for a label around a disc, the best first: below, above, at the sides, then farther away. */
function* listPositions(disc, w, h, gap) {
  const cx = disc.x + disc.w / 2;
  const cy = disc.y + disc.h / 2;
  for (const far of [gap, gap + h * 0.8, gap + h * 2]) {
    const [dx, dy] = [disc.w / 2 + far + w / 2, disc.h / 2 + far + h / 2];
    const lean = disc.w / 2 + w / 3;
    const raised = disc.h / 2 + h / 4;
    for (const [x, y] of [
      [0, dy], [0, -dy], [dx, 0], [-dx, 0], [lean, dy], [-lean, dy], [lean, -dy], [-lean, -dy],
      [dx, raised], [-dx, raised], [dx, -raised], [-dx, -raised], [lean / 2, dy], [-lean / 2, dy], [lean / 2, -dy], [-lean / 2, -dy],
    ]) {
      yield { x: cx + x, y: cy + y };
    }
  }
}

const SPOTS = [[0.5, 0.5], [0.05, 0.1], [0.95, 0.1], [0.05, 0.9], [0.95, 0.9]];

/** Return how much of a box lies in a face, from 0 to 1, sampled at its centre and corners; 0 if its centre does not.
    */
function shareInside(face, box) {
  if (!face) return 0;
  const isInside = ([u, v]) => face.isPointInFill(new DOMPoint(box.x + u * box.w, box.y + v * box.h));
  return isInside(SPOTS[0]) ? SPOTS.filter(isInside).length / SPOTS.length : 0;
}

/** Choose the label of each space and its position. `scale` is map units per pixel, `taken` are boxes to keep free,
    `discs` are the units as {space, x, y, w, h}, and `first` are the spaces to label first. */
export function fitLabels(labels, scale, discs, { taken: marks = [], first = new Set() } = {}) {
  const taken = [...discs, ...marks];
  const texts = [];
  const widen = (box) => ({ ...box, x: box.x - APART * scale, w: box.w + 2 * APART * scale });
  const isFree = (box) => !taken.some((other) => overlaps(box, other)) && !texts.some((other) => overlaps(widen(box), other));
  const discsBySpace = new Map(discs.map((disc) => [disc.space, disc]));
  // all measurements come before the first change of the picture, so that it is laid out only once
  const written = [];
  const write = (label, factor, at, box) => {
    written.push({ label, factor, at });
    taken.push(box);
    texts.push(box);
    return true;
  };
  const sizes = (name) => {
    const base = name.size / scale;
    const most = Math.min(Math.max((name.water ? SEA : LAND) / base, 1), GROWTH, LARGEST / base);
    return [most, SMALLEST / base].filter((factor) => factor <= GROWTH && base * factor >= SMALLEST - 0.01);
  };
  const placeName = ({ name }) => {
    const factor = sizes(name).find((one) => isFree(labelBox(name, one)));
    return factor !== undefined && write(name, factor, name, labelBox(name, factor));
  };
  /** Place the name or the code of a space in the best position near its unit and inside the space. */
  const placeBeside = (pair) => {
    const { name, code, face, space } = pair;
    const disc = discsBySpace.get(space) ?? { x: code.x, y: code.y, w: 0, h: 0 };
    const kinds = [];
    const least = SMALLEST / (name.size / scale);
    if (!name.curved && least <= GROWTH) kinds.push([name, least, 1]);
    kinds.push([code, (CODE * scale) / code.size, 0.4], [code, (0.86 * CODE * scale) / code.size, 0]);
    /** Tell whether a box is nearer to the unit of the space than to any other. */
    const isNearest = (box) => !disc.w || discs.every((other) => other === disc || farFrom(box, disc) <= farFrom(box, other));
    for (const [label, factor, wanted] of kinds) {
      const at = (spot) => ({ spot, box: labelBox(label, factor, spot, 0.9) });
      const places = [label, ...listPositions(disc, label.w * factor, label.h * factor, ROOM * scale)].map(at);
      const found = places.find(({ box }) => isFree(box) && isNearest(box) && shareInside(face, box) >= wanted);
      if (found) return write(label, factor, found.spot, found.box);
    }
    // no position is free: take the one that covers least
    const factor = (0.86 * CODE * scale) / code.size;
    const areaIn = (box, others) => others.reduce((sum, other) => sum + overlapArea(box, other), 0);
    const cost = (box) => areaIn(box, taken) + areaIn(widen(box), texts) + (isNearest(box) ? 0 : box.w * box.h);
    const [best] = [...listPositions(disc, code.w * factor, code.h * factor, scale)]
      .map((spot) => ({ spot, box: labelBox(code, factor, spot, 0.9) }))
      .sort((a, b) => cost(a.box) - cost(b.box));
    return write(code, factor, best.spot, best.box);
  };
  const rank = ({ space }) => (first.has(space) ? 0 : discsBySpace.has(space) ? 1 : 2);
  const must = labels.filter((pair) => rank(pair) < 2).sort((a, b) => rank(a) - rank(b) || a.area - b.area);
  for (const pair of must) placeName(pair) || placeBeside(pair);
  // large names first: they have the fewest positions
  const rest = labels.filter((pair) => rank(pair) === 2).sort((a, b) => b.name.size * b.name.w - a.name.size * a.name.w);
  for (const { code, face } of rest.filter((pair) => !placeName(pair))) {
    const factor = Math.min((CODE * scale) / code.size, 1);
    const [w, h] = [code.w * factor, code.h * factor];
    if ((code.size / scale) * factor < 9) continue;
    const places = [code, ...listPositions({ x: code.x, y: code.y, w: 0, h: 0 }, w / 2, h / 2, 0)].map((spot) => ({ spot, box: labelBox(code, factor, spot, 0.86) }));
    const found = places.find(({ spot, box }) => isFree(box) && (spot === code || shareInside(face, box) >= 0.4));
    if (found) write(code, factor, found.spot, found.box);
  }
  for (const { text } of labels.flatMap(({ name, code }) => [name, code])) text.setAttribute('data-off', '');
  written.forEach(showLabel);
}
