/* The games this browser has played at, newest first. Kept by the browser alone. */

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
    // a browser that keeps nothing still plays
  }
}

export const remember = (game) => keep([game, ...recent().filter((other) => other.id !== game.id)]);
export const forget = (id) => keep(recent().filter((game) => game.id !== id));
