/* The page that opens games of other programs: a paste, files or a drop are sent, and the answer says what it was. */
import { requestJson } from './api.js';
import { h } from './dom.js';
import { n, t } from './i18n.js';
import { setUpThemes } from './theme.js';

const TITLES = {
  plenipo: t('a saved game of Plenipo'), text: t('a plain text of Plenipo'), diplomacy: t('a game of the package diplomacy'),
  webdiplomacy: t('a game of webDiplomacy'), droidippy: t('a game of droidippy'), daide: t('a log of DAIDE'), jdip: t('cases of jDip'),
  ai_diplomacy: t('a game of AI_Diplomacy'), judge: t('reports of a judge'), backstabbr: t('a game of Backstabbr'),
};
const PARTS = {
  orders: t('orders'), positions: t('positions'), results: t('results'), messages: t('messages'), 'times of messages': t('times of messages'),
  'the end of the game': t('the end of the game'), 'options of the variant': t('options of the variant'), rulings: t('rulings'),
  'the seed of chance': t('the seed of chance'),
};

const form = document.getElementById('open');
const field = document.getElementById('open-text');
const chosen = document.getElementById('open-file');
const fault = document.getElementById('open-fault');
const place = document.getElementById('opened');

function show(answer) {
  const lost = answer.loses.map((part) => PARTS[part] ?? part).join(', ');
  const lines = [
    t('This is {format}: {phases}, {messages}.', {
      format: TITLES[answer.format] ?? answer.format,
      phases: n('{count} phase', '{count} phases', answer.phases), messages: n('{count} message', '{count} messages', answer.messages),
    }),
    lost && t('Such a file does not contain: {parts}.', { parts: lost }),
    answer.differences && n('{count} position differs from the one that follows by the rules here; the game goes on from that of the file.',
      '{count} positions differ from those that follow by the rules here; the game goes on from those of the file.', answer.differences),
    answer.several && t('The file has several games; this is the first.'),
  ].filter(Boolean);
  place.replaceChildren(
    h('h2', {}, t('Opened')), ...lines.map((line) => h('p', {}, line)),
    h('p', {}, h('a', { class: 'btn main', href: answer.game.url }, t('Look at it and play on from here'))),
  );
  place.hidden = false;
  place.querySelector('a').focus();
}

async function open(text) {
  fault.textContent = '';
  place.hidden = true;
  if (!text.trim()) {
    fault.textContent = t('Paste a game or choose a file first.');
    return;
  }
  const button = form.querySelector('button');
  button.disabled = true;
  try {
    show(await requestJson('/api/games/open', { method: 'POST', body: JSON.stringify({ text }) }));
  } catch (refused) {
    fault.textContent = refused.message;
  } finally {
    button.disabled = false;
  }
}

/* The texts of files one after the other: several pages are one game. Drawings, most of a saved page, are left out. */
async function textOf(files) {
  const texts = await Promise.all([...files].map((file) => file.text()));
  return texts.map((text) => (/<html/i.test(text.slice(0, 2000)) ? text.replace(/<svg[\s>][^]*?<\/svg>/gi, '') : text)).join('\n');
}

setUpThemes();
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  open(field.value.trim() || !chosen.files.length ? field.value : await textOf(chosen.files));
});
form.addEventListener('dragover', (event) => event.preventDefault());
form.addEventListener('drop', async (event) => {
  const { files } = event.dataTransfer;
  if (!files.length) return;
  event.preventDefault();
  open(await textOf(files));
});
