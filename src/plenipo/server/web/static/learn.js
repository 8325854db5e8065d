/* The list of lessons, with the stars that this browser keeps. */
import { n, t } from './i18n.js';
import { isForeign, loadStars, MOST_STARS, starRow } from './stars.js';
import { setUpThemes } from './theme.js';

setUpThemes();
const links = [...document.querySelectorAll('[data-lesson]')];
let sum = 0;
let next = null;
let begun = false;
for (const link of links) {
  const count = Number(link.dataset.count);
  const stars = loadStars(link.dataset.lesson, count);
  const done = stars.filter(Boolean).length;
  sum += stars.reduce((all, one) => all + one, 0);
  begun ||= done > 0;
  if (done < count) next ??= link;
  if (count) link.querySelector('.stars').append(starRow(done ? Math.min(...stars.filter(Boolean), done < count ? 2 : MOST_STARS) : 0));
}
const button = document.getElementById('learn-next');
if (begun && next) {
  button.href = next.getAttribute('href');
  button.textContent = t('Continue: {title}', { title: next.querySelector('.lesson-title').textContent });
} else if (begun) {
  button.href = links.at(-1).getAttribute('href');
  button.textContent = t('All lessons done: play a first year');
}
const note = document.getElementById('learn-sum');
if (isForeign()) note.textContent = t('This browser has progress of another version, which is kept; solve an exercise to begin anew.');
else if (sum) note.textContent = n('{count} star', '{count} stars', sum);
