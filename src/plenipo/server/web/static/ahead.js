/* Orders ahead: what one leaves with the moves for the retreats and adjustments that may come of them. */
import * as act from './act.js';
import { ask } from './api.js';
import { h } from './dom.js';
import { api, changed, CLIENT, game } from './state.js';

let typed = null;

const save = () => act.doing(async () => {
  const { seat, view } = game;
  const orders = (typed ?? '').split('\n');
  const found = await ask(api('/ahead'), { method: 'PUT', body: { seat, phase_number: view.phase_number, client: CLIENT, orders } });
  view.ahead = { ...view.ahead, [seat]: found.orders };
  typed = null;
  changed();
});

/** The field for orders ahead, while moves are ordered in a game that people play from several screens. */
export function aheadSection() {
  const { seat, view } = game;
  if (view.seating !== 'links' || view.phase.kind !== 'movement' || !seat || view.over) return null;
  const left = view.ahead[seat] ?? [];
  const text = h('textarea', {
    class: 'field', id: 'ahead', rows: '3', spellcheck: 'false', autocapitalize: 'off', 'data-key': 'ahead',
    placeholder: 'A PAR - PIC\nA PAR - GAS\nbuild F BRE', oninput: (event) => { typed = event.target.value; },
  });
  text.value = typed ?? left.join('\n');
  return h('details', { class: 'ahead', open: left.length > 0 || typed !== null },
    h('summary', {}, left.length ? `Orders ahead: ${left.length}` : 'Order retreats and builds ahead'),
    h('label', { class: 'label', for: 'ahead' }, 'One a line, the best first; what does not apply is passed over'),
    text,
    h('button', { type: 'button', class: 'btn', 'data-key': 'ahead save', onclick: save }, 'Leave these'));
}
