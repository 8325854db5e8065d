/* The drawn board: pan, zoom and pinch, highlighted spaces, rings, order previews, and the replay of a turn. It knows
   no rules.

   The picture comes from the server; this class adds layers of its own and never changes the others, except for sizes
   that depend on the zoom. */
import { parseSvg, s, prefersReducedMotion } from './dom.js';
import { viewAround, bendLine, clampView, parseBox, scaleOf, zoomView } from './geometry.js';
import { fitLabels, measure } from './labels.js';

const DRAG = 6;
const NEAR = 26;
const CLOSEST = 420;
const LEAST = 0.22;
const ROUND = 420;
/** The margin between the map and its buttons, in pixels. */
const GAP = 8;
/** The smallest width of the mark of a supply centre, in pixels. */
const MARK = 9;
const layerOf = (svg, name) => svg.querySelector(`#m-layer-${name}`);
const placeOf = (sign) => sign.getAttribute('transform').match(/-?[\d.]+/g).map(Number);
const faceSelector = (space) => `[data-space="${CSS.escape(space)}"]`;

export class Board {
  /** `frame` is the element that the map fills; `on` has the handlers `tap({space, coast, drop})`, `hover(space)` and
      `pull(space)`. With `pullsByTouch` a finger pulls units like a mouse; where `isExact(pulls)` holds, a pointer means
      the space drawn under it, and not a unit near it. */
  constructor(frame, on) {
    this.frame = frame;
    this.on = on;
    this.svg = null;
    this.data = null;
    this.view = null;
    this.lit = [];
    /** The spaces whose labels are placed first: those with units of the power in the seat. */
    this.own = [];
    this.pointers = new Map();
    this.gesture = null;
    this.measure();
    new ResizeObserver(() => this.handleResize()).observe(frame);
    this.addListeners();
  }

  /** Read the size of the frame, in pixels. Only after a change of size, because reading it forces a layout of the
      page. */
  measure() {
    this.size = { w: this.frame.clientWidth, h: this.frame.clientHeight };
  }

  /** The radius of a drawn unit, in map units. */
  get radius() {
    return this.data.radius || 35;
  }

  get whole() {
    return parseBox(this.data.view);
  }

  /** Set the board's data, with the placement of everything; a different map resets the view. */
  setData(data) {
    const same = this.data && this.data.view === data.view;
    this.data = data;
    if (!same) this.view = null;
  }

  /** Show a picture, given as SVG text or as an element. The view is kept. */
  setPicture(text) {
    const svg = typeof text === 'string' ? parseSvg(text) : text;
    if (!svg) return;
    svg.classList.add('the-map');
    svg.setAttribute('preserveAspectRatio', 'xMidYMid meet');
    svg.setAttribute('role', 'img');
    this.frame.querySelector('svg.the-map')?.remove();
    this.frame.prepend(svg);
    this.svg = svg;
    this.layers = {};
    const layer = (name) => layerOf(svg, name);
    const ground = layer('centres') ?? layer('annotations') ?? svg.lastElementChild;
    for (const name of ['veil', 'lit', 'traces']) ground.before((this.layers[name] = s('g', { class: `over ${name}` })));
    for (const name of ['targets', 'ghost', 'rings']) svg.append((this.layers[name] = s('g', { class: `over ${name}` })));
    this.labels = null;
    this.scale = null;
    this.shown = null;
    const mark = svg.querySelector('.centre');
    this.markSize = mark ? 2 * Number(mark.querySelector('circle:not(.home)')?.getAttribute('r') ?? 11) + Number(mark.getAttribute('stroke-width')) : 22;
    if (!this.view) this.fit();
    else this.apply(this.view);
    this.relabelSoon();
    if (document.fonts?.status === 'loading') document.fonts.ready.then(() => this.svg === svg && this.relabel(true));
  }

