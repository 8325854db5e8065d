/* Deadlines: the time left in the open phase, the players it waits for, and the tools of the host. */
import * as act from './act.js';
import { requestJson, serverTime } from './api.js';
import { timeBankNode } from './clocks.js';
import { h } from './dom.js';
import { formatDate, formatDuration, joinNames, translateSentence, t } from './i18n.js';
import { apiPath, emitChange, game, applyView } from './state.js';

const HOUR = 3600000;

/** The least time left that is named: less would read as 0 minutes. */
const LEAST = 30000;

/** Describe the deadline of the open phase and the time left; empty for a game without deadlines. */
export function describeDeadline() {
  const { time } = game.view;
  if (!time || game.view.over) return '';
  if (time.state === 'paused' && time.resumes) return t('Resumes {time}', { time: formatDate(time.resumes) });
  if (time.state === 'paused') return time.left === null ? t('Paused') : t('Paused, {duration} left', { duration: formatDuration(time.left * 1000) });
  const until = time.grace_until ?? time.cool_until ?? time.due;
  if (!until) return '';
  const left = new Date(until) - serverTime();
  const near = left >= LEAST && left < 48 * HOUR;
  const words = { time: formatDate(until), duration: formatDuration(left) };
  if (near && until === time.due) return t('Due in {duration}, {time}', words); // a phone has room only for the beginning
  if (time.grace_until) return near ? t('Grace period until {time} ({duration})', words) : t('Grace period until {time}', words);
  if (time.cool_until) return near ? t('Processed at {time} ({duration})', words) : t('Processed at {time}', words);
  return near ? t('Due {time} ({duration})', words) : t('Due {time}', words);
}

/** Return the extensions that suit the pace of the game: minutes in a live game, otherwise hours and days. */
const extensions = ({ live }) => (live ? [[t('Extend by 2 minutes'), '2m'], [t('Extend by 10 minutes'), '10m']] : [[t('Extend by an hour'), '1h'], [t('Extend by a day'), '24h']]);

/** Describe one leave that moves the deadline. */
const describeLeave = ({ name, power, first, last }) => (first === last ? t('{player} ({power}) on {day}', { player: name, power, day: formatDate(first, 'day') })
  : t('{player} ({power}) from {first} to {last}', { player: name, power, first: formatDate(first, 'day'), last: formatDate(last, 'day') }));

const changeTime = (action, by) => act.enqueue(async () => {
  const found = await requestJson(apiPath('/time'), { method: 'POST', body: { phase_number: game.view.phase_number, action, ...(by ? { by } : {}) } });
  await applyView(found.view);
  emitChange();
});

/** Return the section of the deadlines, with the tools of the host. */
export function timeSection() {
  const { time, viewer, over, late, spectating } = game.view;
  if (late) return h('section', {}, h('h3', {}, t('Spectating')), h('p', { class: 'note' }, translateSentence(spectating)));
  if (!time || over) return null;
  const paused = time.state === 'paused';
  const button = (action, words, by) => h('button', { type: 'button', class: 'btn', 'data-key': `time ${action} ${by ?? ''}`, onclick: () => changeTime(action, by) }, words);
  return h('section', {}, h('h3', {}, t('Deadlines')),
    h('p', {}, h('b', {}, describeDeadline() || t('No deadline')), ' ', translateSentence(time.reason)),
    time.moved ? h('p', { class: 'note' }, time.away.length ? t('Extended because of leave: {players}.', { players: joinNames(time.away.map(describeLeave)) }) : t('Extended because a player is on leave.')) : null,
    time.time_bank.length ? h('ul', { class: 'own-times', 'aria-label': t('Time bank') }, time.time_bank.map(({ power }) => h('li', {}, h('span', {}, power), timeBankNode(power)))) : null,
    time.vacant.length ? h('p', { class: 'note' }, t('Vacant seats: {powers}', { powers: joinNames(time.vacant) })) : null,
    time.sentences.map((one) => h('p', { class: 'note' }, translateSentence(one))),
    viewer.all_seats ? h('div', { class: 'time-tools' },
      paused ? button('resume', t('Resume')) : button('pause', t('Pause')),
      extensions(time).map(([words, by]) => button('extend', words, by)),
      h('a', { class: 'btn', href: `/games/${encodeURIComponent(game.view.id)}/gm-tools`, 'data-key': 'gm tools' }, t('GM tools'))) : null);
}
