/* The panels beside the map. A game begins with its orders; the others are fetched when they are first opened. */
import { showError } from './act.js';
import { t } from './i18n.js';
import { ordersPanel } from './panel-orders.js';
import { powersList } from './powers.js';
import { emitChange, game, ownPowers } from './state.js';

const hasMessages = () => game.view.seating === 'links' && game.view.time;

/** Tell whether you play in this game, and a computer does: deals can be made with it. */
export const hasDeals = () => ownPowers().length > 0 && game.view.powers.some((power) => power.by === 'computer');

let dealsModule = null;
const importDeals = async () => (dealsModule ??= await import('./panel-deals.js'));

const LOADERS = {
  press: async () => (hasMessages() ? (await import('./panel-press.js')).pressPanel : (await importDeals()).dealsPanel),
  results: async () => (await import('./panel-results.js')).resultsPanel,
  board: async () => (await import('./panel-board.js')).boardPanel,
  game: async () => (await import('./panel-game.js')).gamePanel,
  votes: async () => (await import('./panel-votes.js')).votesPanel,
};
const panels = { orders: ordersPanel, powers: powersList };
const loading = new Map();

function fetchPanel(tab) {
  if (!loading.has(tab)) loading.set(tab, loadPanel(tab));
  return loading.get(tab);
}

async function loadPanel(tab) {
  try {
    panels[tab] = await LOADERS[tab]();
    if (game.tab === tab) emitChange();
  } catch {
    if (game.tab === tab) {
      game.tab = 'orders';
      emitChange();
    }
    showError({ message: t('This panel could not be loaded. Open it again when you are online.') });
  } finally {
    loading.delete(tab);
  }
}

/** Draw the panel of a tab into its place. */
export function drawPanel(tab, place, hot) {
  if (panels[tab]) return panels[tab](place, hot);
  place.replaceChildren();
  return fetchPanel(tab);
}

/** Fetch every panel, so that the page of a long game stays complete when the connection fails. */
export const fetchPanels = () => Promise.all(Object.keys(LOADERS).filter((tab) => !panels[tab]).map(fetchPanel));

let pressModule = null;

/** Return the module of the press panel; null until it is loaded, and in games without press. */
export const press = () => pressModule;

/** Load the press of a game on several screens. */
export async function loadPress() {
  if (!hasMessages()) return;
  pressModule ??= await import('./panel-press.js');
  await pressModule.loadPress();
}

/** Fetch the deals again, where they have been looked at. */
export const loadDeals = async () => (hasMessages() ? loadPress() : dealsModule?.loadDeals());
