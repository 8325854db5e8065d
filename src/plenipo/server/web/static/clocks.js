/* The clocks of live games, by the server's time: the phase, the time banks, and announcements for screen readers. */
import { serverTime } from './api.js';
import { h, announce } from './dom.js';
import { n, t } from './i18n.js';
import { game, ownPowers } from './state.js';

const MARKS = [60, 15];
let announced = null;

/** Format seconds as a clock: `4:05`, `1:04:05`. */
export function formatClock(seconds) {
  const whole = Math.max(Math.ceil(seconds), 0);
  const two = (number) => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

const timeBankOf = (power) => (game.view.over ? null : game.view.time?.time_bank.find((own) => own.power === power) ?? null);
const isRunning = (own) => Boolean(own?.runs_from) && new Date(own.runs_from) <= serverTime();
const secondsLeft = (own) => Math.max(own.left - (isRunning(own) ? (serverTime() - new Date(own.runs_from)) / 1000 : 0), 0);

/** Return the time bank of a power, to show beside its name; null if it has none. */
export function timeBankNode(power) {
  const own = timeBankOf(power);
  return own ? h('span', { class: 'power-time-bank', 'data-time-bank': power, title: t('Time bank') },
    h('span', { class: 'sr' }, t('Time bank:'), ' '), h('span', { class: 'time-bank-left' }, formatClock(secondsLeft(own)))) : null;
}

/** Return the seconds until the deadline of the open phase; null if none is running. */
function secondsToDeadline() {
  const { time, over } = game.view;
  if (over || !time?.due || time.state !== 'running') return null;
  return (new Date(time.due) - serverTime()) / 1000;
}

/** Return the seconds until the first phase of a live game opens; 0 if it is open. */
function secondsToStart() {
  const { time, over } = game.view;
  return over || time?.state !== 'running' ? 0 : Math.max((new Date(time.opened) - serverTime()) / 1000, 0);
}

const myTimeBank = () => (ownPowers().length === 1 ? timeBankOf(ownPowers()[0].name) : null);

/** Return the state of the clock in the header: in a live game the time left in the phase, and in any game what is left
    in your time bank while it runs; null if no clock is shown. */
function clockState() {
  const due = secondsToDeadline();
  if (due === null) return null;
  const own = myTimeBank();
  if (due <= 0 && isRunning(own)) return { seconds: secondsLeft(own), words: t('time bank'), mine: true };
  if (!game.view.time.live) return null;
  const start = secondsToStart();
  if (start > 0) return { seconds: start, words: t('to the start'), mine: false };
  if (due > 0) return { seconds: due, words: t('left'), mine: false };
  return { seconds: 0, words: t('waiting for others'), mine: false };
}

/** Return the clock of the header; null where none is shown. */
export function clockNode() {
  const now = clockState();
  return now ? h('span', { class: 'live-clock', role: 'timer', 'aria-live': 'off', 'data-mine': String(now.mine) },
    h('b', {}, formatClock(now.seconds)), h('small', {}, now.words)) : null;
}

/** Announce once when 60 and 15 seconds of your time bank, or of the phase, are left. */
function announceMarks(now) {
  const mark = MARKS.findLast((one) => now.seconds <= one);
  const waits = ownPowers().some((power) => power.status === 'waiting' || power.status === 'given');
  const name = `${game.view.phase_number} ${now.mine} ${mark}`;
  if (!mark || !waits || now.seconds <= 0 || announced === name) return;
  announced = name;
  announce(now.mine ? n('{count} second of your time bank left.', '{count} seconds of your time bank left.', mark)
    : n('{count} second left in this phase.', '{count} seconds left in this phase.', mark));
}

/** Show over the map how long it is until the clock of a live game starts. */
function showCountdown() {
  const seconds = secondsToStart();
  let place = document.getElementById('countdown');
  if (!seconds) {
    if (place) announce(t('The clock runs.'));
    place?.remove();
    return;
  }
  if (!place) {
    place = h('p', { id: 'countdown', role: 'timer', 'aria-live': 'off' }, h('b', {}), h('span', {}, t('to the start')));
    document.getElementById('map').append(place);
    announce(n('The clock starts in {count} second.', 'The clock starts in {count} seconds.', Math.ceil(seconds)));
  }
  place.firstChild.textContent = formatClock(seconds);
}

function tick() {
  if (!game.view) return;
  showCountdown();
  const now = clockState();
  const place = document.querySelector('.live-clock');
  if (now && place) {
    place.dataset.mine = String(now.mine);
    place.firstChild.textContent = formatClock(now.seconds);
    place.lastChild.textContent = now.words;
    announceMarks(now);
  }
  for (const node of document.querySelectorAll('[data-time-bank]')) {
    const own = timeBankOf(node.dataset.timeBank);
    if (!own) continue;
    node.lastChild.textContent = formatClock(secondsLeft(own));
    node.classList.toggle('runs', isRunning(own) && secondsLeft(own) > 0);
  }
}
setInterval(tick, 500);
