/* The text field for orders: the server reads, completes and corrects them. */
import * as act from './act.js';
import { requestJson, withQuery } from './api.js';
import { h } from './dom.js';
import { t, tx } from './i18n.js';
import { apiPath, emitChange, game, seatParameter } from './state.js';
import { formatOrder } from './words.js';

let answer = null;
let selected = -1;
let timer = 0;
let asking = 0;

function reset() {
  answer = null;
  selected = -1;
}

async function complete(text) {
  const mine = (asking += 1);
  if (!text.trim()) {
    reset();
    return emitChange();
  }
  try {
    const found = await requestJson(withQuery(apiPath('/complete'), { seat: seatParameter(game.seat), text }));
    if (mine !== asking || game.drafts.line !== text) return undefined;
    answer = found;
    selected = -1;
  } catch (error) {
    if (mine === asking) answer = { error: { sentence: { text: error.message } }, completions: [] };
  }
  return emitChange();
}

async function send(order) {
  clearTimeout(timer);
  asking += 1;
  const done = await act.giveOrders([order], { onward: true });
  if (done) {
    game.drafts.line = '';
    reset();
    emitChange();
    document.getElementById('line')?.focus();
  } else {
    complete(order);
  }
}

function handleKey(event) {
  const options = answer?.completions ?? [];
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    if (!options.length) return;
    event.preventDefault();
    selected = (selected + (event.key === 'ArrowDown' ? 1 : -1) + options.length + (selected < 0 && event.key === 'ArrowUp' ? 1 : 0)) % options.length;
    emitChange();
  } else if (event.key === 'Enter') {
    event.preventDefault();
    const text = game.drafts.line.trim();
    if (!text) return;
    // an answer about an older text does not apply: let the server read the new one
    const now = answer?.text?.trim() === text;
    const only = options.length === 1 ? options[0].order : text;
    send(!now ? text : selected >= 0 ? options[selected].order : answer.reading?.order ?? only);
  } else if (event.key === 'Escape') {
    event.stopPropagation();
    if (game.drafts.line) {
      game.drafts.line = '';
      event.target.value = '';
      reset();
      emitChange();
    } else {
      event.target.blur();
    }
  }
}

/** Return the error in the text, with the smallest wrong piece marked. */
function faultSection() {
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
      placeholder: placeholder(), value: game.drafts.line, role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': String(open), 'aria-controls': 'line-list',
      'aria-activedescendant': open && selected >= 0 ? `line-${selected}` : undefined, 'aria-describedby': answer?.error ? 'line-fault' : undefined,
      oninput: (event) => {
        game.drafts.line = event.target.value;
        selected = -1;
        clearTimeout(timer);
        timer = setTimeout(() => complete(game.drafts.line), 70);
      },
      onkeydown: handleKey,
    }),
    h('ul', { class: 'line-list', id: 'line-list', role: 'listbox', 'aria-label': t('Completions'), hidden: !open },
      open ? options.map((option, i) => h('li', {
        id: `line-${i}`, role: 'option', class: i === selected ? 'on' : '', 'aria-selected': String(i === selected),
        onpointerdown: (event) => { event.preventDefault(); send(option.order); },
      }, h('b', {}, formatOrder(option.order)), h('span', {}, option.words))) : null),
    open ? null : faultSection());
}

function placeholder() {
  const unit = game.walk.starts.find((start) => start.type === 'unit');
  return unit ? `${unit.label} …` : t('Order');
}
