/* The votes of a game: fetched, counted, and listed in short beside the map; `panel-votes.js` is their tab. */
import * as act from './act.js';
import { requestJson } from './api.js';
import { announce, h } from './dom.js';
import { apiPath, emitChange, game } from './state.js';
import { t, translateSentence } from './i18n.js';

let votes = null;

/** Return the votes; null until they are fetched. */
export const currentVotes = () => votes;

/** Return votes with their sentences in the language of the page. */
const translated = (found) => ({
  ...found,
  words: found.sentences.map(translateSentence),
  motions: found.motions.map((motion) => ({ ...motion, title: translateSentence(motion.said) })),
  may: found.may.map((choice) => ({ ...choice, title: translateSentence({ text: choice.title }) })),
});

/** Tell whether this game has votes. */
export const hasVotes = () => game.view.seating === 'links' && Boolean(game.view.time);

/** Fetch the votes, and announce a new motion. */
export async function loadVotes() {
  if (!hasVotes()) return;
  const before = new Set((votes?.motions ?? []).map((motion) => motion.number));
  const known = votes !== null;
  votes = translated(await requestJson(apiPath('/votes')));
  const fresh = votes.motions.find((motion) => motion.state === 'open' && !before.has(motion.number));
  if (known && fresh && fresh.mine === null) announce(t('New vote: {title}', { title: fresh.title }));
  emitChange();
}

/** Send a change of the votes, and show them as they are then; `done` is called before. */
export const changeVotes = (path, method, body, done = () => null) => act.enqueue(async () => {
  votes = translated(await requestJson(apiPath(`/votes${path}`), { method, body }));
  done();
  emitChange();
});

export const openMotions = () => (votes?.motions ?? []).filter((motion) => motion.state === 'open');

/** Return the number of motions that wait for your vote. */
export const countUnvoted = () => openMotions().filter((motion) => motion.may_vote && motion.mine === null).length;

/** Return a short list of the open votes, for beside the map. */
export function votesRail() {
  const list = openMotions();
  if (!list.length) return null;
  return h('div', { class: 'rail-votes' }, h('div', { class: 'rail-head' }, h('h3', {}, t('Votes'))), h('ul', {}, list.map((motion) =>
    h('li', {}, h('span', {}, motion.title), h('span', { class: 'note' }, motion.yes === null ? t('secret') : t('{count} of {total}', { count: motion.yes, total: motion.of })),
      motion.may_vote && motion.mine === null ? h('button', { type: 'button', class: 'btn tight', 'data-key': `rail vote ${motion.number}`, 'aria-label': t('Vote on: {title}', { title: motion.title }), onclick: () => {
        game.tab = 'votes';
        emitChange();
      } }, t('Vote')) : null))));
}
