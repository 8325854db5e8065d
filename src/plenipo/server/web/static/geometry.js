/* Arithmetic for the view on the map. A view is {x, y, w, h} in map units, a size {w, h} in pixels. */

export const parseBox = (text) => {
  const [x, y, w, h] = text.split(/[ ,]+/).map(Number);
  return { x, y, w, h };
};

/** Return the number of map units per pixel. */
export const scaleOf = (view, size) => Math.max(view.w / Math.max(size.w, 1), view.h / Math.max(size.h, 1));

/** Return the smallest view with the proportions of `size` that shows all of `box`. */
export function viewAround(box, size) {
  const scale = scaleOf(box, size);
  const w = scale * size.w;
  const h = scale * size.h;
  return { x: box.x + (box.w - w) / 2, y: box.y + (box.h - h) / 2, w, h };
}

/** Move `view` so that it reaches beyond the map by at most `slack`, as a share of the view. */
export function clampView(view, whole, slack = 0.2) {
  const within = (at, length, low, size) => {
    const room = length * slack;
    if (length >= size + 2 * room) return low + (size - length) / 2;
    return Math.min(Math.max(at, low - room), low + size - length + room);
  };
  return { ...view, x: within(view.x, view.w, whole.x, whole.w), y: within(view.y, view.h, whole.y, whole.h) };
}

/** Scale `view` by `factor` about a point of the map; its width stays within `least` and `most` map units. */
export function zoomView(view, factor, point, least, most) {
  const w = Math.min(Math.max(view.w * factor, least), most);
  const ratio = w / view.w;
  return { x: point.x - (point.x - view.x) * ratio, y: point.y - (point.y - view.y) * ratio, w, h: view.h * ratio };
}

/** Return a curve from one point to another, bent a little to the left and ending short of both: the `d` of a path,
    with its tip and angle. */
export function bendLine(from, to, before, after, left = 0.09) {
  const [ax, ay] = from;
  const [bx, by] = to;
  const mx = (ax + bx) / 2 + (by - ay) * left;
  const my = (ay + by) / 2 - (bx - ax) * left;
  const toward = ([x, y], [u, v], far) => {
    const length = Math.hypot(u - x, v - y) || 1;
    return [x + ((u - x) * far) / length, y + ((v - y) * far) / length];
  };
  const start = toward(from, [mx, my], before);
  const end = toward(to, [mx, my], after);
  const d = `M${start.map(Math.round)}Q${Math.round(mx)},${Math.round(my)} ${end.map(Math.round)}`;
  return { d, end, angle: Math.atan2(end[1] - my, end[0] - mx) };
}