  /** Replace the drawn orders by the server's `arrows` of one or several powers. */
  setArrows(all) {
    for (const name of ['orders', 'signs']) {
      let group = layerOf(this.svg, name);
      if (!group) {
        group = s('g', { id: `m-layer-${name}` });
        if (name === 'orders') (layerOf(this.svg, 'names') ?? this.layers.targets).before(group);
        else this.layers.targets.before(group);
      }
      group.replaceChildren();
      for (const arrows of all) {
        const found = parseSvg(arrows?.[name]);
        if (!found) continue;
        const inner = found.querySelector(`#m-layer-${name}`) ?? found;
        group.append(...inner.childNodes);
      }
    }
    this.scaleSigns();
  }

  /** Scale the signs of orders, such as the octagon of a hold, with the units. */
  scaleSigns() {
    for (const walker of this.svg.querySelectorAll('[data-aside]')) {
      walker.dataset.at ??= walker.getAttribute('transform');
      const [x, y] = walker.dataset.at.match(/-?[\d.]+/g).map(Number);
      walker.setAttribute('transform', `translate(${x + Number(walker.dataset.aside) * (this.unitScale - 1)} ${y})`);
    }
    for (const sign of this.svg.querySelectorAll('#m-layer-orders use, #m-layer-signs use, .traces use')) {
      sign.dataset.at ??= sign.getAttribute('transform') ?? '';
      sign.setAttribute('transform', `${sign.dataset.at} scale(${this.unitScale.toFixed(3)})`);
    }
  }

  // ---------------------------------------------------------------- the view

  apply(view) {
    this.view = view;
    if (!this.svg) return;
    const { x, y, w, h } = view;
    this.svg.setAttribute('viewBox', [x, y, w, h].map((n) => n.toFixed(1)).join(' '));
    const scale = scaleOf(view, this.size);
    if (scale === this.scale) return;
    this.scale = scale;
    this.sized = `${this.size.w} ${this.size.h} ${scale.toFixed(3)}`;
    // large when zoomed in, small but visible when a phone shows the whole map
    const wanted = scale < 5 ? Math.min(17, 12 + (5 - scale) * 1.3) : Math.max(8, 12 - (scale - 6) * 0.55);
    this.unitScale = Math.min(2.6, Math.max(0.7, (wanted * scale) / this.radius));
    this.svg.style.setProperty('--us', this.unitScale.toFixed(3));
    this.svg.style.setProperty('--px', scale.toFixed(3));
    this.svg.style.setProperty('--os', Math.min(3.2, Math.max(0.75, (3 * scale) / 7.5)).toFixed(3));
    this.centreScale = Math.max(1, (MARK * scale) / this.markSize);
    this.svg.style.setProperty('--cs', this.centreScale.toFixed(3));
    this.svg.classList.toggle('far', scale > 3.2);
    this.scaleSigns();
    this.drawRings();
    this.relabelSoon();
  }

  relabelSoon() {
    clearTimeout(this.labelling);
    this.labelling = setTimeout(() => this.relabel(), 60);
  }

  relabel(again = false) {
    clearTimeout(this.labelling);
    if (!this.svg?.isConnected || !this.size.w) return;
    if (again || !this.labels) this.labels = measure(this.svg);
    if (!this.labels) return;
    const radius = this.radius * this.unitScale + 3 * this.scale;
    const round = (sign, r) => {
      const [x, y] = placeOf(sign);
      return { x: x - r, y: y - r, w: 2 * r, h: 2 * r };
    };
    const discs = [...this.svg.querySelectorAll('.unit[data-space]')].map((unit) => ({ space: unit.dataset.space, ...round(unit, radius) }));
    const walkers = [...this.svg.querySelectorAll('.walker,.shade')].map((walker) => round(walker, 30 * this.unitScale));
    const r = 0.4 * this.markSize * this.centreScale;
    const centres = Object.values(this.data.spaces).filter((space) => space.centre && space.mark)
      .map(({ mark: [x, y] }) => ({ x: x - r, y: y - r, w: 2 * r, h: 2 * r }));
    this.written = new Set([...this.own, ...this.lit.map(({ space }) => space)]);
    fitLabels(this.labels, this.scale, discs, { taken: [...walkers, ...centres], first: this.written });
    this.frame.dataset.written = this.sized;
  }

