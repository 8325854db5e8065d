/* The Votes tab: the open motions, your vote, the count so far, and the motions you may propose. */
import * as act from './act.js';
import { ask } from './api.js';
import { h, icon, refill, say } from './dom.js';
import { api, changed, game } from './state.js';
import { date, duration, list as listed, n, sentence, t } from './i18n.js';

let votes = null;
let moving = null;

/** Return votes with their sentences in the language of the page. */
const translated = (found) => ({
  ...found,
  words: found.sentences.map(sentence),
  motions: found.motions.map((motion) => ({ ...motion, title: sentence(motion.said) })),
  may: found.may.map((choice) => ({ ...choice, title: sentence({ text: choice.title }) })),
});

/** Tell whether this game has votes. */
export const hasVotes = () => game.view.seating === 'links' && Boolean(game.view.time);

/** Fetch the votes, and announce a new motion. */
export async function loadVotes() {
  if (!hasVotes()) return;
  const before = new Set((votes?.motions ?? []).map((motion) => motion.number));
  const known = votes !== null;
  votes = translated(await ask(api('/votes')));
  const fresh = votes.motions.find((motion) => motion.state === 'open' && !before.has(motion.number));
  if (known && fresh && fresh.mine === null) say(t('New vote: {title}', { title: fresh.title }));
  changed();
}

const cast = (motion, yes) => act.doing(async () => {
  votes = translated(await ask(api(`/votes/${motion.number}`), { method: 'PUT', body: { yes } }));
  changed();
});

const move = (kind, about, goesOn) => act.doing(async () => {
  votes = translated(await ask(api('/votes'), { method: 'POST', body: { kind, about, ...(goesOn ? { goes_on: new Date(goesOn).toISOString() } : {}) } }));
  moving = null;
  changed();
});

const open = () => (votes?.motions ?? []).filter((motion) => motion.state === 'open');

/** Return the number of motions that wait for your vote. */
export const unvoted = () => open().filter((motion) => motion.may_vote && motion.mine === null).length;

const NEEDS = { all: t('Needs every vote.'), 'two thirds': t('Needs two thirds of the votes.'), majority: t('Needs a majority of the votes cast.') };

/** Describe the votes needed and cast. */
function known(motion) {
  const cast = motion.yes === null ? t('Votes are secret until it passes.')
    : n('{count} of {total} in favour.', '{count} of {total} in favour.', motion.yes, { total: motion.of });
  return `${NEEDS[motion.needs]} ${cast}`;
}

/** Describe when the vote ends. */
function lasts(motion) {
  if (!motion.until) return motion.standing ? t('Open until decided.') : t('Open until the phase ends.');
  const left = new Date(motion.until) - Date.now();
  return left > 0 ? t('Ends in {duration} ({time}).', { duration: duration(left), time: date(motion.until) }) : t('Counting now.');
}

const votersOf = (motion, vote) => listed(Object.entries(motion.votes).filter(([, one]) => one === vote).map(([power]) => power));

function buttons(motion) {
  if (!motion.may_vote) return null;
  const one = (yes, words, sign) => h('button', {
    type: 'button', class: 'btn tight', 'data-key': `vote ${motion.number} ${yes}`, 'aria-pressed': String(motion.mine === yes),
    'aria-label': t('{vote}: {title}', { vote: words, title: motion.title }), onclick: () => cast(motion, motion.mine === yes ? null : yes),
  }, icon(sign), words);
  return h('div', { class: 'ballot' }, one(true, t('For'), 'check'), one(false, t('Against'), 'cross'),
    h('span', { class: 'note' }, motion.mine === null ? t('You have not voted.') : t('Click again to withdraw.')));
}

function item(motion) {
  const [yes, no] = [votersOf(motion, true), votersOf(motion, false)];
  return h('li', { class: 'motion', 'data-motion': motion.kind }, h('h3', {}, motion.title),
    h('p', { class: 'note' }, known(motion)),
    yes ? h('p', { class: 'note' }, t('For: {powers}', { powers: yes })) : null,
    no ? h('p', { class: 'note' }, t('Against: {powers}', { powers: no })) : null,
    h('p', { class: 'note' }, lasts(motion)), buttons(motion));
}

