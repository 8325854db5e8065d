/* The tab Votes: what is moved at the table, one's own vote, what is known of the others, until when, and what one may move. */
import * as act from './act.js';
import { ask } from './api.js';
import { h, icon, refill, say } from './dom.js';
import { api, changed, game } from './state.js';
import { hours, span } from './time.js';

let votes = null;
let moving = null;

/** Whether people vote at this table. */
export const hasVotes = () => game.view.seating === 'links' && Boolean(game.view.time);

/** Fetch what one may know of the votes. */
export async function loadVotes() {
  if (!hasVotes()) return;
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

const move = (kind, about, goesOn) => act.doing(async () => {
  votes = await ask(api('/votes'), { method: 'POST', body: { kind, about, ...(goesOn ? { goes_on: new Date(goesOn).toISOString() } : {}) } });
  moving = null;
  changed();
});

const open = () => (votes?.motions ?? []).filter((motion) => motion.state === 'open');

/** How many motions wait for one's own vote. */
export const unvoted = () => open().filter((motion) => motion.may_vote && motion.mine === null).length;

const NEEDS = { all: 'all votes', 'two thirds': 'two thirds of the votes', majority: 'the majority of those who vote' };

/** What is known of the others, in words. */
function known(motion) {
  const needs = `Needs ${NEEDS[motion.needs]}`;
  if (motion.yes === null) return `${needs}. Nobody learns who voted, or how many did, before it passes.`;
  return `${needs}; ${motion.yes} of ${motion.of} ${motion.yes === 1 ? 'is' : 'are'} for it.`;
}

/** Until when a motion is open, in words. */
function lasts(motion) {
  if (!motion.until) return motion.standing ? 'Open until it is decided.' : 'Open until the phase ends.';
  const left = new Date(motion.until) - Date.now();
  return left > 0 ? `Counted ${hours(new Date(motion.until))}, in ${span(left)}.` : 'Counted now.';
}

const who = (motion, vote) => Object.entries(motion.votes).filter(([, one]) => one === vote).map(([power]) => power).join(', ');

function buttons(motion) {
  if (!motion.may_vote) return null;
  const one = (yes, words, sign) => h('button', {
    type: 'button', class: 'btn tight', 'data-key': `vote ${motion.number} ${yes}`, 'aria-pressed': String(motion.mine === yes),
    'aria-label': `${words}: ${motion.title}`, onclick: () => cast(motion, motion.mine === yes ? null : yes),
  }, icon(sign), words);
  return h('div', { class: 'ballot' }, one(true, 'For', 'check'), one(false, 'Against', 'cross'),
    h('span', { class: 'note' }, motion.mine === null ? 'You have not voted.' : 'Press again to take it back.'));
}

function item(motion) {
  const [yes, no] = [who(motion, true), who(motion, false)];
  return h('li', { class: 'motion', 'data-motion': motion.kind }, h('h3', {}, motion.title),
    h('p', { class: 'note' }, known(motion)),
    yes ? h('p', { class: 'note' }, `For: ${yes}.`) : null,
    no ? h('p', { class: 'note' }, `Against: ${no}.`) : null,
    h('p', { class: 'note' }, lasts(motion)), buttons(motion));
}

/** The open votes, shortly, beside the map. */
export function votesRail() {
  const list = open();
  if (!list.length) return null;
  return h('div', { class: 'rail-votes' }, h('div', { class: 'rail-head' }, h('h3', {}, 'Votes')), h('ul', {}, list.map((motion) =>
    h('li', {}, h('span', {}, motion.title), h('span', { class: 'note' }, motion.yes === null ? 'secret' : `${motion.yes} of ${motion.of}`),
      motion.may_vote && motion.mine === null ? h('button', { type: 'button', class: 'btn tight', 'data-key': `rail vote ${motion.number}`, 'aria-label': `Vote on: ${motion.title}`, onclick: () => {
        game.tab = 'votes';
        changed();
      } }, 'Vote') : null))));
}

/** This hour tomorrow, as a field for an hour has it. */
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
  const words = choice.kind === 'draw' && !about.length ? 'A draw of all who are left?' : `${choice.title}${about.length ? `: ${about.join(', ')}` : ''}?`;
  return h('div', { class: 'sure' }, h('p', {}, words),
    hour ? [h('label', { class: 'label', for: 'goes-on' }, 'The game goes on at'), hour, h('p', { class: 'note' }, 'What was due keeps the time it has left, to the second.')] : null,
    choice.about.length ? h('div', { class: 'chips' }, choice.about.map((power) => h('button', { type: 'button', class: 'chip', 'data-key': `name ${power}`, 'aria-pressed': String(about.includes(power)), onclick: () => toggleOne(power) }, power))) : null,
    h('button', { type: 'button', class: 'btn tight main', 'data-key': 'move it', disabled: choice.about.length > 0 && !choice.many && !about.length, onclick: () => move(choice.kind, about, hour?.value) }, 'Put it to the vote'),
    h('button', { type: 'button', class: 'btn tight', 'data-key': 'move no', onclick: () => { moving = null; changed(); } }, 'Not now'));
}

function decided(list) {
  if (!list.length) return null;
  return h('section', { class: 'decided' }, h('h3', {}, 'Decided'), h('ul', {}, list.slice(0, 12).map((motion) =>
    h('li', { class: 'note' }, icon(motion.state === 'passed' ? 'check' : 'cross'), `${motion.title}: ${motion.state}.`))));
}

function moves() {
  if (moving) return naming();
  if (!votes.may.length) return null;
  return h('section', { class: 'moves' }, h('h3', {}, 'Move something'),
    h('div', { class: 'chips' }, votes.may.map((choice) => h('button', { type: 'button', class: 'chip', 'data-key': `move ${choice.kind}`, onclick: () => { moving = { choice, about: choice.kind === 'concede' ? choice.about : [] }; changed(); } }, choice.title))));
}

function nothing() {
  if (game.view.over) return 'The game is over.';
  return votes.seat ? 'Nothing is voted on now.' : 'Nothing is voted on now. Those who play vote.';
}

/** Fill `pane` with the votes of a game between people. */
export function votesPanel(pane) {
  const head = h('div', { class: 'pane-head' }, h('h2', {}, 'Votes'));
  if (!votes) return refill(pane, head, h('p', { class: 'note' }, 'Fetching the votes …'));
  const list = open();
  return refill(pane, head,
    list.length ? h('ul', { class: 'motions', 'aria-label': 'Motions' }, list.map(item)) : h('p', { class: 'big-note' }, nothing()),
    moves(),
    decided(votes.motions.filter((motion) => motion.state !== 'open')),
    h('details', { class: 'agreed' }, h('summary', {}, 'What was agreed about votes'), votes.words.map((sentence) => h('p', { class: 'note' }, sentence))));
}
