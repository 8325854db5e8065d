/* The stars of the lessons; only the browser stores them. */
import { h } from './dom.js';
import { t } from './i18n.js';

const KEY = 'plenipo.lessons';
const VERSION = 1;
export const MOST_STARS = 3;

/** Read what is stored: {stars, foreign}. `foreign` is true if another version of the program stored it; it is kept. */
function load() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY));
    if (found === null) return { stars: {}, foreign: false };
    const known = found.version === VERSION && typeof found.stars === 'object';
    return { stars: known ? found.stars : {}, foreign: !known };
  } catch {
    return { stars: {}, foreign: true };
  }
}

/** Return the stars of each exercise of a lesson; 0 for one that is not solved. */
export function loadStars(lesson, count) {
  const found = load().stars[lesson];
  return Array.from({ length: count }, (_, i) => Math.min(MOST_STARS, Number(found?.[i]) || 0));
}

/** Tell whether another version of the program stored the progress. */
export const isForeign = () => load().foreign;

/** Store the stars of an exercise, counted from 1, unless it has more already. */
export function storeStars(lesson, number, stars) {
  const { stars: all, foreign } = load();
  try {
    if (foreign) localStorage.setItem(`${KEY}.earlier`, localStorage.getItem(KEY));
    const own = Array.isArray(all[lesson]) ? [...all[lesson]] : [];
    own[number - 1] = Math.max(stars, Number(own[number - 1]) || 0);
    all[lesson] = Array.from(own, (one) => one ?? 0);
    localStorage.setItem(KEY, JSON.stringify({ version: VERSION, stars: all }));
  } catch {
    // without storage a lesson works all the same
  }
}

/** Return stars as an element, with a text for screen readers. */
export const starRow = (stars, most = MOST_STARS) => h('span', { class: 'star-row' },
  h('span', { 'aria-hidden': 'true' }, Array.from({ length: most }, (_, i) => h('span', { class: i < stars ? 'star on' : 'star' }, i < stars ? '★' : '☆'))),
  h('span', { class: 'sr' }, t('{stars} of {most} stars', { stars, most })));