/** Return a short list of the open votes, for beside the map. */
export function votesRail() {
  const list = open();
  if (!list.length) return null;
  return h('div', { class: 'rail-votes' }, h('div', { class: 'rail-head' }, h('h3', {}, t('Votes'))), h('ul', {}, list.map((motion) =>
    h('li', {}, h('span', {}, motion.title), h('span', { class: 'note' }, motion.yes === null ? t('secret') : t('{count} of {total}', { count: motion.yes, total: motion.of })),
      motion.may_vote && motion.mine === null ? h('button', { type: 'button', class: 'btn tight', 'data-key': `rail vote ${motion.number}`, 'aria-label': t('Vote on: {title}', { title: motion.title }), onclick: () => {
        game.tab = 'votes';
        changed();
      } }, t('Vote')) : null))));
}

/** Return the same time tomorrow, as the value of a date field. */
function tomorrow() {
  const day = new Date(Date.now() + 24 * 3600000);
  return new Date(day - day.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
}

function naming() {
  const { choice, about } = moving;
  const hour = choice.hour ? h('input', { class: 'field', type: 'datetime-local', id: 'goes-on', required: true, 'data-key': 'goes on', value: moving.hour ?? tomorrow(), onchange: (event) => { moving.hour = event.target.value; } }) : null;
  const toggleOne = (power) => {
    moving = { choice, about: choice.many ? (about.includes(power) ? about.filter((one) => one !== power) : [...about, power]) : [power] };
    changed();
  };
  const words = choice.kind === 'draw' && !about.length ? t('A draw between all survivors?')
    : about.length ? t('{proposal}: {powers}?', { proposal: choice.title, powers: listed(about) }) : t('{proposal}?', { proposal: choice.title });
  return h('div', { class: 'sure' }, h('p', {}, words),
    hour ? [h('label', { class: 'label', for: 'goes-on' }, t('Resume the game at')), hour, h('p', { class: 'note' }, t('The current deadline keeps its remaining time.'))] : null,
    choice.about.length ? h('div', { class: 'chips' }, choice.about.map((power) => h('button', { type: 'button', class: 'chip', 'data-key': `name ${power}`, 'aria-pressed': String(about.includes(power)), onclick: () => toggleOne(power) }, power))) : null,
    h('button', { type: 'button', class: 'btn tight main', 'data-key': 'move it', disabled: choice.about.length > 0 && !choice.many && !about.length, onclick: () => move(choice.kind, about, hour?.value) }, t('Propose')),
    h('button', { type: 'button', class: 'btn tight', 'data-key': 'move no', onclick: () => { moving = null; changed(); } }, t('Cancel')));
}

const STATES = {
  passed: (title) => t('{title}: passed', { title }),
  failed: (title) => t('{title}: failed', { title }),
  withdrawn: (title) => t('{title}: withdrawn', { title }),
};

function decided(list) {
  if (!list.length) return null;
  return h('section', { class: 'decided' }, h('h3', {}, t('Past votes')), h('ul', {}, list.slice(0, 12).map((motion) =>
    h('li', { class: 'note' }, icon(motion.state === 'passed' ? 'check' : 'cross'), STATES[motion.state]?.(motion.title) ?? motion.title))));
}

function moves() {
  if (moving) return naming();
  if (!votes.may.length) return null;
  return h('section', { class: 'moves' }, h('h3', {}, t('Propose a vote')),
    h('div', { class: 'chips' }, votes.may.map((choice) => h('button', { type: 'button', class: 'chip', 'data-key': `move ${choice.kind}`, onclick: () => { moving = { choice, about: choice.kind === 'concede' ? choice.about : [] }; changed(); } }, choice.title))));
}

function nothing() {
  if (game.view.over) return t('The game is over.');
  return votes.seat ? t('No open votes.') : t('No open votes. Only players can vote.');
}

/** Fill `pane` with the votes. */
export function votesPanel(pane) {
  const head = h('div', { class: 'pane-head' }, h('h2', {}, t('Votes')));
  if (!votes) return refill(pane, head, h('p', { class: 'note' }, t('Loading votes …')));
  const list = open();
  return refill(pane, head,
    list.length ? h('ul', { class: 'motions', 'aria-label': t('Open votes') }, list.map(item)) : h('p', { class: 'big-note' }, nothing()),
    moves(),
    decided(votes.motions.filter((motion) => motion.state !== 'open')),
    h('details', { class: 'agreed' }, h('summary', {}, t('Voting rules')), votes.words.map((words) => h('p', { class: 'note' }, words))));
}
