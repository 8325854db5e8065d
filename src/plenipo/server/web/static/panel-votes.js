/* The Votes tab: the open motions, your vote, the count so far, and the motions you may propose. */
import { serverTime } from './api.js';
import { h, icon, refill } from './dom.js';
import { formatDate, formatDuration, joinNames, n, t } from './i18n.js';
import { emitChange, game } from './state.js';
import { changeVotes, currentVotes, openMotions } from './votes.js';

let proposal = null;

const cast = (motion, yes) => changeVotes(`/${motion.number}`, 'PUT', { yes });

const propose = (kind, about, goesOn) => changeVotes('', 'POST', { kind, about, ...(goesOn ? { goes_on: new Date(goesOn).toISOString() } : {}) }, () => { proposal = null; });

const NEEDS = { all: t('Needs every vote.'), 'two thirds': t('Needs two thirds of the votes.'), majority: t('Needs a majority of the votes cast.') };

/** Describe the votes needed and cast. */
function describeCount(motion) {
  const cast = motion.yes === null ? t('Votes are secret until it passes.')
    : n('{count} of {total} in favour.', '{count} of {total} in favour.', motion.yes, { total: motion.of });
  return `${NEEDS[motion.needs]} ${cast}`;
}

/** Describe when the vote ends. */
function describeEnd(motion) {
  if (!motion.until) return motion.standing ? t('Open until decided.') : t('Open until the phase ends.');
  const left = new Date(motion.until) - serverTime();
  return left > 0 ? t('Ends in {duration} ({time}).', { duration: formatDuration(left), time: formatDate(motion.until) }) : t('Counting now.');
}

const votersOf = (motion, vote) => joinNames(Object.entries(motion.votes).filter(([, one]) => one === vote).map(([power]) => power));

function buttons(motion) {
  if (!motion.may_vote) return null;
  const one = (yes, words, sign) => h('button', {
    type: 'button', class: 'btn tight', 'data-key': `vote ${motion.number} ${yes}`, 'aria-pressed': String(motion.mine === yes),
    'aria-label': t('{vote}: {title}', { vote: words, title: motion.title }), onclick: () => cast(motion, motion.mine === yes ? null : yes),
  }, icon(sign), words);
  return h('div', { class: 'ballot' }, one(true, t('For'), 'check'), one(false, t('Against'), 'cross'),
    h('span', { class: 'note' }, motion.mine === null ? t('You have not voted.') : t('Click again to withdraw.')));
}

function motionItem(motion) {
  const [yes, no] = [votersOf(motion, true), votersOf(motion, false)];
  return h('li', { class: 'motion', 'data-motion': motion.kind }, h('h3', {}, motion.title),
    h('p', { class: 'note' }, describeCount(motion)),
    yes ? h('p', { class: 'note' }, t('For: {powers}', { powers: yes })) : null,
    no ? h('p', { class: 'note' }, t('Against: {powers}', { powers: no })) : null,
    h('p', { class: 'note' }, describeEnd(motion)), buttons(motion));
}

/** Return the same time tomorrow, as the value of a date field. */
function tomorrow() {
  const day = new Date(serverTime() + 24 * 3600000);
  return new Date(day - day.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
}

function proposalForm() {
  const { choice, about } = proposal;
  const hour = choice.hour ? h('input', { class: 'field', type: 'datetime-local', id: 'goes-on', required: true, 'data-key': 'goes on', value: proposal.hour ?? tomorrow(), onchange: (event) => { proposal.hour = event.target.value; } }) : null;
  const toggleOne = (power) => {
    proposal = { choice, about: choice.many ? (about.includes(power) ? about.filter((one) => one !== power) : [...about, power]) : [power] };
    emitChange();
  };
  const words = choice.kind === 'draw' && !about.length ? t('A draw between all survivors?')
    : about.length ? t('{proposal}: {powers}?', { proposal: choice.title, powers: joinNames(about) }) : t('{proposal}?', { proposal: choice.title });
  return h('div', { class: 'sure' }, h('p', {}, words),
    hour ? [h('label', { class: 'label', for: 'goes-on' }, t('Resume the game at')), hour, h('p', { class: 'note' }, t('The current deadline keeps its remaining time.'))] : null,
    choice.about.length ? h('div', { class: 'chips' }, choice.about.map((power) => h('button', { type: 'button', class: 'chip', 'data-key': `name ${power}`, 'aria-pressed': String(about.includes(power)), onclick: () => toggleOne(power) }, power))) : null,
    h('button', { type: 'button', class: 'btn tight main', 'data-key': 'move it', 'data-lead': true, disabled: choice.about.length > 0 && !choice.many && !about.length, onclick: () => propose(choice.kind, about, hour?.value) }, t('Propose')),
    h('button', { type: 'button', class: 'btn tight', 'data-key': 'move no', onclick: () => { proposal = null; emitChange(); } }, t('Cancel')));
}

const STATES = {
  passed: (title) => t('{title}: passed', { title }),
  failed: (title) => t('{title}: failed', { title }),
  withdrawn: (title) => t('{title}: withdrawn', { title }),
};

function pastVotes(list) {
  if (!list.length) return null;
  return h('section', { class: 'decided' }, h('h3', {}, t('Past votes')), h('ul', {}, list.slice(0, 12).map((motion) =>
    h('li', { class: 'note' }, icon(motion.state === 'passed' ? 'check' : 'cross'), STATES[motion.state]?.(motion.title) ?? motion.title))));
}

function proposalChips() {
  if (proposal) return proposalForm();
  const { may } = currentVotes();
  if (!may.length) return null;
  return h('section', { class: 'moves' }, h('h3', {}, t('Propose a vote')),
    h('div', { class: 'chips' }, may.map((choice) => h('button', { type: 'button', class: 'chip', 'data-key': `move ${choice.kind}`, onclick: () => { proposal = { choice, about: choice.kind === 'concede' ? choice.about : [] }; emitChange(); } }, choice.title))));
}

function emptyText() {
  if (game.view.over) return t('The game is over.');
  return currentVotes().seat ? t('No open votes.') : t('No open votes. Only players can vote.');
}

/** Fill `pane` with the votes. */
export function votesPanel(pane) {
  const votes = currentVotes();
  const head = h('div', { class: 'pane-head' }, h('h2', { tabindex: -1, 'data-lead': !proposal }, t('Votes')));
  if (!votes) return refill(pane, head, h('p', { class: 'note' }, t('Loading votes …')));
  const list = openMotions();
  return refill(pane, head,
    list.length ? h('ul', { class: 'motions', 'aria-label': t('Open votes') }, list.map(motionItem)) : h('p', { class: 'big-note' }, emptyText()),
    proposalChips(),
    pastVotes(votes.motions.filter((motion) => motion.state !== 'open')),
    h('details', { class: 'agreed' }, h('summary', {}, t('Voting rules')), votes.words.map((words) => h('p', { class: 'note' }, words))));
}
