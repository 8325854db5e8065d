/* Hints: plans of a computer player for your power. The selected plan is drawn on the map, and a click makes it your
   orders. */
import * as act from './act.js';
import { requestJson, withQuery } from './api.js';
import { h, icon, announce } from './dom.js';
import { n as plural, formatPercent, t } from './i18n.js';
import { apiPath, emitChange, game, seatParameter } from './state.js';
import { formatOrder } from './words.js';

/** Return the requested plans if they are for this seat and phase, else null. */
const currentHints = () => {
  const { hints } = game;
  return hints && hints.power === game.seat && hints.phase_number === game.view.phase_number ? hints : null;
};

/** Return the plan drawn on the map, or null. */
export const drawnPlan = () => currentHints()?.plans[game.plan] ?? null;

const requestHints = () => act.enqueue(async () => {
  game.hints = await requestJson(withQuery(apiPath('/hint'), { seat: seatParameter(game.seat) }));
  game.plan = 0;
  announce(plural('{count} plan. It is drawn on the map.', '{count} plans. The first is drawn on the map.', game.hints.plans.length));
}, 'hint');

function togglePlan(n) {
  game.plan = game.plan === n ? null : n;
  emitChange();
}

const outlook = (title, kind, lines) => (lines.length ? h('div', { class: `told ${kind}` }, h('h4', {}, title), h('ul', {}, lines.map((line) => h('li', {}, line.text)))) : null);

function planItem(plan, n) {
  const on = game.plan === n;
  return h('li', { class: `plan${on ? ' on' : ''}`, 'data-plan': n },
    h('button', { type: 'button', class: 'plan-head', 'data-key': `plan ${n}`, 'aria-expanded': String(on), onclick: () => togglePlan(n) },
      h('b', {}, t('Plan {number}', { number: n + 1 })), plan.share ? h('span', {}, t('{share} of the board', { share: formatPercent(plan.share) })) : null),
    on ? [
      h('ul', { class: 'plan-orders' }, plan.orders.map((order) => h('li', {}, formatOrder(order)))),
      outlook(t('Expected'), 'expects', plan.expects),
      outlook(t('Risks'), 'fears', plan.fears),
      h('button', { type: 'button', class: 'btn tight', 'data-key': `take ${n}`, onclick: () => usePlan(plan) }, icon('check'), t('Use these orders')),
    ] : null);
}

function usePlan(plan) {
  game.plan = null;
  return act.giveOrders(plan.orders, { onward: false });
}

/** Return the section of hints below the orders. */
export function hintsSection() {
  // no hints in games between people on several screens
  if (game.view.seating === 'links') return null;
  const hints = currentHints();
  if (!hints) {
    return h('section', { class: 'hints' }, h('button', { type: 'button', class: 'btn tight', id: 'hint', 'data-key': 'hint', onclick: requestHints }, icon('chip'), t('Hint')),
      h('span', { class: 'note' }, t('Suggest orders')));
  }
  return h('section', { class: 'hints', 'aria-labelledby': 'hints-head' },
    h('div', { class: 'hints-head' }, h('h3', { id: 'hints-head' }, t('Hints')), h('button', {
      type: 'button', class: 'round', 'data-key': 'hints-away', 'aria-label': t('Close hints'), onclick: () => {
        game.hints = null;
        emitChange();
      },
    }, icon('cross'))),
    hints.plans.length ? null : h('p', { class: 'note' }, t('Nothing to order.')),
    h('ol', { class: 'plans' }, hints.plans.map(planItem)),
    h('p', { class: 'note' }, hints.words?.text || t('Each plan was tried against many orders of the other powers; the numbers show how often each result occurred.')));
}
