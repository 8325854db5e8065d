/* Elements made from values. Text is always text: nothing here reads markup except `drawing`, which takes the server's SVG. */

const SVG = 'http://www.w3.org/2000/svg';

function filled(element, props, children) {
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'value' || key === 'checked' || key === 'disabled') element[key] = value;
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An HTML element: `h('p', { class: 'note' }, 'text', child)`; `on…` props are listeners. */
export const h = (name, props, ...children) => filled(document.createElement(name), props, children);

/** An SVG element. */
export const s = (name, props, ...children) => filled(document.createElementNS(SVG, name), props, children);

export const icon = (name) => s('svg', { class: 'icon', 'aria-hidden': 'true' }, s('use', { href: `#i-${name}` }));

/** The colour of a power's land, as a small square. */
export const swatch = (slug) =>
  s('svg', { class: 'board swatch', viewBox: '0 0 20 20', 'aria-hidden': 'true' },
    s('rect', { class: `ground p-${slug}`, x: 1.5, y: 1.5, width: 17, height: 17, rx: 4 }));

/** The token of a unit as it stands on the map. */
export const token = (kind, slug) =>
  s('svg', { class: 'board token-icon', viewBox: '-42 -42 84 84', 'aria-hidden': 'true' },
    s('g', { class: `unit p-${slug}` }, s('use', { href: `#m-${{ A: 'army', F: 'fleet' }[kind] ?? `kind-${kind}`}` })));

/** The server's SVG text as an element of this page; null if it is none. */
export function drawing(text) {
  if (!text) return null;
  const whole = /^\s*<(\?xml|svg)/.test(text) ? text : `<svg xmlns="${SVG}">${text}</svg>`;
  const root = new DOMParser().parseFromString(whole, 'image/svg+xml').documentElement;
  return root.localName === 'svg' ? document.importNode(root, true) : null;
}

/** The text of a message, made safe by the server, as elements; the page's policy runs no script in them. */
export const rich = (html) => [...new DOMParser().parseFromString(html, 'text/html').body.childNodes].map((node) => document.importNode(node, true));

/** Replace what an element holds, and give the focus back to the element with the same `data-key`. */
export function refill(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  const key = focused?.dataset?.key;
  // to ask an element where it is scrolled to lays the page out, so an empty one is not asked
  const top = element.firstChild ? element.scrollTop : 0;
  element.replaceChildren(...children.flat(Infinity).filter(Boolean));
  if (top) element.scrollTop = top;
  if (!focused) return;
  const again = key && element.querySelector(`[data-key="${CSS.escape(key)}"]`);
  (again || element.querySelector('[data-lead]'))?.focus({ preventScroll: true });
}

/** What the page was sent under an id, as a value. */
export function sent(id) {
  const found = document.getElementById(id);
  return found ? JSON.parse(found.textContent) : null;
}

export const phone = () => matchMedia('(max-width:900px)').matches;
export const still = () => matchMedia('(prefers-reduced-motion:reduce)').matches;

/** Announce a text to screen readers. */
export function say(text) {
  const live = document.getElementById('live');
  if (live) live.textContent = text;
}