  handleResize() {
    this.measure();
    if (!this.view || !this.size.w || !this.size.h) return;
    const scale = this.scale;
    this.scale = null;
    if (this.fitted) this.fit();
    else if (this.box) this.focus(this.box);
    else {
      // keep the centre and the zoom
      const [w, h] = [scale * this.size.w, scale * this.size.h];
      this.apply({ x: this.view.x + (this.view.w - w) / 2, y: this.view.y + (this.view.h - h) / 2, w, h });
    }
  }

  /** Return the room that the buttons need, in pixels: beside or below the map, whichever leaves the larger map. */
  measureButtons() {
    const tools = this.frame.querySelector('.zoom');
    if (!tools) return { w: 0, h: 0 };
    const { w, h } = this.size;
    for (const name of ['--beside', '--below']) this.frame.style.removeProperty(name);
    this.frame.dataset.tools = 'beside';
    const beside = { w: Math.max(0, w - tools.offsetLeft + GAP), h: 0 };
    this.frame.dataset.tools = 'below';
    const below = { w: 0, h: Math.max(0, h - tools.offsetTop + GAP) };
    const scale = (room) => scaleOf(this.whole, { w: w - room.w, h: h - room.h });
    if (scale(beside) > scale(below)) return below;
    this.frame.dataset.tools = 'beside';
    return beside;
  }

  /** Return the smallest view that shows all of `box` outside the buttons. */
  frameBox(box, room) {
    const inner = { w: this.size.w - room.w, h: this.size.h - room.h };
    const view = viewAround(box, inner);
    const scale = scaleOf(view, inner);
    return { ...view, w: scale * this.size.w, h: scale * this.size.h };
  }

  /** Show the whole map as large as possible, with the buttons close to it. */
  fit() {
    if (!this.size.w) return;
    this.fitted = true;
    this.box = null;
    const { whole } = this;
    const room = this.measureButtons();
    const view = this.frameBox(whole, room);
    const scale = scaleOf(view, this.size);
    const free = (at, length, low, size, taken) => `${Math.max(0, (at + length - low - size) / scale - taken).toFixed(0)}px`;
    this.frame.style.setProperty('--beside', free(view.x, view.w, whole.x, whole.w, room.w));
    this.frame.style.setProperty('--below', free(view.y, view.h, whole.y, whole.h, room.h));
    this.apply(view);
  }

  /** Stop fitting the view automatically, because the user has moved it. */
  stopFitting() {
    this.fitted = false;
    this.box = null;
  }

  /** Return the box around some spaces, in map units; null for none. */
  boxAround(spaces) {
    const placements = spaces.map((space) => this.placement(space)).filter(Boolean);
    if (!placements.length) return null;
    const [xs, ys] = [0, 1].map((axis) => placements.map((placement) => placement[axis]));
    const [x, y] = [Math.min(...xs) - ROUND, Math.min(...ys) - ROUND];
    return [x, y, Math.max(...xs) + ROUND - x, Math.max(...ys) + ROUND - y].join(' ');
  }

  /** Show a part of the map, such as the units of a power, with its surroundings. */
  focus(box) {
    if (!box || !this.size.w) {
      this.fit();
      return;
    }
    this.fitted = false;
    this.box = box;
    const room = this.measureButtons();
    const view = this.frameBox(parseBox(box), room);
    const least = viewAround(this.whole, this.size).w * LEAST;
    const near = zoomView(view, 1, { x: view.x + view.w / 2, y: view.y + view.h / 2 }, least, Infinity);
    const scale = scaleOf(near, this.size);
    const { x, y, w, h } = this.whole;
    this.apply(clampView(near, { x, y, w: w + room.w * scale, h: h + room.h * scale }, 0));
  }

  zoom(factor, point) {
    const middle = point ?? { x: this.view.x + this.view.w / 2, y: this.view.y + this.view.h / 2 };
    const most = this.frameBox(this.whole, this.measureButtons()).w;
    this.stopFitting();
    this.apply(clampView(zoomView(this.view, factor, middle, Math.min(CLOSEST, most), most), this.whole));
  }

  pan(dx, dy) {
    this.stopFitting();
    this.apply(clampView({ ...this.view, x: this.view.x + dx * this.scale, y: this.view.y + dy * this.scale }, this.whole));
  }

