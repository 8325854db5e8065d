/* The buttons for an order in the making, for a game and for an exercise alike: its kinds, and its units and spaces. */
import { h, icon, token } from './dom.js';
import { t } from './i18n.js';
import { KINDS } from './walk.js';

/** Return the text of a chip for a node of the option tree. */
export const chipText = (node) => (node.label === 'hold' ? t('to hold') : node.label);

/** Return a chip; `unit` is the unit there, `name` the name of the space, and `props` are further properties. */
export function orderChip(node, { unit, slug, name, props, onclick }) {
  const holds = node.label === 'hold';
  return h('button', { type: 'button', class: 'chip', 'data-key': `chip ${node.label}`, 'data-chip': node.label, title: name, onclick, ...props },
    unit && !holds ? token(unit.kind, slug) : null,
    h('span', {}, chipText(node)),
    name && !holds ? h('span', { class: 'sr' }, `, ${name}${unit ? `, ${unit.power}` : ''}`) : null);
}

/** Return the buttons for the kinds of order of the selected unit; null if there are none. */
export function kindButtons(walk, choose, { keys = false } = {}) {
  if (!walk.kinds.length) return null;
  return h('div', { class: 'kinds', role: 'group', 'aria-label': t('Order type') }, walk.kinds.map((kind) => {
    const { icon: sign = 'check', key = '', word = kind.label } = KINDS[kind.label] ?? {};
    return h('button', {
      type: 'button',
      class: 'kind',
      'data-key': `kind ${kind.label}`,
      'data-kind': kind.label,
      'aria-pressed': String(walk.kind?.label === kind.label),
      'aria-keyshortcuts': (keys && key) || undefined,
      onclick: () => choose(kind.label),
    }, icon(sign), h('span', {}, word));
  }));
}

/** Return the row of a unit or a place: its order or `words`, a button to clear the order, and below it the editor. */
export function orderRow({ start, on, kind, slug, words, state, order, editor, begin, clear }) {
  return h('li', { class: `order-row${on ? ' on' : ''}`, 'data-unit': start.label },
    h('div', { class: 'order-line' },
      h('button', {
        type: 'button',
        class: 'order-button',
        'data-key': `unit ${start.key}`,
        'data-lead': on,
        'aria-expanded': String(on),
        onclick: () => begin(on ? null : start),
      },
      token(kind, slug),
      h('span', { class: 'order-text' }, words),
      h('span', { class: 'order-state' }, order ? [icon('check'), h('span', { class: 'sr' }, t('ordered'))] : state)),
      order ? h('button', {
        type: 'button', class: 'round clear', 'data-key': `clear ${start.key}`, 'aria-label': t('Clear {order}', { order }), onclick: clear,
      }, icon('cross')) : null),
    on ? editor() : null);
}
