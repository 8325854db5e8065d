/* The start page. It works without this script, which adds the games of this browser and the theme menu. */
import { h, icon } from './dom.js';
import { t } from './i18n.js';
import { localiseDates } from './instants.js';
import { addMaps } from './lazy-maps.js';
import { loadGames } from './recent.js';
import { stream } from './stream.js';
import { setUpThemes, updatePictures } from './theme.js';

function showUnfinished() {
  const mine = new Set([...document.querySelectorAll('.my-games a')].map((link) => link.pathname));
  const games = loadGames().filter((game) => !game.over && !mine.has(`/games/${game.id}`)).slice(0, 2);
  const place = document.getElementById('resume');
  place.hidden = games.length === 0;
  place.replaceChildren(...games.map((game) =>
    h('a', { href: `/games/${encodeURIComponent(game.id)}` },
      h('span', {}, h('b', {}, t('Resume {game}', { game: game.name })), game.phase), icon('right'))));
}

/** The signs of a reader, and the time after which a page without one goes on loading, in milliseconds. */
const SIGNS = ['scroll', 'pointermove', 'pointerdown', 'keydown'];
const NO_SIGN = 5000;

/** Add the boards of games first, and the maps of variants below them once the reader does something. */
function addPictures() {
  addMaps('.live-map');
  const addOthers = () => {
    SIGNS.forEach((sign) => removeEventListener(sign, addOthers));
    clearTimeout(waiting);
    addMaps('.card-map:not(.live-map)');
  };
  const waiting = setTimeout(addOthers, document.querySelector('.live-map') ? NO_SIGN : 0);
  SIGNS.forEach((sign) => addEventListener(sign, addOthers, { passive: true }));
}

setUpThemes();
addPictures();
localiseDates();
showUnfinished();
updatePictures();
addEventListener('pageshow', showUnfinished);

/** The interval at which a visible page asks whether the games in progress have moved on, in milliseconds. */
const LIVE_INTERVAL = 60_000;

/** Show the games in progress as they are now; the picture of a board is fetched only after a turn. */
async function updateLiveBoards() {
  if (document.hidden) return;
  const { boards } = await (await fetch('/api/live')).json();
  for (const { id, turn, phase, picture } of boards) {
    const board = document.querySelector(`[data-live="${CSS.escape(id)}"]`);
    if (!board || board.dataset.turn === String(turn)) continue;
    board.dataset.turn = turn;
    board.querySelector('.live-phase').textContent = phase.text;
    const image = board.querySelector('img') ?? board.querySelector('template').content.querySelector('img');
    image.parentElement.querySelector('source')?.remove();
    image.dataset.picture = picture;
    image.src = `${picture}&theme=${document.documentElement.dataset.theme}`;
  }
}
if (document.querySelector('[data-live]')) setInterval(() => updateLiveBoards().catch(() => null), LIVE_INTERVAL);

/** Update the list of your games. */
async function updateMyGames() {
  const page = new DOMParser().parseFromString(await (await fetch('/')).text(), 'text/html');
  const fresh = page.getElementById('mine');
  if (!fresh) return;
  localiseDates(fresh);
  document.getElementById('mine').replaceWith(fresh);
}
if (document.getElementById('mine')) stream(() => '/api/me/events', { games: () => updateMyGames().catch(() => null) });
