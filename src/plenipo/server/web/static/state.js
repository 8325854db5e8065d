/* The state of the game page, and the requests that update it. It is one value, `game`; code that changes it calls
   `emitChange`. */
import { requestJson, withQuery } from './api.js';
import { readJson } from './dom.js';
import { translateName, t } from './i18n.js';
import { Walk } from './walk.js';
import { UNIT_NAMES } from './words.js';

export const CLIENT = crypto.randomUUID?.() ?? String(Math.random()).slice(2);

const urlParameters = new URLSearchParams(location.search);

export const game = {
  view: readJson('the-game'),
  board: readJson('the-board'),
  history: readJson('the-history'),
  options: new Map(),
  turns: new Map(),
  why: new Map(),
  /** The seat that gives orders on this page; null for a spectator. */
  seat: null,
  walk: new Walk(null),
  /** Letters typed for a space, and the key of the kind of order that began them. */
  typed: '',
  lead: '',
  /** A move of the previously selected unit onto the selected one, which a second click on it orders: {space, order,
      who}. */
  repeatMove: null,
  /** The key of the warnings about your orders that have been seen. */
  warningsSeen: '',
  /** The moment on the map: null is the present, else {turn, part: 'before' | 'orders' | 'after', original}. A `plan` is
      drawn on it: {key, arrows}. */
  moment: null,
  /** The plans of a computer player, and the index of the one drawn on the map. */
  hints: null,
  plan: null,
  /** The proposal of a message that is drawn: {id, title, orders, arrows}. */
  proposal: null,
  /** The choice of a clause on the map, in place of orders: {question, take(order)} or {question, tap(space)}, with
      highlights() and cancel(). */
  pick: null,
  review: null,
  isAnalysing: false,
  /** A sentence about how well the computer players play while they are warming up; empty once they are ready. */
  warmUpNote: '',
  tab: 'orders',
  filter: 'all',
  /** The powers whose results are unfolded, in addition to your own. */
  unfolded: new Set(),
  open: null,
  drafts: { line: '', promise: '', draw: { label: '', chosen: [] } },
  undo: [],
  /** The instants at which the orders of each seat were last saved in this phase, in milliseconds. */
  saved: new Map(),
  /** The number of things that wait for the player, for the title. */
  waiting: 0,
  /** Keeps a change of orders that could not be sent; null in a game of this page alone. */
  keepUnsent: null,
  busy: false,
  curtain: false,
  everyone: false,
};
if (game.board) Object.assign(UNIT_NAMES, game.board.kinds);

const listeners = [];
export const onChange = (listener) => listeners.push(listener);
export const emitChange = () => listeners.forEach((listener) => listener());

const SETTINGS = 'plenipo.settings';
export const settings = { keys: true, curtain: false, influence: false, ...read() };

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
    // without storage the setting lasts as long as the page
  }
}

export const apiPath = (rest = '') => `/api/games/${encodeURIComponent(game.view.id)}${rest}`;

/** Return the viewpoint of this page, for requests. A key for the whole game sees all its seats, and the address only
    says which one is first; when orders are hidden between players, only the power in the seat sees its own. */
export function viewpoint() {
  const wanted = urlParameters.get('seat') ?? '';
  if (wanted === 'observer' || !game.view.viewer.all_seats) return wanted;
  return settings.curtain && game.seat ? game.seat : '';
}

export const seatParameter = (power) => (game.view.viewer.all_seats ? power : '');

export const powerOf = (name) => game.view.powers.find((power) => power.name === name);
/** Return the power that owns the centre in a space. */
export const ownerOf = (position, space) => Object.keys(position.centres).find((power) => position.centres[power].includes(space));
export const slugOf = (name) => powerOf(name)?.slug ?? 'none';
export const nameOf = (space) => translateName(game.board.spaces[space]?.name ?? space);
export const ownPowers = () => {
  const { viewer, powers } = game.view;
  return powers.filter((power) => viewer.seats.includes(power.name) && power.by !== 'computer');
};

/** The seat of a game master who enters physical draws; it is no power. */
export const GAME_MASTER = 'GM';
/** Tell whether this screen has the seat of the game master in a game with physical draws. */
export const hasGameMaster = () => game.view.viewer.seats.includes(GAME_MASTER) && game.view.asks.draws;
/** Return the names of the seats of this screen. */
export const seats = () => [...ownPowers().map((power) => power.name), ...(hasGameMaster() ? [GAME_MASTER] : [])];
export const seatName = (seat) => (seat === GAME_MASTER ? t('the game master') : translateName(seat));

const EMPTY = { version: 0, ready: false, orders: [], promises: [], missing: [], left: '', doubts: [], arrows: null };
export const orderSetOf = (power) => game.view.order_sets?.[power] ?? EMPTY;
export const orderSet = () => (game.seat ? orderSetOf(game.seat) : EMPTY);

/** Return the progress of the game master's draws in this phase; null if this page may not know it. */
export const drawProgress = () => (hasGameMaster() ? game.view.order_sets?.[GAME_MASTER]?.drawing ?? null : null);
/** Tell whether the game master must draw now; true if this page cannot know. */
export const mustDraw = () => hasGameMaster() && !game.view.over && (!drawProgress() || Boolean(drawProgress().due || drawProgress().fault));

