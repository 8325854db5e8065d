/* The draws by hand: the game master says what came out of a real hat, slip by slip. The server names the next draw and
   what is in the hat. */
import * as act from './act.js';
import { h, icon } from './dom.js';
import { drawing, game } from './state.js';
import { count } from './words.js';

const PLACES = ['Highest card', 'Second highest card', 'Third highest card'];

const headed = (label) => label[0].toUpperCase() + label.slice(1);

/** A slip as it is read: its code and its name. */
const read = ({ text, name }) => (name === text ? text : `${text}, ${name}`);

/** What is chosen so far for the draw that is due. */
function draft(due) {
  if (game.drafts.draw.label !== due.label) game.drafts.draw = { label: due.label, chosen: [] };
  return game.drafts.draw.chosen;
}

/** Nobody has two cards: who is chosen in one field is not offered in the others. */
function apart(fields, chosen) {
  fields.forEach((field, i) => {
    for (const option of field.options) option.disabled = option.value !== '' && chosen.some((text, j) => j !== i && text === option.value);
  });
}

function form(due) {
  const chosen = draft(due);
  const only = due.slips.length === 1 ? due.slips[0].text : '';
  const fields = Array.from({ length: Math.max(due.cards, 1) }, (_, i) => h('select', {
    id: `draw-${i}`, class: 'field', required: true, 'data-key': `draw ${i}`, 'data-lead': i === 0, 'aria-describedby': 'draw-hat',
    onchange: (event) => {
      chosen[i] = event.target.value;
      apart(fields, chosen);
    },
  },
  h('option', { value: '', selected: !(chosen[i] ?? only) }, 'Choose …'),
  due.slips.map((slip) => h('option', { value: slip.text, selected: (chosen[i] ?? only) === slip.text }, read(slip)))));
  apart(fields, chosen);
  const enter = (event) => {
    event.preventDefault();
    act.enter(due.label, fields.map((field) => field.value).join(', '));
  };
  const hat = due.cards
    ? `Deal ${count(due.slips.length, 'card')}; the ${due.cards === 1 ? 'highest counts' : `${due.cards} highest count`}.`
    : `Draw one of ${count(due.slips.length, 'slip')} in the hat.`;
  return h('form', { class: 'draw-form', 'aria-labelledby': 'draw-due', onsubmit: enter },
    h('h3', { id: 'draw-due' }, headed(due.label)),
    h('p', { class: 'note', id: 'draw-hat' }, hat),
    fields.map((field, i) => h('div', { class: 'draw-field' },
      h('label', { class: 'label', for: field.id }, due.cards ? PLACES[i] ?? `Card ${i + 1}` : 'What came out'), field)),
    h('button', { type: 'submit', class: 'btn main', 'data-key': 'draw enter' }, 'Enter'));
}

function entered(one, open) {
  const idle = open ? 'not asked for yet' : 'not asked for';
  return h('li', { 'data-label': one.label },
    h('p', {}, headed(one.label), ': ', h('b', {}, one.result), one.name === one.result ? null : ` ${one.name}`, one.counts ? null : h('span', { class: 'note' }, ` ${idle}`)),
    h('button', {
      type: 'button', class: 'round', 'data-key': `drawn ${one.label}`, 'aria-label': `Take back: ${one.label}, ${one.result}`,
      onclick: () => act.clear([one.text]),
    }, icon('cross')));
}

/** What the game master is asked for in this phase, and what he has entered; a list of elements. */
export function drawsPanel() {
  const { entered: made = [], due = null, fault = '' } = drawing() ?? {};
  const open = game.view.seating === 'links' && game.view.powers.some((power) => ['waiting', 'given', 'asked'].includes(power.status));
  const done = made.some((one) => one.counts) ? 'Everything is drawn. It can be changed until the phase is closed.'
    : open ? `The draws open when all players are ready${game.view.time?.due ? ' or the deadline is over' : ''}.` : 'Nothing is to be drawn now.';
  return [
    h('div', { class: 'pane-head' }, h('h2', {}, 'Draws'), made.length ? h('p', { class: 'count-of' }, h('b', {}, String(made.length)), ' entered') : null,
      h('button', {
        type: 'button', class: 'round', 'data-key': 'undo', 'aria-label': 'Undo the last change of draws', title: 'Undo (U)',
        disabled: game.undo.length === 0, onclick: act.undo,
      }, icon('undo'))),
    fault ? h('p', { class: 'fault', role: 'alert' }, fault) : null,
    due ? form(due) : fault ? null : h('p', { class: 'big-note', tabindex: -1, 'data-lead': true }, done),
    made.length ? h('section', { class: 'entered', 'aria-labelledby': 'entered-head' },
      h('h3', { id: 'entered-head' }, 'Entered'),
      h('ol', {}, made.map((one) => entered(one, due || fault)))) : null,
  ];
}
