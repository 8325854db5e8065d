/* The puzzles that were solved; only the browser stores them. */
import { loadStored, saveStored } from './stored.js';

const PLACE = ['plenipo.puzzles', 1, 'solved'];

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
