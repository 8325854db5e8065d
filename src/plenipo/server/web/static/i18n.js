/* Texts, numbers and dates in the language of the page.

   English is the language of the source: `t('Turn {number}', { number })` has the whole text, and a catalogue only maps
   it to a translation. A page in another language names its catalogue in `<link id="catalogue">`; an English page loads
   none. */

const language = document.documentElement.lang || 'en';
const locale = language === 'en' ? 'en-GB' : language;

async function load() {
  const english = { messages: {}, plurals: '', sentences: {}, names: {} };
  const link = document.getElementById('catalogue');
  if (!link) return english;
  try {
    const response = await fetch(link.href);
    return response.ok ? await response.json() : english;
  } catch {
    return english;
  }
}
const { messages, plurals, sentences = {}, names = {} } = await load();

/** Return the name of a part of a divided space, such as `Aegean Sea 1`. */
function partNamed(name) {
  const [, whole, number] = /^(.+) (\d+)$/.exec(name) ?? [];
  return names[whole] && `${names[whole]} ${number}`;
}

/** Translate the name of a power, a space or a season. */
export const translateName = (name) => names[name] ?? partNamed(name) ?? sentences[`season-${String(name).toLowerCase()}`]?.text ?? name;

const numbers = new Intl.NumberFormat(locale);
/** Format a number. */
export const formatNumber = (value) => numbers.format(value);
const formatValue = (value) => (typeof value === 'number' ? formatNumber(value) : value);

/** Put values in place of the `{names}` of a text; returns an array of texts and values. */
const fillIn = (text, values) => text.split(/\{(\w+)\}/).map((piece, i) => (i % 2 ? formatValue(values[piece] ?? '') : piece));

/** Pick the form of a text for a number. `plurals` has the index of the form for 0 to 199, one digit each. */
const pick = (forms, count) => forms[Number(plurals[count < 200 ? count : 100 + (count % 100)] ?? 0)];

/** Return the translation of a text that depends on a number. */
function translatePlural(one, many, count) {
  const forms = messages[one];
  return (Array.isArray(forms) && pick(forms, count)) || (count === 1 ? one : many);
}

const translate = (text) => (typeof messages[text] === 'string' ? messages[text] : text);

/** Translate a text and put values in place of its `{names}`. */
export const t = (text, values = {}) => fillIn(translate(text), values).join('');

/** Translate a text that means different things in different places; the context names the meaning. */
export const tc = (context, text) => messages[`${context}\u0004${text}`] ?? text;

/** Translate a text that depends on a number; `{count}` is the number. */
export const n = (one, many, count, values = {}) => fillIn(translatePlural(one, many, count), { count, ...values }).join('');

/** Translate like `t`, with elements among the values; returns an array for `h`. */
export const tx = (text, values) => fillIn(translate(text), values).filter((piece) => piece !== '');

/** Translate like `n`, with elements among the values; returns an array for `h`. */
export const nx = (one, many, count, values = {}) => fillIn(translatePlural(one, many, count), { count, ...values }).filter((piece) => piece !== '');

const signs = new Intl.NumberFormat(locale, { signDisplay: 'always', maximumFractionDigits: 0 });
/** Format a whole number with its sign: `+3`. */
export const formatSigned = (value) => signs.format(value);

const joined = new Intl.ListFormat(locale, { type: 'conjunction' });
/** Join names: `Austria, Italy and Turkey`. */
export const joinNames = (names) => joined.format(names);

const either = new Intl.ListFormat(locale, { type: 'disjunction' });

/** The parts of sentences that people write, such as names, which are not translated; `plenipo.server.texts` has the same. */
const WRITTEN = new Set([
  'game', 'holder', 'line', 'name', 'order', 'player', 'read', 'reason', 'shown', 'sitter', 'text', 'title', 'typed', 'value', 'winner',
]);

/** Translate a part of a sentence from the server: a number, a text, a list, or a nested sentence. */
function translatePart(name, value) {
  if (value?.kind) return translateSentence(value);
  const each = (values) => values.map((one) => translatePart(name, one));
  if (value?.and) return joined.format(each(value.and));
  if (value?.or) return either.format(each(value.or));
  if (value?.series) return each(value.series).join(', ');
  if (typeof value !== 'string' || WRITTEN.has(name)) return value;
  return typeof messages[value] === 'string' ? messages[value] : translateName(value);
}

/** Translate a sentence from the server by its kind and parts; without a translation return its English `text`. */
export function translateSentence({ kind, parts = {}, text }) {
  const known = sentences[kind];
  if (!known) return translate(text);
  const number = parts[known.count]?.and?.length ?? Number(parts[known.count]);
  const template = Array.isArray(known.text) ? pick(known.text, number) : known.text;
  return fillIn(template, Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, translatePart(name, value)]))).join('');
}

const share = new Intl.NumberFormat(locale, { style: 'percent' });
/** Format a fraction as a percentage. */
export const formatPercent = (value) => share.format(value);

const STYLES = {
  time: { hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'long', year: 'numeric' },
  instant: { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  long: { weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' },
};
const local = (value) => (/^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00` : value); // a date without a time is the same day in every time zone
/** Format a date in the local time zone; `style` is a key of `STYLES`. */
export const formatDate = (value, style = 'instant') => new Date(local(value)).toLocaleString(locale, STYLES[style]);

const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
/** Return the name of a day of the week; Monday is 0. */
export const dayName = (index) => weekday.format(new Date(Date.UTC(2024, 0, 1 + index)));

const unit = (value, name) => new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'narrow' }).format(value);
const units = new Intl.ListFormat(locale, { type: 'unit', style: 'narrow' });
/** Format milliseconds in their two largest units, such as `2d 3h`. */
export function formatDuration(ms) {
  const minutes = Math.max(Math.round(ms / 60000), 0);
  const [d, h, m] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60];
  if (d) return units.format([unit(d, 'day'), unit(h, 'hour')]);
  return h ? units.format([unit(h, 'hour'), unit(m, 'minute')]) : unit(m, 'minute');
}
