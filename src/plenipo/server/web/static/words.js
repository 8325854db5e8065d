/* The words and signs of results, of phases and of orders, as they are shown. */

/** Names as a sentence has them, `Austria, Italy and Turkey`. */
export const listed = (names) => [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ');

const RESULTS = {
  moves: ['check', 'moved'],
  fails: ['bar', 'did not enter'],
  holds: ['hold', 'held'],
  supports: ['check', 'given'],
  cut: ['cut', 'cut'],
  convoys: ['check', 'convoyed'],
  disrupted: ['cut', 'broken'],
  void: ['cross', 'did not count'],
  converts: ['check', 'turned'],
  retreats: ['retreat', 'retreated'],
  disbanded: ['disband', 'disbanded'],
  builds: ['plus', 'built'],
  removed: ['disband', 'removed'],
  waived: ['minus', 'waived'],
  chosen: ['check', 'chosen'],
};

/** The icon and the word of an outcome. */
export function result(outcome) {
  const [icon, word] = RESULTS[outcome.result] ?? ['check', outcome.result];
  if (outcome.dislodged_by) return ['out', `${word}, dislodged`];
  if (outcome.result === 'fails' && outcome.reason === 'stood off') return [icon, 'stood off'];
  if (outcome.result === 'convoys' && !outcome.succeeded) return [RESULTS.disrupted[0], 'did not convoy'];
  return [icon, word];
}

/** An order with the dash of print. */
export const printed = (order) => order.replace(/ - /g, ' – ');

/** A year as people write it: `1901`, `48 BC`. */
export const yearText = (year) => (year < 0 ? `${-year} BC` : String(year));

/** A phase in five characters or so: `S 01`; years of fewer than four figures whole. */
export function short(phase) {
  const initial = phase.code?.match(/^[A-Za-z]+/)?.[0]?.slice(0, 2) ?? phase.season.slice(0, 2);
  return `${initial.length > 1 && !/^[A-Z]{2}$/.test(initial) ? initial : initial[0]} ${phase.year > 999 ? String(phase.year).slice(-2) : yearText(phase.year)}`;
}

const KINDS = { movement: 'Movement', retreats: 'Retreats', adjustments: 'Adjustments', choice: 'Choice' };
export const kind = (phase) => KINDS[phase.kind] ?? phase.kind[0].toUpperCase() + phase.kind.slice(1);
export const when = (phase) => `${phase.season} ${yearText(phase.year)}`;

/** The names of units by their letters; a board tells its own. */
export const KIND = { A: 'Army', F: 'Fleet' };
export const unitWords = (unit, nameOf) =>
  `${KIND[unit.kind] ?? 'Unit'} ${nameOf(unit.space)}${unit.coast ? ` (${unit.coast.toLowerCase()})` : ''}`;

export const count = (n, word, more = `${word}s`) => `${n} ${n === 1 ? word : more}`;

/** A strength on its scale as a person writes it. */
export const strength = (n, scale) => String(Math.round((n / (scale || 1)) * 100) / 100);
