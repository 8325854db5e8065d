/* What the page knows of its game, and how it asks for more. One value, `game`; code that changes it calls `changed`. */
import { ask, path } from './api.js';
import { sent } from './dom.js';
import { named, t } from './i18n.js';
import { Walk } from './walk.js';
import { KIND } from './words.js';

export const CLIENT = crypto.randomUUID?.() ?? String(Math.random()).slice(2);

const asked = new URLSearchParams(location.search);

export const game = {
  view: sent('the-game'),
  board: sent('the-board'),
  history: sent('the-history'),
  options: new Map(),
  turns: new Map(),
  why: new Map(),
  /** The power whose orders are given; null for someone who only looks. */
  seat: null,
  walk: new Walk(null),
  /** Messages typed for a place, and the key that began them. */
  typed: '',
  lead: '',
  /** A move of the unit chosen before onto the selected one, which a second click on it orders: {space, order, who}. */
  onto: null,
  /** Whether the doubts about one's plan have been seen, by their text. */
  doubted: '',
  /** The moment on the map: null is now, else {turn, part: 'before' | 'orders' | 'after', original}. */
  moment: null,
  /** Plans the computer has made, which of them is drawn, and what was found looking back. */
  hints: null,
  plan: null,
  /** The proposal of a message that is drawn: {id, title, orders, arrows}. */
  proposal: null,
  review: null,
  looking: false,
  /** What is to be said of how the computers play now. */
  warmth: '',
  tab: 'orders',
  filter: 'all',
  /** The powers whose results are unfolded, apart from your own. */
  unfolded: new Set(),
  open: null,
  drafts: { line: '', promise: '', draw: { label: '', chosen: [] } },
  undo: [],
  busy: false,
  curtain: false,
  everyone: false,
};
if (game.board) Object.assign(KIND, game.board.kinds);

const listeners = [];
export const onChange = (listener) => listeners.push(listener);
export const changed = () => listeners.forEach((listener) => listener());

const SETTINGS = 'plenipo.settings';
export const settings = { keys: true, curtain: false, ...read() };

function read() {
  try {
    return JSON.parse(localStorage.getItem(SETTINGS)) ?? {};
  } catch {
    return {};
  }
}

export function setSetting(name, value) {
  settings[name] = value;
  try {
    localStorage.setItem(SETTINGS, JSON.stringify(settings));
  } catch {
    // the setting holds as long as the page
  }
}

export const api = (rest = '') => `/api/games/${encodeURIComponent(game.view.id)}${rest}`;

/** The eyes this page looks through, as the server wants to be asked. A key of the whole game sees all its seats, and
    the address only says which of them comes first; behind the curtain it sees the one that plays. */
export function eyes() {
  const wanted = asked.get('seat') ?? '';
  if (wanted === 'observer' || !game.view.viewer.all_seats) return wanted;
  return settings.curtain && game.seat ? game.seat : '';
}

export const seatOf = (power) => (game.view.viewer.all_seats ? power : '');

export const powerOf = (name) => game.view.powers.find((power) => power.name === name);
/** The power that owns the centre in a space. */
export const ownerOf = (position, space) => Object.keys(position.centres).find((power) => position.centres[power].includes(space));
export const slugOf = (name) => powerOf(name)?.slug ?? 'none';
export const nameOf = (space) => named(game.board.spaces[space]?.name ?? space);
export const mine = () => {
  const { viewer, powers } = game.view;
  return powers.filter((power) => viewer.seats.includes(power.name) && power.by !== 'computer');
};

/** The seat of the game master, who draws physically; not a power. */
export const MASTER = 'GM';
/** Whether the seat of the game master is at this screen, and draws. */
export const master = () => game.view.viewer.seats.includes(MASTER) && game.view.asks.draws;
/** The seats of this screen by their names. */
export const seats = () => [...mine().map((power) => power.name), ...(master() ? [MASTER] : [])];
export const seatName = (seat) => (seat === MASTER ? t('the game master') : named(seat));

