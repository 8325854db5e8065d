/* The text field for orders: the server reads, completes and corrects them. */
import * as act from './act.js';
import { ask, path } from './api.js';
import { h } from './dom.js';
import { t, tx } from './i18n.js';
import { api, changed, game, seatOf } from './state.js';
import { printed } from './words.js';

let answer = null;
let at = -1;
let waiting = 0;
let asking = 0;

function reset() {
  answer = null;
  at = -1;
}

async function complete(text) {
  const mine = (asking += 1);
  if (!text.trim()) {
    reset();
    return changed();
  }
  try {
    const found = await ask(path(api('/complete'), { seat: seatOf(game.seat), text }));
    if (mine !== asking || game.drafts.line !== text) return undefined;
    answer = found;
    at = -1;
  } catch (error) {
    if (mine === asking) answer = { error: { sentence: { text: error.message } }, completions: [] };
  }
  return changed();
}

async function send(order) {
  clearTimeout(waiting);
  asking += 1;
  const done = await act.give([order], { onward: true });
  if (done) {
    game.drafts.line = '';
    reset();
    changed();
    document.getElementById('line')?.focus();
  } else {
    complete(order);
  }
}

function keys(event) {
  const options = answer?.completions ?? [];
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    if (!options.length) return;
    event.preventDefault();
    at = (at + (event.key === 'ArrowDown' ? 1 : -1) + options.length + (at < 0 && event.key === 'ArrowUp' ? 1 : 0)) % options.length;
    changed();
  } else if (event.key === 'Enter') {
    event.preventDefault();
    const text = game.drafts.line.trim();
    if (!text) return;
    // an answer about an older text does not apply: let the server read the new one
    const now = answer?.text?.trim() === text;
    const only = options.length === 1 ? options[0].order : text;
    send(!now ? text : at >= 0 ? options[at].order : answer.reading?.order ?? only);
  } else if (event.key === 'Escape') {
    event.stopPropagation();
    if (game.drafts.line) {
      game.drafts.line = '';
      event.target.value = '';
      reset();
      changed();
    } else {
      event.target.blur();
    }
  }
}

/** Return the error in the text, with the smallest wrong piece marked. */
function fault() {
  const error = answer?.error;
  if (!error) return null;
  const text = answer.text ?? game.drafts.line;
  const marked = Number.isInteger(error.start) && error.end > error.start
    ? h('span', { class: 'typed' }, text.slice(0, error.start), h('mark', {}, text.slice(error.start, error.end)), text.slice(error.end))
    : null;
  const better = (error.suggestions ?? []).slice(0, 4);
  return h('div', { class: 'line-fault', id: 'line-fault' }, marked, h('p', {}, error.sentence.text),
    better.length ? h('div', { class: 'chips' }, better.map((word) => h('button', {
      type: 'button', class: 'chip', 'data-key': `better ${word}`,
      onclick: () => {
        const whole = Number.isInteger(error.start) && error.end > error.start;
        game.drafts.line = whole ? text.slice(0, error.start) + word + text.slice(error.end) : word;
        complete(game.drafts.line);
        document.getElementById('line').focus();
      },
    }, h('span', {}, word)))) : null);
}

/** Return the text field with its completions. */
export function textLine() {
  const options = answer?.completions ?? [];
  const open = options.length > 0 && game.drafts.line.trim() !== '';
  return h('div', { class: 'line' },
    h('label', { class: 'label', for: 'line' }, tx('Or type an order {key}', { key: h('kbd', { 'aria-hidden': 'true' }, '/') })),
    h('input', {
      id: 'line', class: 'field', type: 'text', autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', enterkeyhint: 'send', 'data-key': 'line',
      placeholder: example(), value: game.drafts.line, role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': String(open), 'aria-controls': 'line-list',
      'aria-activedescendant': open && at >= 0 ? `line-${at}` : undefined, 'aria-describedby': answer?.error ? 'line-fault' : undefined,
      oninput: (event) => {
        game.drafts.line = event.target.value;
        at = -1;
        clearTimeout(waiting);
        waiting = setTimeout(() => complete(game.drafts.line), 70);
      },
      onkeydown: keys,
    }),
    h('ul', { class: 'line-list', id: 'line-list', role: 'listbox', 'aria-label': t('Completions'), hidden: !open },
      open ? options.map((option, i) => h('li', {
        id: `line-${i}`, role: 'option', class: i === at ? 'on' : '', 'aria-selected': String(i === at),
        onpointerdown: (event) => { event.preventDefault(); send(option.order); },
      }, h('b', {}, printed(option.order)), h('span', {}, option.words))) : null),
    open ? null : fault());
}

function example() {
  const unit = game.walk.starts.find((start) => start.type === 'unit');
  return unit ? `${unit.label} …` : t('Order');
}
