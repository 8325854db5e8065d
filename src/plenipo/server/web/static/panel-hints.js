/* Hints: plans of a computer player for your power. The selected plan is drawn on the map, and a click makes it your
   orders. */
import * as act from './act.js';
import { ask, path } from './api.js';
import { h, icon, say } from './dom.js';
import { n as plural, percent, t } from './i18n.js';
import { api, changed, game, seatOf } from './state.js';
import { printed } from './words.js';

/** Return the requested plans if they are for this seat and phase, else null. */
const asked = () => {
  const { hints } = game;
  return hints && hints.power === game.seat && hints.phase_number === game.view.phase_number ? hints : null;
};

/** Return the plan drawn on the map, or null. */
export const planShown = () => asked()?.plans[game.plan] ?? null;

const askFor = () => act.doing(async () => {
  game.hints = await ask(path(api('/hint'), { seat: seatOf(game.seat) }));
  game.plan = 0;
  say(plural('{count} plan. It is drawn on the map.', '{count} plans. The first is drawn on the map.', game.hints.plans.length));
}, 'hint');

function show(n) {
  game.plan = game.plan === n ? null : n;
  changed();
}

const outlook = (title, kind, lines) => (lines.length ? h('div', { class: `told ${kind}` }, h('h4', {}, title), h('ul', {}, lines.map((line) => h('li', {}, line.text)))) : null);

function card(plan, n) {
  const on = game.plan === n;
  return h('li', { class: `plan${on ? ' on' : ''}`, 'data-plan': n },
    h('button', { type: 'button', class: 'plan-head', 'data-key': `plan ${n}`, 'aria-expanded': String(on), onclick: () => show(n) },
      h('b', {}, t('Plan {number}', { number: n + 1 })), plan.share ? h('span', {}, t('{share} of the board', { share: percent(plan.share) })) : null),
    on ? [
      h('ul', { class: 'plan-orders' }, plan.orders.map((order) => h('li', {}, printed(order)))),
      outlook(t('Expected'), 'expects', plan.expects),
      outlook(t('Risks'), 'fears', plan.fears),
      h('button', { type: 'button', class: 'btn tight', 'data-key': `take ${n}`, onclick: () => take(plan) }, icon('check'), t('Use these orders')),
    ] : null);
}

function take(plan) {
  game.plan = null;
  return act.give(plan.orders, { onward: false });
}

/** Return the section of hints below the orders. */
export function hintsSection() {
  // no hints in games between people on several screens
  if (game.view.seating === 'links') return null;
  const hints = asked();
  if (!hints) {
    return h('section', { class: 'hints' }, h('button', { type: 'button', class: 'btn tight', id: 'hint', 'data-key': 'hint', onclick: askFor }, icon('chip'), t('Hint')),
      h('span', { class: 'note' }, t('Suggest orders')));
  }
  return h('section', { class: 'hints', 'aria-labelledby': 'hints-head' },
    h('div', { class: 'hints-head' }, h('h3', { id: 'hints-head' }, t('Hints')), h('button', {
      type: 'button', class: 'round', 'data-key': 'hints-away', 'aria-label': t('Close hints'), onclick: () => {
        game.hints = null;
        changed();
      },
    }, icon('cross'))),
    hints.plans.length ? null : h('p', { class: 'note' }, t('Nothing to order.')),
    h('ol', { class: 'plans' }, hints.plans.map(card)),
    h('p', { class: 'note' }, hints.words?.text || t('Each plan was tried against many orders of the other powers; the numbers show how often each result occurred.')));
}
