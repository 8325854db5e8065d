/* The chapters of puzzles, with the progress that this browser keeps. */
import { readJson } from './dom.js';
import { t } from './i18n.js';
import { findNext, isForeign, loadRating, loadSolved } from './solved.js';
import { setUpThemes } from './theme.js';

setUpThemes();
const chapters = readJson('the-chapters');
const solved = loadSolved();
for (const link of document.querySelectorAll('[data-chapter]')) {
  const numbers = chapters[link.dataset.chapter];
  const next = findNext(numbers);
  if (next) link.href = `/puzzles/${next}`;
  const done = numbers.filter((number) => number in solved).length;
  if (done) document.querySelector(`[data-done="${CSS.escape(link.dataset.chapter)}"]`).textContent = t('{done} of {all} done', { done, all: numbers.length });
}
const rating = loadRating();
if (rating !== null) document.getElementById('solver').textContent = t('Your puzzle rating: {rating}', { rating: String(Math.round(rating)) });
if (isForeign()) document.getElementById('puzzle-note').textContent = t('This browser has progress of another version, which is kept; solve a puzzle to begin anew.');
