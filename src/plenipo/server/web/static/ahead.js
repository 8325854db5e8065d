/* Conditional orders: retreats and builds given in advance, together with the moves. */
import * as act from './act.js';
import { requestJson } from './api.js';
import { h } from './dom.js';
import { n, t } from './i18n.js';
import { apiPath, emitChange, CLIENT, game } from './state.js';

let typed = null;

const save = () => act.enqueue(async () => {
  const { seat, view } = game;
  const orders = (typed ?? '').split('\n');
  const found = await requestJson(apiPath('/ahead'), { method: 'PUT', body: { seat, phase_number: view.phase_number, client: CLIENT, orders } });
  view.ahead = { ...view.ahead, [seat]: found.orders };
  typed = null;
  emitChange();
});

/** Return the field for conditional orders; null except in movement phases of games on several screens. */
export function conditionalOrders() {
  const { seat, view } = game;
  if (view.seating !== 'links' || view.phase.kind !== 'movement' || !seat || view.over) return null;
  const left = view.ahead[seat] ?? [];
  const text = h('textarea', {
    class: 'field', id: 'ahead', rows: '3', spellcheck: 'false', autocapitalize: 'off', 'data-key': 'ahead',
    placeholder: 'A PAR - PIC\nA PAR - GAS\nbuild F BRE', oninput: (event) => { typed = event.target.value; },
  });
  text.value = typed ?? left.join('\n');
  return h('details', { class: 'ahead', open: left.length > 0 || typed !== null },
    h('summary', {}, left.length ? n('{count} conditional order', '{count} conditional orders', left.length) : t('Order retreats and builds in advance')),
    h('label', { class: 'label', for: 'ahead' }, t('One per line, the best first. Orders that do not apply are skipped.')),
    text,
    h('button', { type: 'button', class: 'btn', 'data-key': 'ahead save', onclick: save }, t('Save')));
}
