/* The puzzles that were solved, and the rating of the solver; only the browser stores them. */
import { loadStored, saveStored } from './stored.js';

const PLACE = ['plenipo.puzzles', 1, 'solved'];
const RATING = ['plenipo.puzzle-rating', 1, 'solver'];

/** Tell whether another version of the program stored the progress. */
export const isForeign = () => loadStored(...PLACE).foreign;

/** Return the numbers of the solved puzzles, with the attempt at which each was solved; 0 for one that was given away. */
export const loadSolved = () => loadStored(...PLACE).value;

/** Store that a puzzle is done; its first result counts. */
export function storeSolved(number, attempt) {
  const solved = loadSolved();
  solved[number] ??= attempt;
  saveStored(...PLACE, solved);
}

/** Return the first puzzle of a list that is not done, after a number if one is given; null if all are done. */
export function findNext(numbers, after = null) {
  const solved = loadSolved();
  const from = numbers.indexOf(after) + 1;
  return [...numbers.slice(from), ...numbers.slice(0, from)].find((number) => number !== after && !(number in solved)) ?? null;
}

/** Return the rating of the solver; null before the first answer. */
export const loadRating = () => loadStored(...RATING).value.rating ?? null;

/** Return the rating to send with an answer, empty for a new solver; undefined if the puzzle was answered before. */
export function ratingFor(number) {
  const { rating, deviation, rated = [] } = loadStored(...RATING).value;
  return rated.includes(number) || number in loadSolved() ? undefined : { rating, deviation };
}

/** Store the rating after the first answer to a puzzle. */
export function storeRating(number, { rating, deviation }) {
  const { rated = [] } = loadStored(...RATING).value;
  saveStored(...RATING, { rating, deviation, rated: [...rated, number] });
}
