/* Hints: plans of the computer for the power in the seat, one of them drawn on the map, and given as orders with a click. */
import * as act from './act.js';
import { ask, path } from './api.js';
import { h, icon, say } from './dom.js';
import { api, changed, game, seatOf } from './state.js';
import { printed } from './words.js';

/** The plans that were asked for, if they are still for this seat and phase. */
const asked = () => {
  const { hints } = game;
  return hints && hints.power === game.seat && hints.phase_number === game.view.phase_number ? hints : null;
};

/** The plan that is drawn on the map, or null. */
export const planShown = () => asked()?.plans[game.plan] ?? null;

const askFor = () => act.doing(async () => {
  game.hints = await ask(path(api('/hint'), { seat: seatOf(game.seat) }));
  game.plan = 0;
  say(`${game.hints.plans.length} plans. The first is drawn on the map.`);
}, 'hint');

function show(n) {
  game.plan = game.plan === n ? null : n;
  changed();
}

const told = (title, kind, lines) => (lines.length ? h('div', { class: `told ${kind}` }, h('h4', {}, title), h('ul', {}, lines.map((line) => h('li', {}, printed(line))))) : null);

function card(plan, n) {
  const on = game.plan === n;
  return h('li', { class: `plan${on ? ' on' : ''}`, 'data-plan': n },
    h('button', { type: 'button', class: 'plan-head', 'data-key': `plan ${n}`, 'aria-expanded': String(on), onclick: () => show(n) },
      h('b', {}, `Plan ${n + 1}`), plan.share ? h('span', {}, `${Math.round(plan.share * 100)} % of the board`) : null),
    on ? [
      h('ul', { class: 'plan-orders' }, plan.orders.map((order) => h('li', {}, printed(order)))),
      told('What it expects', 'expects', plan.expects),
      told('What it fears', 'fears', plan.fears),
      h('button', { type: 'button', class: 'btn tight', 'data-key': `take ${n}`, onclick: () => take(plan) }, icon('check'), 'Give these orders'),
    ] : null);
}

function take(plan) {
  game.plan = null;
  return act.give(plan.orders, { onward: false });
}

/** What a learner may ask for below the orders. */
export function hintsSection() {
  // among people at a distance everybody plays for himself
  if (game.view.seating === 'links') return null;
  const hints = asked();
  if (!hints) {
    return h('section', { class: 'hints' }, h('button', { type: 'button', class: 'btn tight', id: 'hint', 'data-key': 'hint', onclick: askFor }, icon('chip'), 'Hint'),
      h('span', { class: 'note' }, 'What the computer would order here.'));
  }
  return h('section', { class: 'hints', 'aria-labelledby': 'hints-head' },
    h('div', { class: 'hints-head' }, h('h3', { id: 'hints-head' }, 'Hints'), h('button', {
      type: 'button', class: 'round', 'data-key': 'hints-away', 'aria-label': 'Put the hints away', onclick: () => {
        game.hints = null;
        changed();
      },
    }, icon('cross'))),
    hints.plans.length ? null : h('p', { class: 'note' }, 'There is nothing to order.'),
    h('ol', { class: 'plans' }, hints.plans.map(card)),
    h('p', { class: 'note' }, hints.words || 'Each plan was tried against what the others may order; the numbers say how often it came out so.'));
}
