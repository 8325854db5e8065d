/* The writing on the map, fitted to the zoom: a name where it can be read and stands free, else the code, else nothing. */

const SMALLEST = 11;
const LAND = 13.5;
const SEA = 13;
const LARGEST = 17;
const CODE = 11;
const GROWTH = 1.9;

const overlaps = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

const inside = (at, low, room) => at > low && at < low + room;

function measured(text, frame) {
  const box = text.getBBox();
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  return {
    text,
    x,
    y,
    // what stands in the frame stays there when it grows; what is written in a box beside the map has none
    frame: frame && inside(x, frame.x, frame.width) && inside(y, frame.y, frame.height) ? frame : null,
    water: text.classList.contains('water'),
    size: Number(text.getAttribute('font-size')),
    w: box.width,
    h: box.height * 0.78,
  };
}

const within = (at, low, room, half) => Math.min(Math.max(at, low + half), low + room - half);

/** Where the middle of a label comes to lie when it is enlarged: where it was, or as near to that as the frame allows. */
const middleOf = ({ x, y, w, h, frame }, factor) =>
  frame
    ? { x: within(x, frame.x, frame.width, (w * factor) / 2), y: within(y, frame.y, frame.height, (h * factor) / 2) }
    : { x, y };

const boxOf = (label, factor, share = 0.94) => {
  const { x, y } = middleOf(label, factor);
  const w = label.w * factor * share;
  const h = label.h * factor * share;
  return { x: x - w / 2, y: y - h / 2, w, h };
};

/** Measure the labels of a picture; both groups list the same spaces in the same order. Null if it has none. */
export function measure(svg) {
  const [names, codes] = ['.names', '.codes'].map((group) => [...svg.querySelectorAll(`${group} text`)]);
  if (names.length === 0 || names.length !== codes.length) return null;
  const frame = svg.querySelector('.neat')?.getBBox();
  for (const text of [...names, ...codes]) {
    text.removeAttribute('transform');
    text.removeAttribute('data-off');
  }
  return names.map((name, i) => ({ name: measured(name, frame), code: measured(codes[i], frame) }));
}

function wear(label, factor) {
  label.text.removeAttribute('data-off');
  const { x, y } = middleOf(label, factor);
  const turned = `translate(${x} ${y}) scale(${factor.toFixed(3)}) translate(${-label.x} ${-label.y})`;
  label.text.setAttribute('transform', Math.abs(factor - 1) < 0.02 ? '' : turned);
}

/** Choose for each place what is written there. `scale` is map units a pixel, `discs` the units as boxes. */
export function fitLabels(labels, scale, discs) {
  const taken = [...discs];
  const free = (box) => !taken.some((other) => overlaps(box, other));
  const waiting = [];
  // large names first: they have the least choice of where to go
  for (const pair of [...labels].sort((a, b) => b.name.size * b.name.w - a.name.size * a.name.w)) {
    const { name } = pair;
    pair.name.text.setAttribute('data-off', '');
    pair.code.text.setAttribute('data-off', '');
    const wanted = name.water ? SEA : LAND;
    const base = name.size / scale;
    const factors = [Math.min(Math.max(wanted / base, 1), GROWTH, LARGEST / base), SMALLEST / base];
    const chosen = factors.find((factor) => factor <= GROWTH && base * factor >= SMALLEST - 0.01 && free(boxOf(name, factor)));
    if (chosen) {
      wear(name, chosen);
      taken.push(boxOf(name, chosen));
    } else {
      waiting.push(pair.code);
    }
  }
  for (const code of waiting) {
    const factor = Math.min((CODE * scale) / code.size, 1);
    const box = boxOf(code, factor, 0.86);
    if ((code.size / scale) * factor < 9 || !free(box)) continue;
    wear(code, factor);
    taken.push(box);
  }
}
