/* The page that is shown without a connection: the games that the service worker keeps, and a way back. */
import { h, icon } from './dom.js';
import { formatDate, t } from './i18n.js';
import { loadGames } from './recent.js';
import { setUpThemes } from './theme.js';

setUpThemes();

/** Return the instants at which the pages of games were kept, in milliseconds, by the id of the game. */
async function readKeptGames() {
  const kept = new Map();
  if (!('caches' in window) || !await caches.has('plenipo.games')) return kept;
  const cache = await caches.open('plenipo.games');
  for (const entry of await cache.keys()) {
    const [, game] = /^\/games\/([^/]+)$/.exec(new URL(entry.url).pathname) ?? [];
    if (game) kept.set(game, Number((await cache.match(entry, { ignoreVary: true })).headers.get('x-kept')));
  }
  return kept;
}

const kept = await readKeptGames();
document.getElementById('kept-games').replaceChildren(...loadGames().filter((game) => kept.has(game.id)).map((game) =>
  h('li', {}, h('a', { href: `/games/${encodeURIComponent(game.id)}` },
    h('span', {}, h('b', {}, game.name), h('span', { class: 'note' }, t('{phase}, as of {time}', { phase: game.phase, time: formatDate(kept.get(game.id), 'instant') }))),
    icon('right')))));

document.getElementById('retry').addEventListener('click', () => location.reload());
// a game that was just chosen is not given up for the page that was asked for first
let leaves = false;
addEventListener('beforeunload', () => {
  leaves = true;
});
addEventListener('online', () => leaves || location.reload());
document.body.dataset.ready = 'yes';