const EMPTY = { version: 0, ready: false, orders: [], promises: [], missing: [], left: '', doubts: [], arrows: null };
export const orderSetOf = (power) => game.view.order_sets?.[power] ?? EMPTY;
export const orderSet = () => (game.seat ? orderSetOf(game.seat) : EMPTY);

/** How far the game master is with the draws of this phase; null if this page may not know. */
export const drawing = () => (master() ? game.view.order_sets?.[MASTER]?.drawing ?? null : null);
/** Whether the game master must draw now; where this page cannot know, the game master is asked. */
export const toDraw = () => master() && !game.view.over && (!drawing() || Boolean(drawing().due || drawing().fault));

/** The submitted order that belongs to a start of the walk. */
export const orderFor = (start) =>
  orderSet().orders.find((order) => (start.type === 'unit' ? order.unit === start.label : false));

/** What is doubtful in the plans of this screen, as {power, orders, text}; behind the curtain of the seat alone. */
export const doubts = () =>
  (settings.curtain ? [game.seat] : mine().map((power) => power.name)).filter(Boolean)
    .flatMap((power) => orderSetOf(power).doubts.map((doubt) => ({ power, ...doubt })));

const PLAIN = / (?:VIA.*|H)$/;
/** What others are ordered that this page may see, as an order of help names it: `A PAR - BUR`, or `A PAR` to hold. */
export const visibleOrders = () =>
  Object.values(game.view.order_sets ?? {}).flatMap((one) => one.orders).filter((order) => order.unit)
    .map(({ text, unit }) => (text.includes(' - ') && !/ [SC] /.test(text) ? text.replace(PLAIN, '') : unit));

export const live = () => game.moment === null;

function keepOptions(options) {
  if (!options) return;
  for (const one of options.all ?? [options]) game.options.set(one.power, one);
}

/** The options of the power in the seat; asks the server once a phase. */
export async function loadOptions() {
  const power = game.seat;
  const known = game.options.get(power);
  if (power && known?.phase_number !== game.view.phase_number) {
    const asks = power !== MASTER && powerOf(power)?.status !== 'nothing' && !game.view.over;
    const got = asks ? await ask(path(api('/options'), { seat: seatOf(power) })) : null;
    if (got) game.options.set(power, got);
    else game.options.delete(power);
  }
  // a selected unit stays selected as long as it may be ordered
  const options = game.options.get(power) ?? null;
  if (power === game.seat && game.walk.options !== options) game.walk = new Walk(options);
}

/** Take a view the server sent; tells whether the board is another one. */
export async function take(view) {
  const other = view.board !== game.view.board;
  const later = view.phase_number !== game.view.phase_number;
  // whatever belongs together changes together: what is drawn meanwhile is of one moment
  const [history, board] = await Promise.all([
    later ? ask(path(api('/history'), { seat: eyes() })) : game.history,
    other ? ask(path(api('/board'), { seat: eyes() })) : game.board,
  ]);
  Object.assign(game, { view, history, board });
  Object.assign(KIND, board.kinds);
  if (later) {
    game.options.clear();
    game.undo = [];
    game.walk = new Walk(null);
  }
  return other;
}

export const fetchView = async () => ask(path(api(), { seat: eyes() }));

export async function turn(n) {
  if (!game.turns.has(n)) game.turns.set(n, await ask(path(api(`/turns/${n}`), { seat: eyes() })));
  return game.turns.get(n);
}

/** What the page came with. */
export function begin() {
  keepOptions(sent('the-options'));
  const { viewer, last } = game.view;
  const result = sent('the-result');
  for (const known of [last, result]) if (known) game.turns.set(known.turn, known);
  const open = mine().filter((power) => power.status === 'waiting');
  const wanted = viewer.seat && viewer.seat !== 'all' ? viewer.seat : null;
  const draws = !open.length && toDraw() ? MASTER : null;
  game.seat = wanted ?? draws ?? (open[0] ?? mine().find((power) => power.status !== 'out') ?? mine()[0])?.name ?? seats()[0] ?? null;
  const shown = sent('the-moment');
  if (result && shown && Number.isInteger(shown.turn)) {
    game.moment = { turn: result.turn, part: shown.results ? 'orders' : 'before' };
    game.tab = 'results';
  }
}
