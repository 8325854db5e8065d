/* The time of a game: when the open phase is due, for whom it waits, and what its keeper may do about it. */
import * as act from './act.js';
import { ask } from './api.js';
import { ownTimeNode } from './clocks.js';
import { h } from './dom.js';
import { api, changed, game, take } from './state.js';

const HOUR = 3600000;

/** An instant in words, in the time of whoever reads it. */
export const hours = (instant) => instant.toLocaleString('en-GB', { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

/** A length of time in its two largest units. */
export function span(ms) {
  const minutes = Math.max(Math.round(ms / 60000), 0);
  const [d, hr, m] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60];
  if (d) return `${d} d ${hr} h`;
  return hr ? `${hr} h ${m} m` : `${m} m`;
}

/** When the open phase is due and how long that is from now; empty for a game without deadlines. */
export function dueWords() {
  const { time } = game.view;
  if (!time || game.view.over) return '';
  if (time.state === 'paused' && time.resumes) return `goes on ${hours(new Date(time.resumes))}`;
  if (time.state === 'paused') return time.left === null ? 'paused' : `paused, ${span(time.left * 1000)} left`;
  const until = time.grace_until ?? time.cool_until ?? time.due;
  if (!until) return '';
  const left = new Date(until) - Date.now();
  const near = left > 0 && left < 48 * HOUR;
  if (near && until === time.due) return `due in ${span(left)}, ${hours(new Date(until))}`; // what a phone has room for comes first
  const what = time.grace_until ? 'grace until' : time.cool_until ? 'processed at' : 'due';
  return `${what} ${hours(new Date(until))}${near ? ` (${span(left)})` : ''}`;
}

const sentence = (words) => `${words[0].toUpperCase()}${words.slice(1)}.`;

const keep = (action, by) => act.doing(async () => {
  const found = await ask(api('/time'), { method: 'POST', body: { phase_number: game.view.phase_number, action, ...(by ? { by } : {}) } });
  await take(found.view);
  changed();
});

/** What a game says about its time, and the tools of its keeper. */
export function timeSection() {
  const { time, viewer, over, late } = game.view;
  if (late) return h('section', {}, h('h3', {}, 'Looking on'), h('p', { class: 'note' }, late));
  if (!time || over) return null;
  const paused = time.state === 'paused';
  const button = (action, words, by) => h('button', { type: 'button', class: 'btn', 'data-key': `time ${action} ${by ?? ''}`, onclick: () => keep(action, by) }, words);
  return h('section', {}, h('h3', {}, 'Time'),
    h('p', {}, h('b', {}, sentence(dueWords() || 'no deadline')), ' ', time.waits_for),
    time.moved ? h('p', { class: 'note' }, time.away.length ? `It is due later: ${time.away.map((one) => `${one.name} (${one.power}) is away ${one.first === one.last ? `on ${one.first}` : `from ${one.first} to ${one.last}`}`).join('; ')}.` : 'It is due later because somebody is away.') : null,
    time.own_time.length ? h('ul', { class: 'own-times', 'aria-label': 'Own time left' }, time.own_time.map(({ power }) => h('li', {}, h('span', {}, power), ownTimeNode(power)))) : null,
    time.vacant.length ? h('p', { class: 'note' }, `Vacant: ${time.vacant.join(', ')}.`) : null,
    time.words.map((sentence) => h('p', { class: 'note' }, sentence)),
    viewer.all_seats ? h('div', { class: 'time-tools' },
      paused ? button('resume', 'Go on') : button('pause', 'Pause'),
      button('extend', 'One hour more', '1h'), button('extend', 'A day more', '24h'),
      h('a', { class: 'btn', href: `/games/${encodeURIComponent(game.view.id)}/desk`, 'data-key': 'desk' }, 'The desk')) : null);
}
