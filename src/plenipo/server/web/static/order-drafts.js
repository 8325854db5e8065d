/* Named drafts of the orders of a seat, for this phase; they stay on this device. */
import * as act from './act.js';
import { h, icon } from './dom.js';
import { n, t } from './i18n.js';
import { emitChange, game, orderSet } from './state.js';

const STORED = 'plenipo.orderDrafts';
/** The most drafts of a seat. */
const MOST = 12;

let typed = '';

const placeOf = () => `${game.view.id} ${game.view.phase_number} ${game.seat}`;

function read() {
  try {
    return JSON.parse(localStorage.getItem(STORED)) ?? {};
  } catch {
    return {};
  }
}

/** Store the drafts of the seat, and forget those of earlier phases of the game. */
function keep(drafts) {
  const others = Object.entries(read()).filter(([place]) => !place.startsWith(`${game.view.id} `) || place.split(' ')[1] === String(game.view.phase_number));
  try {
    localStorage.setItem(STORED, JSON.stringify({ ...Object.fromEntries(others), [placeOf()]: drafts }));
  } catch {
    act.showError({ message: t('This browser cannot keep drafts.') });
  }
  emitChange();
}

const current = () => orderSet().orders.map((order) => order.text);
const isSame = (orders) => [...orders].sort().join() === current().sort().join();

function draftItem(name, orders) {
  const drafts = read()[placeOf()];
  return h('li', {}, h('span', {}, h('b', {}, name), h('span', { class: 'note' }, n('{count} order', '{count} orders', orders.length))),
    h('button', { type: 'button', class: 'btn tight', 'data-key': `draft ${name}`, disabled: isSame(orders), 'aria-label': t('Use {name}', { name }), onclick: () => act.replaceOrders(orders) }, isSame(orders) ? t('In use') : t('Use')),
    h('button', { type: 'button', class: 'round', 'data-key': `forget ${name}`, 'aria-label': t('Delete {name}', { name }), onclick: () => {
      const { [name]: _, ...rest } = drafts;
      keep(rest);
    } }, icon('cross')));
}

/** Return the list of drafts, and the form that saves the orders as one. */
export function draftList() {
  const drafts = read()[placeOf()] ?? {};
  const save = (event) => {
    event.preventDefault();
    const name = typed.trim() || t('Draft {number}', { number: Object.keys(drafts).length + 1 });
    typed = '';
    keep({ ...drafts, [name]: current() });
  };
  return [
    Object.keys(drafts).length ? h('ul', { class: 'seat-list' }, Object.entries(drafts).map(([name, orders]) => draftItem(name, orders))) : null,
    Object.keys(drafts).length < MOST ? h('form', { class: 'promise-form', onsubmit: save },
      h('label', { class: 'label', for: 'draft-name' }, t('Save these orders as a draft')),
      h('input', { class: 'field', id: 'draft-name', maxlength: 40, autocomplete: 'off', placeholder: t('Name'), 'data-key': 'draft name', value: typed, oninput: ({ target }) => { typed = target.value; } }),
      h('button', { type: 'submit', class: 'btn tight', 'data-key': 'draft save', disabled: !current().length }, t('Save'))) : null,
    h('p', { class: 'note' }, t('Only the orders in use count. Drafts stay on this device.')),
  ];
}
