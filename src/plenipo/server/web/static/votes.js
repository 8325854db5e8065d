/* Votes: what is moved at the table, one's own vote, what is known of the others, and what one may move. */
import * as act from './act.js';
import { ask } from './api.js';
import { h, icon, say } from './dom.js';
import { api, changed, game } from './state.js';
import { span } from './time.js';

let votes = null;
let moving = null;

/** Fetch what one may know of the votes. */
export async function loadVotes() {
  if (game.view.seating !== 'links' || !game.view.time) return;
  const before = new Set((votes?.motions ?? []).map((motion) => motion.number));
  const known = votes !== null;
  votes = await ask(api('/votes'));
  const fresh = votes.motions.find((motion) => motion.state === 'open' && !before.has(motion.number));
  if (known && fresh && fresh.mine === null) say(`A vote: ${fresh.title}.`);
  changed();
}

const cast = (motion, yes) => act.doing(async () => {
  votes = await ask(api(`/votes/${motion.number}`), { method: 'PUT', body: { yes } });
  changed();
});

const move = (kind, about) => act.doing(async () => {
  votes = await ask(api('/votes'), { method: 'POST', body: { kind, about } });
  moving = null;
  changed();
});

const open = () => (votes?.motions ?? []).filter((motion) => motion.state === 'open');

const NEEDS = { all: 'all', 'two thirds': 'two thirds', majority: 'a majority' };

function stand(motion) {
  const parts = [];
  if (motion.yes !== null) parts.push(`${motion.yes} of ${motion.of}`);
  else parts.push('secret');
  parts.push(`needs ${NEEDS[motion.needs]}`);
  const left = motion.until ? new Date(motion.until) - Date.now() : 0;
  if (left > 0) parts.push(`counted in ${span(left)}`);
  else if (!motion.standing && !motion.until) parts.push('until the phase ends');
  return parts.join(', ');
}

const who = (motion, vote) => Object.entries(motion.votes).filter(([, one]) => one === vote).map(([power]) => power).join(', ');

function buttons(motion) {
  if (!motion.may_vote) return null;
  const one = (yes, words) => h('button', {
    type: 'button', class: 'btn tight', 'data-key': `vote ${motion.number} ${yes}`, 'aria-pressed': String(motion.mine === yes),
    'aria-label': `${words}: ${motion.title}`, onclick: () => cast(motion, motion.mine === yes ? null : yes),
  }, words);
  return h('span', { class: 'ballot' }, one(true, 'For'), one(false, 'Against'));
}

function item(motion) {
  const [yes, no] = [who(motion, true), who(motion, false)];
  return h('li', { class: 'motion', 'data-motion': motion.kind }, h('b', {}, motion.title), h('span', { class: 'note' }, stand(motion)),
    yes ? h('span', { class: 'note' }, icon('check'), h('span', { class: 'sr' }, 'for: '), yes) : null,
    no ? h('span', { class: 'note' }, icon('cross'), h('span', { class: 'sr' }, 'against: '), no) : null, buttons(motion));
}

/** The open votes, shortly, beside the map. */
export function votesRail() {
  const list = open();
  if (!list.length) return null;
  return h('div', { class: 'rail-votes' }, h('div', { class: 'rail-head' }, h('h3', {}, 'Votes')), h('ul', {}, list.map((motion) =>
    h('li', {}, h('span', {}, motion.title), h('span', { class: 'note' }, motion.yes === null ? 'secret' : `${motion.yes} of ${motion.of}`),
      motion.may_vote && motion.mine === null ? h('button', { type: 'button', class: 'btn tight', 'data-key': `rail vote ${motion.number}`, 'aria-label': `Vote on: ${motion.title}`, onclick: () => {
        game.tab = 'game';
        changed();
        document.getElementById('votes-head')?.scrollIntoView({ block: 'start' });
      } }, 'Vote') : null))));
}

function naming() {
  const { choice, about } = moving;
  const toggleOne = (power) => {
    moving = { choice, about: choice.many ? (about.includes(power) ? about.filter((one) => one !== power) : [...about, power]) : [power] };
    changed();
  };
  const words = choice.kind === 'draw' && !about.length ? 'A draw of all who are left?' : `${choice.title}${about.length ? `: ${about.join(', ')}` : ''}?`;
  return h('div', { class: 'sure' }, h('p', {}, words),
    choice.about.length ? h('div', { class: 'chips' }, choice.about.map((power) => h('button', { type: 'button', class: 'chip', 'data-key': `name ${power}`, 'aria-pressed': String(about.includes(power)), onclick: () => toggleOne(power) }, power))) : null,
    h('button', { type: 'button', class: 'btn tight main', 'data-key': 'move it', disabled: choice.about.length > 0 && !choice.many && !about.length, onclick: () => move(choice.kind, about) }, 'Put it to the vote'),
    h('button', { type: 'button', class: 'btn tight', 'data-key': 'move no', onclick: () => { moving = null; changed(); } }, 'Not now'));
}

/** The votes of a game between people, in its panel. */
export function votesSection() {
  if (!votes || (!votes.seat && !votes.motions.length)) return null;
  const list = open();
  const past = votes.motions.filter((motion) => motion.state !== 'open').slice(0, 6);
  return h('section', { class: 'votes', 'aria-labelledby': 'votes-head' }, h('h3', { id: 'votes-head' }, 'Votes'),
    list.length ? h('ul', { class: 'motions' }, list.map(item)) : h('p', { class: 'note' }, game.view.over ? 'The game is over.' : 'Nothing is voted on now.'),
    moving ? naming() : votes.may.length ? h('details', { class: 'agreed' }, h('summary', {}, 'Move something'),
      h('div', { class: 'stack' }, votes.may.map((choice) => h('button', { type: 'button', class: 'btn', 'data-key': `move ${choice.kind}`, onclick: () => { moving = { choice, about: choice.kind === 'concede' ? choice.about : [] }; changed(); } }, choice.title))),
      votes.words.map((sentence) => h('p', { class: 'note' }, sentence))) : null,
    past.length ? h('details', { class: 'agreed' }, h('summary', {}, `Decided: ${past.length}`), h('ul', {}, past.map((motion) => h('li', { class: 'note' }, `${motion.title}: ${motion.state}.`)))) : null);
}
