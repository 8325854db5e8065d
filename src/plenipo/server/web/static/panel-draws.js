/* Physical draws: the game master enters each result. The server names the next draw and the possible results. */
import * as act from './act.js';
import { h, icon } from './dom.js';
import { n, t, tx } from './i18n.js';
import { drawProgress, game } from './state.js';

const PLACES = [t('Highest card'), t('Second highest card'), t('Third highest card')];

/** Capitalise a name from the variant, for a heading. */
const capitalise = (label) => label[0].toLocaleUpperCase() + label.slice(1);

/** Return the text of a possible result: its code and its name. */
const resultText = ({ text, name }) => (name === text ? text : `${text}, ${name}`);

/** Return the results chosen so far for the current draw. */
function draftResults(due) {
  if (game.drafts.draw.label !== due.label) game.drafts.draw = { label: due.label, chosen: [] };
  return game.drafts.draw.chosen;
}

/** Disable in each field the powers that are chosen in the others. */
function disableChosen(fields, chosen) {
  fields.forEach((field, i) => {
    for (const option of field.options) option.disabled = option.value !== '' && chosen.some((text, j) => j !== i && text === option.value);
  });
}

function drawForm(due) {
  const chosen = draftResults(due);
  const only = due.slips.length === 1 ? due.slips[0].text : '';
  const fields = Array.from({ length: Math.max(due.cards, 1) }, (_, i) => h('select', {
    id: `draw-${i}`, class: 'field', required: true, 'data-key': `draw ${i}`, 'data-lead': i === 0, 'aria-describedby': 'draw-hat',
    onchange: (event) => {
      chosen[i] = event.target.value;
      disableChosen(fields, chosen);
    },
  },
  h('option', { value: '', selected: !(chosen[i] ?? only) }, t('Choose …')),
  due.slips.map((slip) => h('option', { value: slip.text, selected: (chosen[i] ?? only) === slip.text }, resultText(slip)))));
  disableChosen(fields, chosen);
  const enter = (event) => {
    event.preventDefault();
    act.enterDraw(due.label, fields.map((field) => field.value).join(', '));
  };
  const size = due.slips.length;
  const task = !due.cards ? n('Draw {count} slip.', 'Draw one of {count} slips.', size)
    : due.cards === 1 ? n('Deal {count} card; the highest counts.', 'Deal {count} cards; the highest counts.', size)
      : n('Deal {count} card; the {best} highest count.', 'Deal {count} cards; the {best} highest count.', size, { best: due.cards });
  return h('form', { class: 'draw-form', 'aria-labelledby': 'draw-due', onsubmit: enter },
    h('h3', { id: 'draw-due' }, capitalise(due.label)),
    h('p', { class: 'note', id: 'draw-hat' }, task),
    fields.map((field, i) => h('div', { class: 'draw-field' },
      h('label', { class: 'label', for: field.id }, due.cards ? PLACES[i] ?? t('Card {number}', { number: i + 1 }) : t('Result')), field)),
    h('button', { type: 'submit', class: 'btn main', 'data-key': 'draw enter' }, t('Enter')));
}

function enteredItem(one, open) {
  const idle = open ? t('(not needed yet)') : t('(not needed)');
  return h('li', { 'data-label': one.label },
    h('p', {}, tx('{draw}: {result}', { draw: capitalise(one.label), result: h('b', {}, one.result) }),
      one.name === one.result ? null : [' ', one.name], one.counts ? null : [' ', h('span', { class: 'note' }, idle)]),
    h('button', {
      type: 'button', class: 'round', 'data-key': `drawn ${one.label}`, 'aria-label': t('Remove {result} ({draw})', { draw: one.label, result: one.result }),
      onclick: () => act.clearOrders([one.text]),
    }, icon('cross')));
}

/** Return the draws that the game master must enter in this phase and those entered, as a list of elements. */
export function drawsPanel() {
  const { entered: made = [], due = null, fault = null } = drawProgress() ?? {};
  const open = game.view.seating === 'links' && game.view.powers.some((power) => ['waiting', 'given', 'asked'].includes(power.status));
  const done = made.some((one) => one.counts) ? t('All draws are entered. You can change them until the phase is processed.')
    : !open ? t('Nothing to draw.') : game.view.time?.due ? t('You can draw when all players are ready or the deadline has passed.') : t('You can draw when all players are ready.');
  return [
    h('div', { class: 'pane-head' }, h('h2', {}, t('Random draws')), made.length ? h('p', { class: 'count-of' }, tx('{count} entered', { count: h('b', {}, String(made.length)) })) : null,
      h('button', {
        type: 'button', class: 'round', 'data-key': 'undo', 'aria-label': t('Undo the last change of draws'), title: t('Undo (U)'),
        disabled: game.undo.length === 0, onclick: act.undo,
      }, icon('undo'))),
    fault ? h('p', { class: 'fault', role: 'alert' }, fault.text) : null,
    due ? drawForm(due) : fault ? null : h('p', { class: 'big-note', tabindex: -1, 'data-lead': true }, done),
    made.length ? h('section', { class: 'entered', 'aria-labelledby': 'entered-head' },
      h('h3', { id: 'entered-head' }, t('Entered')),
      h('ol', {}, made.map((one) => enteredItem(one, due || fault)))) : null,
  ];
}
