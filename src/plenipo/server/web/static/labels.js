/* The writing on the map, fitted to the zoom: a name where it can be read and stands free, else the code, else nothing. */

const SMALLEST = 11;
const LAND = 13.5;
const SEA = 13;
const LARGEST = 17;
const CODE = 11;
const GROWTH = 1.9;

const overlaps = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

function measured(text) {
  const box = text.getBBox();
  return {
    text,
    water: text.classList.contains('water'),
    size: Number(text.getAttribute('font-size')),
    x: box.x + box.width / 2,
    y: box.y + box.height / 2,
    w: box.width,
    h: box.height * 0.78,
  };
}

const boxOf = (label, factor, share = 0.94) => {
  const w = label.w * factor * share;
  const h = label.h * factor * share;
  return { x: label.x - w / 2, y: label.y - h / 2, w, h };
};

/** Measure the labels of a picture; both groups list the same spaces in the same order. Null if it has none. */
export function measure(svg) {
  const [names, codes] = ['.names', '.codes'].map((group) => [...svg.querySelectorAll(`${group} text`)]);
  if (names.length === 0 || names.length !== codes.length) return null;
  for (const text of [...names, ...codes]) {
    text.removeAttribute('transform');
    text.removeAttribute('data-off');
  }
  return names.map((name, i) => ({ name: measured(name), code: measured(codes[i]) }));
}

function wear(label, factor) {
  label.text.removeAttribute('data-off');
  const { x, y } = label;
  label.text.setAttribute('transform', Math.abs(factor - 1) < 0.02 ? '' : `translate(${x} ${y}) scale(${factor.toFixed(3)}) translate(${-x} ${-y})`);
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
