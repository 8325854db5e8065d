/* The lobby: copy the link, show the seats on the map, and reload when a player joins or leaves or the game starts. */
import { parseSvg, s } from './dom.js';
import { t } from './i18n.js';
import { stream } from './stream.js';
import { setUpThemes } from './theme.js';
import { localiseDates } from './instants.js';

setUpThemes();
localiseDates();
const link = document.getElementById('link');
document.getElementById('copy')?.addEventListener('click', async (event) => {
  link.select();
  await navigator.clipboard?.writeText(link.value).catch(() => document.execCommand('copy'));
  event.target.textContent = t('Copied');
});
const share = document.getElementById('share');
if (share && navigator.share) {
  share.hidden = false;
  share.addEventListener('click', () => navigator.share({ title: document.title, url: link.value }).catch(() => null));
}

/** Choose a power by its name in the page: as a seat, or as the next preference. */
function choosePower(slug) {
  const take = document.querySelector(`.seat-list [data-slug="${slug}"] form[action$="/preference"]`);
  const radio = document.querySelector(`#join input[data-slug="${slug}"]`);
  const name = document.querySelector(`.seat-list [data-slug="${slug}"] .seat-power`)?.textContent;
  if (radio) {
    radio.checked = true;
    radio.focus();
    markSeats();
  } else if (take) take.requestSubmit();
  else choosePreference(name);
}

/** Put a power into the first preference that is still open; one that is chosen already is taken out. */
function choosePreference(name) {
  const ranks = [...document.querySelectorAll('.preferences select')];
  if (!ranks.length) return;
  const chosen = ranks.find((rank) => rank.value && rank.selectedOptions[0].textContent === name);
  const place = chosen ?? ranks.find((rank) => !rank.value) ?? ranks.at(-1);
  place.value = chosen ? '' : [...place.options].find((option) => option.textContent === name)?.value ?? '';
  markSeats();
}

const seatMap = document.getElementById('seat-map');

/** Show on the map which seats are free, and which are chosen in the form. */
function markSeats() {
  const picked = document.querySelector('#join input[data-slug]:checked')?.dataset.slug;
  const wished = [...document.querySelectorAll('.preferences select')].map((rank) => rank.value && rank.selectedOptions[0].textContent);
  for (const row of document.querySelectorAll('.seat-list [data-slug]')) {
    const { slug } = row.dataset;
    const rank = wished.indexOf(row.querySelector('.seat-power').textContent);
    const chosen = slug === picked || rank >= 0 || row.dataset.state === 'mine';
    row.classList.toggle('chosen', chosen);
    for (const part of seatMap.querySelectorAll(`.p-${slug}`)) {
      part.classList.toggle('seat-free', row.dataset.state === 'free' && !chosen);
      part.classList.toggle('seat-chosen', chosen);
    }
  }
}

/** The most powers whose names have room on the map. */
const MOST_NAMES = 12;
/** The size of a name on the map, in pixels. */
const NAME_SIZE = 12;

const middle = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** Return the middle of the units of a power on the map, else of its spaces. */
function placeOf(slug) {
  const units = [...seatMap.querySelectorAll(`.unit.p-${slug}`)].map((unit) => unit.getAttribute('transform')?.match(/-?[\d.]+/g)?.map(Number)).filter(Boolean);
  const boxes = [...seatMap.querySelectorAll(`.space.p-${slug}`)].map((space) => space.getBBox()).map(({ x, y, width, height }) => [x + width / 2, y + height / 2]);
  const spots = units.length ? units : boxes;
  return spots.length ? [middle(spots.map(([x]) => x)), middle(spots.map(([, y]) => y))] : null;
}

/** Write on the map who has which seat. */
function nameSeats() {
  const svg = seatMap.querySelector('svg');
  svg.querySelector('.seat-names')?.remove();
  const rows = [...document.querySelectorAll('.seat-list [data-slug]')];
  if (rows.length > MOST_NAMES) return;
  const size = NAME_SIZE * (svg.viewBox.baseVal.width / svg.getBoundingClientRect().width);
  svg.append(s('g', { class: 'seat-names', 'aria-hidden': 'true', 'font-size': size.toFixed(1) }, rows.map((row) => {
    const place = placeOf(row.dataset.slug);
    const name = row.querySelector('.seat-power').textContent;
    const lines = [name, row.dataset.holder ?? (row.dataset.state === 'free' ? t('free') : null)].filter(Boolean);
    return place && s('text', { 'data-slug': row.dataset.slug, class: row.dataset.holder ? 'held' : '', 'stroke-width': (size / 4).toFixed(1) },
      lines.map((line, number) => s('tspan', { x: place[0].toFixed(0), y: (place[1] + (number - (lines.length - 1) / 2 + 0.35) * size * 1.2).toFixed(0) }, line)));
  }).filter(Boolean)));
}

/** Draw the map of the opening; a click on a power chooses it. */
async function drawSeats() {
  const answer = await fetch(seatMap.dataset.picture);
  const svg = answer.ok && parseSvg(await answer.text());
  if (!svg) return;
  seatMap.append(svg);
  seatMap.hidden = false;
  markSeats();
  new ResizeObserver(nameSeats).observe(seatMap);
  seatMap.addEventListener('click', (event) => {
    const names = [...document.querySelectorAll('.seat-list [data-slug]')].map((row) => row.dataset.slug);
    const part = event.target.closest('[data-slug],[class*="p-"]');
    const slug = part && names.find((name) => part.dataset.slug === name || part.classList.contains(`p-${name}`));
    if (slug) choosePower(slug);
  });
}
document.addEventListener('change', markSeats);
markSeats();
drawSeats().catch(() => null);

const main = document.querySelector('main');
let waiting = false;
let leaving = false;
// a reload would cancel a form that is being sent, whose answer sets the cookie
document.addEventListener('submit', () => { leaving = true; });
addEventListener('pageshow', () => { leaving = false; });

const isChanged = (field) => (field.matches('select') ? field.selectedIndex !== Math.max([...field.options].findIndex((one) => one.defaultSelected), 0)
  : field.value !== field.defaultValue || field.checked !== field.defaultChecked);
const isEditing = () => [...main.querySelectorAll('input:not([readonly]):not([type=hidden]),select')]
  .some((field) => field === document.activeElement || isChanged(field));

/** Reload the page, or wait while a form is being filled in. */
function reload() {
  if (waiting || leaving) return;
  if (!isEditing()) {
    location.reload();
    return;
  }
  waiting = true;
  setTimeout(() => {
    waiting = false;
    reload();
  }, 1000);
}
/** Show the newest message: at the end of the list, as in any chat. */
function scrollChat() {
  const list = document.getElementById('chat-list');
  if (list) list.scrollTop = list.scrollHeight;
}

/** Fetch the messages anew; the field for a message stays as it is. */
async function updateChat() {
  const answer = await fetch(location.href);
  const list = answer.ok && new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('chat-list');
  if (!list) return;
  localiseDates(list);
  document.getElementById('chat-list').replaceWith(list);
  scrollChat();
}
scrollChat();
stream(() => `/api/games/${encodeURIComponent(main.dataset.game)}/events`, {
  lobby: reload,
  message: () => updateChat().catch(() => null),
  phase: reload,
  behind: reload,
  // catch changes between the page and the first event of its stream
  hello: ({ players, forming }) => (players !== Number(main.dataset.players) || forming !== (main.dataset.forming === 'yes')) && reload(),
});
