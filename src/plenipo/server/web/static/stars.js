/* The stars of the lessons; only the browser stores them. */
import { h } from './dom.js';
import { t } from './i18n.js';
import { loadStored, saveStored } from './stored.js';

const PLACE = ['plenipo.lessons', 1, 'stars'];
export const MOST_STARS = 3;

/** Return the stars of each exercise of a lesson; 0 for one that is not solved. */
export function loadStars(lesson, count) {
  const found = loadStored(...PLACE).value[lesson];
  return Array.from({ length: count }, (_, i) => Math.min(MOST_STARS, Number(found?.[i]) || 0));
}

/** Tell whether another version of the program stored the progress. */
export const isForeign = () => loadStored(...PLACE).foreign;

/** Store the stars of an exercise, counted from 1, unless it has more already. */
export function storeStars(lesson, number, stars) {
  const all = loadStored(...PLACE).value;
  const own = Array.isArray(all[lesson]) ? [...all[lesson]] : [];
  own[number - 1] = Math.max(stars, Number(own[number - 1]) || 0);
  all[lesson] = Array.from(own, (one) => one ?? 0);
  saveStored(...PLACE, all);
}

/** Return stars as an element, with a text for screen readers. */
export const starRow = (stars, most = MOST_STARS) => h('span', { class: 'star-row' },
  h('span', { 'aria-hidden': 'true' }, Array.from({ length: most }, (_, i) => h('span', { class: i < stars ? 'star on' : 'star' }, i < stars ? '★' : '☆'))),
  h('span', { class: 'sr' }, t('{stars} of {most} stars', { stars, most })));
