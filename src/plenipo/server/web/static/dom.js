/* Builds elements from values. Text is never parsed as markup, except by `parseSvg` and `parseHtml`, which take SVG and HTML
   from the server. */

const SVG = 'http://www.w3.org/2000/svg';

function fillElement(element, props, children) {
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'value' || key === 'checked' || key === 'disabled') element[key] = value;
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Create an HTML element: `h('p', { class: 'note' }, 'text', child)`; props that begin with `on` are listeners. */
export const h = (name, props, ...children) => fillElement(document.createElement(name), props, children);

/** Create an SVG element. */
export const s = (name, props, ...children) => fillElement(document.createElementNS(SVG, name), props, children);

export const icon = (name) => s('svg', { class: 'icon', 'aria-hidden': 'true' }, s('use', { href: `#i-${name}` }));

/** Return a small square in the land colour of a power. */
export const swatch = (slug) =>
  s('svg', { class: 'board swatch', viewBox: '0 0 20 20', 'aria-hidden': 'true' },
    s('rect', { class: `ground p-${slug}`, x: 1.5, y: 1.5, width: 17, height: 17, rx: 4 }));

/** Return the token of a unit as the map shows it. */
export const token = (kind, slug) =>
  s('svg', { class: 'board token-icon', viewBox: '-42 -42 84 84', 'aria-hidden': 'true' },
    s('g', { class: `unit p-${slug}` }, s('use', { href: `#m-${{ A: 'army', F: 'fleet' }[kind] ?? `kind-${kind}`}` })));

/** Parse SVG text from the server; null if it is none. */
export function parseSvg(text) {
  if (!text) return null;
  const whole = /^\s*<(\?xml|svg)/.test(text) ? text : `<svg xmlns="${SVG}">${text}</svg>`;
  const root = new DOMParser().parseFromString(whole, 'image/svg+xml').documentElement;
  return root.localName === 'svg' ? document.importNode(root, true) : null;
}

/** Parse the HTML of a message, which the server has sanitised; the page's content security policy runs no script in
    it. */
export const parseHtml = (html) => [...new DOMParser().parseFromString(html, 'text/html').body.childNodes].map((node) => document.importNode(node, true));

/** Replace the children of an element, and restore its scroll position and the focus by `data-key`. */
export function refill(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement : null;
  const key = focused?.dataset?.key;
  // reading the scroll position forces a layout, so skip it for an empty element
  const top = element.firstChild ? element.scrollTop : 0;
  element.replaceChildren(...children.flat(Infinity).filter(Boolean));
  if (top) element.scrollTop = top;
  if (!focused) return;
  const again = key && element.querySelector(`[data-key="${CSS.escape(key)}"]`);
  (again || element.querySelector('[data-lead]'))?.focus({ preventScroll: true });
}

/** Read the JSON that the page contains under an id; null if there is none. */
export function readJson(id) {
  const found = document.getElementById(id);
  return found ? JSON.parse(found.textContent) : null;
}

export const isPhone = () => matchMedia('(max-width:900px)').matches;
export const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion:reduce)').matches;

/** Announce a text to screen readers. */
export function announce(text) {
  const live = document.getElementById('live');
  if (live) live.textContent = text;
}