  /** Move the view so that a space is in it. */
  reveal(space) {
    const placement = this.placement(space);
    if (!placement || this.fitted) return;
    const { x, y, w, h } = this.view;
    const edge = 0.12;
    if (placement[0] > x + w * edge && placement[0] < x + w * (1 - edge) && placement[1] > y + h * edge && placement[1] < y + h * (1 - edge)) return;
    this.apply(clampView({ x: placement[0] - w / 2, y: placement[1] - h / 2, w, h }, this.whole));
  }

  toMap(event) {
    const matrix = this.svg.getScreenCTM().inverse();
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  }

  placement(space, coast = '') {
    const found = this.data.spaces[space];
    return found && ((coast && found.coast_placements?.[coast]) || found.placement);
  }

  // ---------------------------------------------------------------- pointers

  /** Return the space under a pointer: a highlighted space near it first, then a unit near it, then the drawn space. */
  findSpace(event, exact = false) {
    const reach = (event.pointerType === 'mouse' ? 14 : NEAR) * this.scale;
    const at = this.toMap(event);
    let best = null;
    for (const { space, coast } of exact ? [] : this.lit) {
      const placement = this.placement(space, coast);
      const far = placement ? Math.hypot(placement[0] - at.x, placement[1] - at.y) : Infinity;
      if (far < reach && far < (best?.far ?? Infinity)) best = { far, space, coast };
    }
    if (best) return best;
    if (!exact && (!this.lit.length || event.pointerType !== 'mouse')) {
      for (const unit of this.svg.querySelectorAll('.unit[data-space]')) {
        const [x, y] = unit.getAttribute('transform').match(/-?[\d.]+/g).map(Number);
        const far = Math.hypot(x - at.x, y - at.y);
        if (far < reach && far < (best?.far ?? Infinity)) best = { far, space: unit.dataset.space };
      }
      if (best) return best;
    }
    // a rule's mark covers its space and has a title, but cannot be chosen itself
    const drawn = document.elementsFromPoint(event.clientX, event.clientY);
    const hit = drawn.map((element) => element.closest('[data-corner],[data-space]')).find(Boolean);
    return hit && this.svg.contains(hit) ? { space: hit.dataset.corner ?? hit.dataset.space } : null;
  }