/** Return the submitted order of a unit of the option tree. */
export const orderFor = (start) =>
  orderSet().orders.find((order) => (start.type === 'unit' ? order.unit === start.label : false));

/** List the warnings about the orders of this screen, as {power, orders, text}; only of the seat when orders are hidden
    between players. */
export const orderWarnings = () =>
  (settings.curtain ? [game.seat] : ownPowers().map((power) => power.name)).filter(Boolean)
    .flatMap((power) => orderSetOf(power).doubts.map((doubt) => ({ power, ...doubt })));

const PLAIN = / (?:VIA.*|H)$/;
/** Return the visible orders as supports and convoys write them: `A PAR - BUR`, or `A PAR` to hold. */
export const visibleOrders = () =>
  Object.values(game.view.order_sets ?? {}).flatMap((one) => one.orders).filter((order) => order.unit)
    .map(({ text, unit }) => (text.includes(' - ') && !/ [SC] /.test(text) ? text.replace(PLAIN, '') : unit));

export const showsPresent = () => game.moment === null;

let titlePhase = null;
/** Show a phase in the title, after the number of things that wait for the player. */
export function showTitle(phase = titlePhase ?? game.view.phase) {
  titlePhase = phase;
  const { view, waiting } = game;
  document.title = `${waiting ? `(${waiting}) ` : ''}${phase.text}, ${view.name || view.title} · Plenipo`;
}

function storeOptions(options) {
  if (!options) return;
  for (const one of options.all ?? [options]) game.options.set(one.power, one);
}

/** Load the options of the power in the seat, once for each phase. */
export async function loadOptions() {
  const power = game.seat;
  const known = game.options.get(power);
  if (power && known?.phase_number !== game.view.phase_number) {
    const asks = power !== GAME_MASTER && powerOf(power)?.status !== 'nothing' && !game.view.over;
    const got = asks ? await requestJson(withQuery(apiPath('/options'), { seat: seatParameter(power) })) : null;
    if (got) game.options.set(power, got);
    else game.options.delete(power);
  }
  // keep the selection as long as the options are the same
  const options = game.options.get(power) ?? null;
  if (power === game.seat && game.walk.options !== options) game.walk = new Walk(options);
}

/** Update the state to a view from the server; returns whether the board is a different one. */
export async function applyView(view) {
  const other = view.board !== game.view.board;
  const later = view.phase_number !== game.view.phase_number;
  // replace view, history and board together, so that they are always of one moment
  const [history, board] = await Promise.all([
    later ? requestJson(withQuery(apiPath('/history'), { seat: viewpoint() })) : game.history,
    other ? requestJson(withQuery(apiPath('/board'), { seat: viewpoint() })) : game.board,
  ]);
  Object.assign(game, { view, history, board });
  Object.assign(UNIT_NAMES, board.kinds);
  if (later) {
    game.options.clear();
    game.undo = [];
    game.saved.clear();
    game.walk = new Walk(null);
  }
  return other;
}

/** Fetch the view; of a seat that the address names and that is no longer yours, fetch what you may see now. */
export async function fetchView() {
  try {
    return await requestJson(withQuery(apiPath(), { seat: viewpoint() }));
  } catch (error) {
    if (!urlParameters.has('seat') || ![401, 403].includes(error.status)) throw error;
    urlParameters.delete('seat');
    return requestJson(apiPath());
  }
}

export async function loadTurn(n) {
  if (!game.turns.has(n)) game.turns.set(n, await requestJson(withQuery(apiPath(`/turns/${n}`), { seat: viewpoint() })));
  return game.turns.get(n);
}

/** Read the state that the page contains. */
export function readPage() {
  storeOptions(readJson('the-options'));
  const { viewer, last } = game.view;
  const result = readJson('the-result');
  for (const known of [last, result]) if (known) game.turns.set(known.turn, known);
  const open = ownPowers().filter((power) => power.status === 'waiting');
  const wanted = viewer.seat && viewer.seat !== 'all' ? viewer.seat : null;
  const draws = !open.length && mustDraw() ? GAME_MASTER : null;
  game.seat = wanted ?? draws ?? (open[0] ?? ownPowers().find((power) => power.status !== 'out') ?? ownPowers()[0])?.name ?? seats()[0] ?? null;
  const shown = readJson('the-moment');
  if (result && shown && Number.isInteger(shown.turn)) {
    game.moment = { turn: result.turn, part: shown.results ? 'orders' : 'before' };
    game.tab = 'results';
  }
}

const TOUR = 'plenipo.tour';

/** Return where the tour of the first turn was left in this browser. */
export function readTour() {
  try {
    return JSON.parse(localStorage.getItem(TOUR)) ?? {};
  } catch {
    return {};
  }
}

/** Open the tour of the first turn, which is loaded when it is wanted. */
export const openTour = (options) => import('./tour.js').then(({ startTour }) => startTour(options));
