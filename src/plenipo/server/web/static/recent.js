/* The games played in this browser, newest first. Only the browser stores them. */

const KEY = 'plenipo.games';
const MOST = 12;

export function recent() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY));
    return Array.isArray(found) ? found.filter((game) => typeof game?.id === 'string') : [];
  } catch {
    return [];
  }
}

function keep(games) {
  try {
    localStorage.setItem(KEY, JSON.stringify(games.slice(0, MOST)));
  } catch {
    // without storage the game works all the same
  }
}

export const remember = (game) => keep([game, ...recent().filter((other) => other.id !== game.id)]);
export const forget = (id) => keep(recent().filter((game) => game.id !== id));
