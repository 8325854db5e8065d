/* The panels beside the map. A game begins with its orders; the others are fetched when they are first opened. */
import { complain } from './act.js';
import { t } from './i18n.js';
import { ordersPanel } from './panel-orders.js';
import { powersList } from './powers.js';
import { changed, game } from './state.js';
import { votesPanel } from './votes.js';

const LATER = {
  press: async () => (await import('./panel-press.js')).pressPanel,
  results: async () => (await import('./panel-results.js')).resultsPanel,
  board: async () => (await import('./panel-board.js')).boardPanel,
  game: async () => (await import('./panel-game.js')).gamePanel,
};
const drawing = { orders: ordersPanel, powers: powersList, votes: votesPanel };
const underway = new Set();

async function fetchPanel(tab) {
  if (underway.has(tab)) return;
  underway.add(tab);
  try {
    drawing[tab] = await LATER[tab]();
    if (game.tab === tab) changed();
  } catch {
    if (game.tab === tab) {
      game.tab = 'orders';
      changed();
    }
    complain({ message: t('This panel could not be loaded. Open it again when you are online.') });
  } finally {
    underway.delete(tab);
  }
}

/** Draw the panel of a tab into its place. */
export function drawPanel(tab, place, hot) {
  if (drawing[tab]) return drawing[tab](place, hot);
  place.replaceChildren();
  return fetchPanel(tab);
}

/** Fetch every panel, so that the page of a long game stays complete when the connection fails. */
export const fetchPanels = () => Promise.all(Object.keys(LATER).filter((tab) => !drawing[tab]).map(fetchPanel));

let pressModule = null;

/** Return the module of the press panel; null until it is loaded, and in games without press. */
export const press = () => pressModule;

/** Load the press of a game on several screens. */
export async function loadPress() {
  if (game.view.seating !== 'links' || !game.view.time) return;
  pressModule ??= await import('./panel-press.js');
  await pressModule.loadPress();
}
