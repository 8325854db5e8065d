/* A shared position: shows the map, and starts a game from it. */
import { ask } from './api.js';
import { Board } from './board.js';
import { sent } from './dom.js';
import { colours } from './theme.js';

const frame = document.getElementById('map');
const picture = frame.querySelector(':scope > svg');
const board = new Board(frame, { tap: () => null, hover: () => null, pull: () => false });
board.setData(sent('the-board'));
board.setPicture(picture);
colours();

document.querySelector('.zoom').addEventListener('click', (event) => {
  const how = event.target.closest('[data-zoom]')?.dataset.zoom;
  if (how === 'fit') board.fit();
  else if (how) board.zoom(how === 'in' ? 1 / 1.4 : 1.4);
});

document.getElementById('play-on').addEventListener('click', async () => {
  const { variant, code } = sent('the-shared');
  const fault = document.getElementById('play-fault');
  fault.textContent = '';
  try {
    const game = await ask('/api/games', { method: 'POST', body: { variant, position: code, computers: 'none', seating: 'hotseat' } });
    location.href = game.url ?? `/games/${game.id}`;
  } catch (refused) {
    fault.textContent = refused.message;
  }
});
