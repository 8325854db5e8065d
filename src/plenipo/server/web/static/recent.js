/* The games played in this browser, newest first. Only the browser stores them, each with the mark of its reader: boot.js
   deletes those of a reader who has signed out. */

const KEY = 'plenipo.games';
const MOST = 12;

export function loadGames() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(found) ? found.filter((game) => typeof game?.id === 'string') : [];
  } catch {
    return [];
  }
}

function storeGames(games) {
  try {
    localStorage.setItem(KEY, JSON.stringify(games.slice(0, MOST)));
  } catch {
    // without storage the game works all the same
  }
}

const reader = () => /(?:^|; )reader=(\w+)/.exec(document.cookie)?.[1] ?? '';

export const rememberGame = (game) => storeGames([{ ...game, reader: reader() }, ...loadGames().filter((other) => other.id !== game.id)]);
export const forgetGame = (id) => storeGames(loadGames().filter((game) => game.id !== id));