  addListeners() {
    const frame = this.frame;
    frame.addEventListener('wheel', (event) => {
      if (!this.svg || event.target.closest('button')) return;
      event.preventDefault();
      this.zoom(Math.exp(Math.max(-40, Math.min(40, event.deltaY)) / 260), this.toMap(event));
    }, { passive: false });
    frame.addEventListener('pointerdown', (event) => this.pressPointer(event));
    frame.addEventListener('pointermove', (event) => this.movePointer(event));
    for (const end of ['pointerup', 'pointercancel']) frame.addEventListener(end, (event) => this.releasePointer(event, end));
    frame.addEventListener('pointerleave', () => this.on.hover(null));
    frame.addEventListener('keydown', (event) => {
      if (event.target !== frame) return;
      const step = { ArrowLeft: [-60, 0], ArrowRight: [60, 0], ArrowUp: [0, -60], ArrowDown: [0, 60] }[event.key];
      if (step) this.pan(...step);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  pressPointer(event) {
    if (!this.svg || event.button > 0 || event.target.closest('button,a,input')) return;
    this.pointers.set(event.pointerId, event);
    const from = this.pointers.size === 1 && (event.pointerType === 'mouse' || this.on.pullsByTouch) ? this.findSpace(event)?.space : null;
    this.gesture = { x: event.clientX, y: event.clientY, view: this.view, moved: false, from, spread: 0, hold: null };
    if (this.pointers.size > 1) this.gesture.moved = true;
  }

  movePointer(event) {
    if (!this.svg) return;
    if (!this.pointers.has(event.pointerId)) {
      if (event.pointerType === 'mouse') this.on.hover(event.target.closest?.('button') ? null : this.findSpace(event)?.space ?? null);
      return;
    }
    this.pointers.set(event.pointerId, event);
    const gesture = this.gesture;
    if (this.pointers.size === 2) {
      const [a, b] = [...this.pointers.values()];
      const spread = Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
      const middle = { clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 };
      if (gesture.spread) {
        this.zoom(gesture.spread / spread, this.toMap(middle));
        this.pan(gesture.middle.clientX - middle.clientX, gesture.middle.clientY - middle.clientY);
      }
      Object.assign(gesture, { spread, middle, moved: true });
      return;
    }
    const dx = event.clientX - gesture.x;
    const dy = event.clientY - gesture.y;
    if (!gesture.moved && Math.hypot(dx, dy) < DRAG) return;
    if (!gesture.moved) {
      gesture.moved = true;
      gesture.pulls = gesture.from ? this.on.pull(gesture.from) : false;
      this.frame.setPointerCapture?.(event.pointerId);
    }
    if (gesture.pulls) {
      this.on.hover(this.findSpace(event, this.on.isExact?.(true))?.space ?? null);
      return;
    }
    this.stopFitting();
    const { view } = gesture;
    const scale = scaleOf(view, this.size);
    this.apply(clampView({ ...view, x: view.x - dx * scale, y: view.y - dy * scale }, this.whole));
  }

  releasePointer(event, end) {
    if (!this.pointers.delete(event.pointerId) || !this.gesture) return;
    const gesture = this.gesture;
    if (this.pointers.size) {
      const [rest] = this.pointers.values();
      Object.assign(gesture, { x: rest.clientX, y: rest.clientY, view: this.view, spread: 0 });
      return;
    }
    this.gesture = null;
    if (end === 'pointercancel') return;
    const found = this.findSpace(event, this.on.isExact?.(Boolean(gesture.pulls)));
    if (gesture.pulls) {
      if (found) this.on.tap({ space: found.space, coast: found.coast ?? '', drop: true });
    } else if (!gesture.moved) {
      this.on.tap({ space: found?.space ?? null, coast: found?.coast ?? '', drop: false });
    }
  }

  // ---------------------------------------------------------------- highlights

  /** Highlight spaces and dim the rest. `lit` lists {space, coast, occupied, faint}; `selected` and `of` are spaces,
      `marked` gets rings, and the labels of `own` are placed first. */
  highlight({ lit = [], selected = null, of = null, marked = [], own = [] }) {
    this.lit = lit;
    this.own = own;
    if (!this.svg) return;
    const written = (space) => this.written?.has(space) || this.svg.querySelector(`text[data-of="${CSS.escape(space)}"]:not([data-off])`);
    if (!this.labels || ![...own, ...lit.map(({ space }) => space)].every(written)) this.relabel();
    const { veil, lit: outline } = this.layers;
    const active = selected !== null || lit.length > 0;
    this.svg.classList.toggle('ordering', active);
    const bright = new Set([...lit.map(({ space }) => space), selected, of]);
    const faces = [...this.svg.querySelectorAll('path.space')];
    const dim = active ? faces.filter((face) => !bright.has(face.dataset.space)).map((face) => face.getAttribute('d')) : [];
    veil.replaceChildren(...(dim.length ? [s('path', { d: dim.join('') })] : []));
    const edge = (space, kind) => {
      const face = this.svg.querySelector(`path.space${faceSelector(space)}`);
      return face ? [s('path', { class: `${kind}-case`, d: face.getAttribute('d') }), s('path', { class: kind, d: face.getAttribute('d') })] : [];
    };
    outline.replaceChildren(
      ...lit.flatMap(({ space }) => edge(space, 'open-edge')),
      ...(selected ? edge(selected, 'chosen-edge') : []),
    );
    this.shown = { lit, selected, of, marked };
    this.drawRings();
  }

  /** Draw dots on highlighted spaces and rings around units, of the same size on the screen at every zoom. */
  drawRings() {
    if (!this.shown) return;
    const { lit, selected, of, marked } = this.shown;
    const around = this.radius * this.unitScale + 2.4 * this.scale;
    this.layers.targets.replaceChildren(...lit.flatMap(({ space, coast, occupied, faint }) => {
      const [x, y] = this.placement(space, coast) ?? [0, 0];
      const corner = this.data.spaces[space]?.corner;
      const props = { class: `target${occupied ? ' taken' : ''}${faint ? ' faint' : ''}`, 'data-space': space };
      const name = coast ? [s('text', { class: 'target-name', x: x + 9 * this.scale, y: y + 4 * this.scale }, coast.toLowerCase())] : [];
      if (corner && !occupied) return s('path', { ...props, d: `M${x} ${y - 30}l30 30-30 30-30-30Z` });
      return [s('circle', { ...props, cx: x, cy: y, r: occupied ? around : Math.min(24, 5.2 * this.scale) }), ...name];
    }));
    const ring = (space, kind) => {
      const [x, y] = this.unitPlacement(space);
      return [`${kind}-ring-case`, `${kind}-ring`].map((name) => s('circle', { class: name, cx: x, cy: y, r: around }));
    };
    this.layers.rings.replaceChildren(
      ...(selected && this.svg.querySelector(`.unit${faceSelector(selected)}`) ? ring(selected, 'chosen') : []),
      ...(of ? ring(of, 'helped') : []),
      ...marked.flatMap((space) => (this.placement(space) ? ring(space, 'marked') : [])),
    );
  }

  /** Return the placement of the unit drawn in a space, else that of the space. */
  unitPlacement(space) {
    const unit = this.svg.querySelector(`.unit${faceSelector(space)}`);
    return unit ? placeOf(unit) : this.placement(space) ?? [0, 0];
  }

  /** Preview an order as a line from one space to another; remove the preview unless both are given. */
  drawPreview(from, to, { coast = '', dashed = false } = {}) {
    if (!this.svg) return;
    const { ghost } = this.layers;
    if (!from || !to || from === to) return ghost.replaceChildren();
    const radius = this.radius * this.unitScale;
    const occupied = this.svg.querySelector(`.unit${faceSelector(to)}`);
    const { d, end, angle } = bendLine(this.unitPlacement(from), this.placement(to, coast), radius + 6, occupied ? radius + 26 : 20);
    const tip = `translate(${end[0].toFixed(0)} ${end[1].toFixed(0)}) rotate(${((angle * 180) / Math.PI).toFixed(1)})`;
    return ghost.replaceChildren(
      s('path', { class: 'ghost-case', d }),
      s('path', { class: `ghost-line${dashed ? ' dashed' : ''}`, d }),
      ...(dashed ? [] : [s('path', { class: 'ghost-head', d: 'M22 0-12-16-4 0-12 16Z', transform: tip })]),
    );
  }

  // ---------------------------------------------------------------- replay

  /** Animate the units of a processed turn once; resolves when they have arrived. `steps` come from `listMovements`. */
  async animate(steps) {
    if (!this.svg || prefersReducedMotion() || !steps.length) return;
    const svg = this.svg;
    const running = [];
    for (const { space, to, coast, back, delay } of steps) {
      const unit = svg.querySelector(`.unit${faceSelector(space)}`);
      const placement = this.placement(to, coast);
      if (!unit || !placement) continue;
      const [x, y] = placeOf(unit);
      const far = (share) => `translate(${x + (placement[0] - x) * share}px,${y + (placement[1] - y) * share}px)`;
      const frames = back
        ? [far(0), far(0.42), far(0)].map((transform) => ({ transform }))
        : [far(0), far(1)].map((transform) => ({ transform }));
      running.push(unit.animate(frames, { duration: back ? 620 : 640, delay, easing: 'cubic-bezier(.3,.1,.2,1)', fill: 'both' }));
    }
    await Promise.all(running.map((animation) => animation.finished.catch(() => null)));
  }
}

/** List the movements of a processed turn: the units that move, retreat or bounce. */
export function listMovements(turn) {
  const place = (order) => /(?:-|–) ?(\[[^\]]+\]|[A-Z]{3})(?:\/([A-Z]{2}))?/.exec(order ?? '');
  const steps = [];
  for (const { unit, order, result } of turn.outcomes) {
    if (!unit || !['moves', 'fails', 'retreats'].includes(result)) continue;
    const found = place(order);
    if (found) steps.push({ space: unit.space, to: found[1], coast: found[2] ?? '', back: result === 'fails', delay: 0 });
  }
  return steps;
}
