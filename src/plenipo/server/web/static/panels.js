/* The panels beside the map. A game begins with its orders; the others are fetched when they are first opened. */
import { complain } from './act.js';
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
    complain({ message: 'This part of the page could not be fetched; open it again once there is a connection.' });
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

/** Fetch every panel, so that a game which is played over days stays whole when the connection goes. */
export const fetchPanels = () => Promise.all(Object.keys(LATER).filter((tab) => !drawing[tab]).map(fetchPanel));

let letters = null;

/** What the page knows of letters; null in a game without them, and until it has been fetched. */
export const press = () => letters;

/** Fetch the letters of a game that people play over days. */
export async function loadPress() {
  if (game.view.seating !== 'links' || !game.view.time) return;
  letters ??= await import('./panel-press.js');
  await letters.loadPress();
}
