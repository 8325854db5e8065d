/* The panel of letters: the threads, one thread, and the line on which one writes. Drafts stay on this device. */
import * as act from './act.js';
import { ask, path, Refused } from './api.js';
import { h, icon, phone, refill, rich, say, swatch } from './dom.js';
import { api, changed, game, live, sheet, slugOf } from './state.js';
import { span } from './time.js';
import { printed } from './words.js';

/** What the page knows of letters: the list, the thread that is open by its key, and that thread with its letters. */
const press = { list: null, key: null, thread: null, choosing: null, sure: false, failed: '', sending: false };

const EVERYONE = 'everyone';
const OFFICE = 'GM';
const UNSIGNED = 'unsigned';

const named = (key) => key.join('+');
const same = (one, other) => one && other && named(one) === named(other);
const mineOf = (key) => key.filter((seat) => press.list.seats.includes(seat));
const isOpen = (key) => key.includes(EVERYONE);
const others = (key) => (isOpen(key) ? [EVERYONE] : key.filter((seat) => !press.list.seats.includes(seat) || (seat === OFFICE && mineOf(key).length > 1)));

/** How many threads have letters that are unread. */
export const unreadThreads = () => (press.list?.threads ?? []).filter((thread) => thread.unread).length;
/** Whether there is anything to read or to write in this game. */
export const hasPress = () => Boolean(press.list && (press.list.seats.length || press.list.threads.length));

const office = () => (game.view.master ? 'game master' : 'keeper');
const titleOf = (seat) => ({ [EVERYONE]: 'Everyone', [OFFICE]: `The ${office()}`, [UNSIGNED]: 'Unsigned' }[seat] ?? seat);

function threadTitle(key) {
  if (isOpen(key)) return 'Everyone';
  const rest = others(key);
  const whose = rest.length ? rest : key;
  if (key.includes(UNSIGNED)) return rest.filter((seat) => seat !== UNSIGNED).length ? `Unsigned, to ${rest.filter((seat) => seat !== UNSIGNED).map(titleOf).join(', ')}` : 'Unsigned';
  const words = whose.map(titleOf).join(', ');
  return mineOf(key).includes(OFFICE) && game.seat ? `${words}, as the ${office()}` : words;
}

const marks = (key) => {
  const seats = isOpen(key) ? game.view.powers.filter((power) => power.played).slice(0, 3).map((power) => power.name)
    : others(key).filter((seat) => seat !== UNSIGNED && seat !== OFFICE);
  return h('span', { class: 'swatches' }, seats.length ? seats.slice(0, 4).map((seat) => swatch(slugOf(seat))) : icon(key.includes(OFFICE) ? 'seal' : 'letter'));
};

// ---------------------------------------------------------------- drafts

const DRAFTS = 'plenipo.drafts';
const draftKey = () => `${game.view.id} ${named(press.key)}`;

function drafts() {
  try {
    return JSON.parse(localStorage.getItem(DRAFTS)) ?? {};
  } catch {
    return {};
  }
}

const unkept = new Map();
const draft = (part = '') => unkept.get(draftKey() + part) ?? drafts()[draftKey() + part] ?? '';
/** The orders that are proposed with the draft. */
const proposing = () => draft(' orders').split('\n').map((line) => line.trim()).filter(Boolean);

function keepDraft(text, part = '') {
  const all = drafts();
  const key = draftKey() + part;
  unkept.set(key, text);
  if (text) all[key] = text;
  else delete all[key];
  try {
    localStorage.setItem(DRAFTS, JSON.stringify(all));
  } catch {
    // the draft holds as long as the page
  }
}

// ---------------------------------------------------------------- asking

/** Fetch the list of threads, and the thread that is open. */
export async function loadPress() {
  const before = unreadThreads();
  press.list = await ask(api('/letters'));
  if (press.key) await loadThread();
  else if (unreadThreads() > before && game.tab !== 'press') {
    const newest = press.list.threads.find((thread) => thread.unread);
    say(`A letter: ${threadTitle(newest.thread)}.`);
  }
  changed();
}

async function loadThread() {
  const key = press.key;
  const address = `${api('/letters/thread')}?${new URLSearchParams(key.map((seat) => ['seat', seat]))}`;
  const found = await ask(address);
  if (!same(key, press.key)) return;
  const fresh = press.thread && same(press.thread.thread, key) && found.letters.length > press.thread.letters.length;
  const last = found.letters.at(-1);
  press.thread = found;
  if (fresh && last && !last.mine) say(`A letter from ${sender(last)}.`);
  const line = press.list.threads.find((thread) => same(thread.thread, key));
  if (line?.unread && last && game.tab === 'press' && !document.hidden) {
    await ask(api('/letters/read'), { method: 'POST', body: { thread: key, id: last.id } });
    line.unread = 0;
  }
}

async function open(key) {
  press.key = key;
  press.thread = null;
  press.sure = false;
  press.failed = '';
  press.choosing = null;
  changed();
  if (!key) return;
  await loadThread().catch(act.complain);
  changed();
  bottom();
  document.getElementById('press-head')?.focus({ preventScroll: true });
}

function bottom() {
  const pane = document.getElementById('pane');
  pane.scrollTop = pane.scrollHeight;
}

const once = new Map();

async function send() {
  const text = draft().trim();
  const orders = proposing();
  if ((!text && !orders.length) || press.sending) return;
  const { key } = press;
  if (isOpen(key) && !press.sure) {
    press.sure = true;
    changed();
    return;
  }
  const seat = mineOf(key)[0] ?? press.list.seats[0];
  const to = others(key).filter((one) => one !== UNSIGNED);
  const unsigned = !to.includes(OFFICE) && seat !== OFFICE && (press.list.unsigned === 'only' || key.includes(UNSIGNED) || (press.list.unsigned === 'allowed' && document.getElementById('unsigned')?.checked === true));
  if (!once.has(draftKey())) once.set(draftKey(), crypto.randomUUID?.() ?? String(Math.random()));
  press.sending = true;
  changed();
  try {
    await ask(api('/letters'), { method: 'POST', body: { seat, to, text, unsigned, proposal: orders, once: once.get(draftKey()) } });
    once.delete(draftKey());
    keepDraft('');
    keepDraft('', ' orders');
    press.adding = false;
    press.failed = '';
    press.sure = false;
    if (unsigned && !isOpen(key) && !key.includes(UNSIGNED)) press.key = [UNSIGNED, ...to];
    await loadPress();
    say('Sent.');
  } catch (error) {
    press.failed = error instanceof Refused ? error.message : String(error);
  } finally {
    press.sending = false;
    changed();
    bottom();
  }
}

// ---------------------------------------------------------------- drawing

const hours = (instant) => {
  const at = new Date(instant);
  const day = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(at).setHours(0, 0, 0, 0)) / 86400000);
  const time = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  if (day === 0) return `today ${time}`;
  if (day === 1) return `yesterday ${time}`;
  return at.toLocaleString('en-GB', { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
};

const sender = (letter) => (letter.unsigned && !letter.seat ? 'somebody' : titleOf(letter.seat));

function line(thread) {
  const title = threadTitle(thread.thread);
  const from = isOpen(thread.thread) && thread.seat && !thread.mine ? `${titleOf(thread.seat)}: ` : thread.mine ? 'You: ' : '';
  return h('li', {}, h('button', { type: 'button', class: 'thread', 'data-key': `thread ${named(thread.thread)}`, 'data-thread': named(thread.thread), onclick: () => open(thread.thread) },
    marks(thread.thread),
    h('b', {}, title),
    h('time', { datetime: thread.newest }, hours(thread.newest)),
    h('span', { class: 'begins' }, from, thread.begins),
    thread.unread ? h('span', { class: 'unread' }, String(thread.unread), h('span', { class: 'sr' }, ' unread')) : null));
}

function choose() {
  const { list, choosing } = press;
  const seats = list.to.filter((one) => one.seat !== EVERYONE);
  const everyone = list.to.find((one) => one.seat === EVERYONE);
  const seat = list.seats[0];
  const go = (picked) => open(picked.includes(EVERYONE) ? [EVERYONE] : [...(list.unsigned === 'only' && !picked.includes(OFFICE) ? [UNSIGNED] : [seat]), ...picked].sort(inOrder));
  const open1 = seats.filter((one) => !one.why_not);
  return h('section', { class: 'choose', 'aria-labelledby': 'choose-head' },
    h('h3', { id: 'choose-head' }, list.groups && choosing ? 'To whom?' : 'Write to'),
    h('div', { class: 'chips' },
      open1.map((one) => h('button', {
        type: 'button', class: 'chip', 'data-key': `to ${one.seat}`, 'aria-pressed': choosing ? String(choosing.includes(one.seat)) : undefined,
        onclick: () => {
          if (!choosing) return go([one.seat]);
          press.choosing = choosing.includes(one.seat) ? choosing.filter((other) => other !== one.seat) : [...choosing, one.seat];
          return changed();
        },
      }, one.seat === OFFICE ? icon('seal') : swatch(slugOf(one.seat)), h('span', {}, titleOf(one.seat)), one.names.length ? h('span', { class: 'note' }, one.names.join(', ')) : null)),
      everyone && !everyone.why_not && !choosing ? h('button', { type: 'button', class: 'chip', 'data-key': 'to everyone', onclick: () => go([EVERYONE]) }, marks([EVERYONE]), h('span', {}, 'Everyone')) : null),
    list.groups && open1.length > 1 ? h('div', { class: 'choose-more' }, choosing
      ? [h('button', { type: 'button', class: 'btn tight', 'data-key': 'group go', disabled: choosing.length < 1, onclick: () => go(choosing) }, 'Write to them'),
        h('button', { type: 'button', class: 'btn tight plain', 'data-key': 'group no', onclick: () => { press.choosing = null; changed(); } }, 'Not now')]
      : h('button', { type: 'button', class: 'btn tight', 'data-key': 'group', onclick: () => { press.choosing = []; changed(); } }, 'Several together')) : null,
    everyone?.why_not && !open1.some((one) => one.seat !== OFFICE) ? h('p', { class: 'note' }, everyone.why_not) : null);
}

const inOrder = (one, other) => {
  const order = [UNSIGNED, ...game.view.powers.map((power) => power.name), OFFICE];
  return order.indexOf(one) - order.indexOf(other);
};

function overview(pane) {
  const { list } = press;
  return refill(pane,
    h('div', { class: 'pane-head' }, h('h2', {}, 'Press')),
    list.threads.length ? h('ul', { class: 'threads', 'aria-label': 'Threads' }, list.threads.map(line))
      : h('p', { class: 'big-note' }, list.seats.length ? 'Nothing has been written yet.' : 'Letters are read by those they are written to.'),
    list.seats.length ? choose() : null,
    h('details', { class: 'agreed' }, h('summary', {}, 'What was agreed about letters'),
      list.words.map((sentence) => h('p', { class: 'note' }, sentence)),
      h('p', { class: 'note' }, 'Your letters as a file: ',
        h('a', { href: api('/letters/file'), download: '' }, 'text'), ', ', h('a', { href: api('/letters/file?form=jsonl'), download: '' }, 'JSON lines'), '.')));
}

function showOnMap(letter) {
  const same = game.proposal?.id === letter.id;
  game.moment = null;
  game.proposal = same ? null : { id: letter.id, title: `${letter.mine ? 'Your' : letter.seat ? `${letter.seat}’s` : 'The'} proposal`, orders: letter.proposal.map((one) => one.order), arrows: letter.arrows };
  if (phone() && game.proposal) {
    document.getElementById('panel').dataset.stop = 'peek';
    document.getElementById('game').dataset.stop = 'peek';
  }
  changed();
}

async function takeMine(letter) {
  const orders = letter.proposal.filter((one) => one.power === game.seat).map((one) => one.order);
  if (!await act.give(orders, { onward: false })) return;
  press.taken = { id: letter.id, words: `${orders.map(printed).join('; ')}: in your orders now.` };
  changed();
}

function undoTaken() {
  press.taken = null;
  act.undo();
}

const FATES = { kept: ['check', 'kept'], broken: ['cross', 'not given'] };

/** The orders that a letter proposes: to be drawn, to be taken over, and afterwards whether they were kept. */
function proposal(letter) {
  if (!letter.proposal.length) return null;
  const now = letter.proposal.some((one) => one.fate === 'open');
  const mine = now && live() && letter.proposal.some((one) => one.power === game.seat);
  return h('div', { class: 'proposal' }, h('h4', {}, now ? 'Proposed together' : 'Was proposed'),
    h('ul', {}, letter.proposal.map((one) => h('li', {}, h('span', {}, printed(one.order)),
      h('span', { class: 'note' }, one.power === game.seat ? 'you' : one.power, FATES[one.fate] ? [' ', icon(FATES[one.fate][0]), FATES[one.fate][1]] : null)))),
    now ? h('div', { class: 'proposal-tools' },
      letter.arrows ? h('button', { type: 'button', class: 'btn tight', 'data-key': `show ${letter.id}`, 'aria-pressed': String(game.proposal?.id === letter.id), onclick: () => showOnMap(letter) }, 'Show on map') : null,
      mine && press.taken?.id !== letter.id ? h('button', { type: 'button', class: 'btn tight', 'data-key': `take ${letter.id}`, onclick: () => takeMine(letter) }, 'Take mine into orders') : null) : null,
    press.taken?.id === letter.id ? h('p', { class: 'note', role: 'status' }, press.taken.words, ' ', h('button', { type: 'button', class: 'btn tight', 'data-key': `untake ${letter.id}`, onclick: undoTaken }, 'Undo')) : null);
}

function letterItem(letter) {
  return h('li', { class: `letter${letter.mine ? ' mine' : ''}`, 'data-letter': letter.id },
    h('h3', { class: 'sr' }, `${letter.mine ? 'You' : sender(letter)}, ${hours(letter.written)}`),
    h('div', { class: `sheet p-${letter.seat ? slugOf(letter.seat) : 'none'}` },
      !letter.mine && (isOpen(press.key) || press.key.length > 2 || !letter.seat) ? h('p', { class: 'from' }, letter.seat && letter.seat !== OFFICE ? swatch(slugOf(letter.seat)) : null, h('b', {}, letter.seat ? titleOf(letter.seat) : 'Unsigned'), letter.name ? h('span', { class: 'note' }, letter.name) : null) : null,
      letter.muted ? h('details', {}, h('summary', {}, 'A letter that you mute'), h('div', { class: 'words' }, rich(letter.html))) : h('div', { class: 'words' }, rich(letter.html)), letter.muted ? null : proposal(letter)),
    h('p', { class: 'when', 'aria-hidden': 'true' }, letter.mine && letter.unsigned ? 'unsigned, ' : '', hours(letter.written)));
}

function letters() {
  const { thread } = press;
  if (!thread) return h('p', { class: 'note' }, 'Fetching the letters …');
  if (!thread.letters.length) return h('p', { class: 'big-note' }, 'Nothing has been written here yet.');
  const items = [];
  const joined = [...thread.joined];
  let phase = '';
  for (const letter of thread.letters) {
    while (joined.length && joined[0].phase_number <= letter.phase_number) {
      const one = joined.shift();
      if (items.length) items.push(h('li', { class: 'since' }, `From here on ${one.name} plays ${one.seat}.`));
    }
    if (letter.phase !== phase) items.push(h('li', { class: 'since' }, letter.phase));
    phase = letter.phase;
    items.push(letterItem(letter));
  }
  return h('ol', { class: 'letters', 'aria-label': 'Letters' }, items);
}

/** Why nobody writes in the open thread now; empty if one may. */
function whyNot() {
  const { key, list } = press;
  if (!list.seats.length) return 'Who looks on writes no letters.';
  if (!isOpen(key) && !mineOf(key).length && !key.includes(UNSIGNED)) return 'These are the letters of others.';
  const to = others(key).filter((seat) => seat !== UNSIGNED);
  if (!to.length) return key.includes(UNSIGNED) ? 'Whoever wrote this is not shown, so there is nobody to answer.' : 'All these seats are yours, so there is nobody to write to.';
  return to.map((seat) => list.to.find((one) => one.seat === seat)?.why_not ?? '').find(Boolean) ?? '';
}

function closes() {
  const { closes: until } = press.list;
  if (!until || game.view.over) return '';
  const left = new Date(until) - Date.now();
  return left > 0 ? ` Press closes ${hours(until).replace('today ', 'at ')}${left < 172800000 ? `, in ${span(left)}` : ''}.` : '';
}

function growing(event) {
  event.target.style.height = 'auto';
  event.target.style.height = `${Math.min(event.target.scrollHeight + 2, innerHeight / 3)}px`;
}

/** The field for orders that are proposed with the letter. */
function orderField() {
  if (game.view.over || press.key.includes(OFFICE)) return null;
  if (!press.adding && !proposing().length) {
    return h('button', { type: 'button', class: 'btn tight plain propose', 'data-key': 'propose', onmousedown: (event) => event.preventDefault(), onclick: () => {
      press.adding = true;
      const own = sheet().orders.map((order) => order.text).join('\n');
      if (own) keepDraft(own, ' orders');
      changed();
      document.getElementById('proposal')?.focus();
    } }, icon('plus'), 'Propose orders');
  }
  return h('div', { class: 'propose' }, h('label', { class: 'label', for: 'proposal' }, 'Orders proposed, of any power, one a line'),
    h('textarea', { class: 'field', id: 'proposal', rows: '3', spellcheck: 'false', autocapitalize: 'characters', 'data-key': 'proposal', value: draft(' orders'), placeholder: 'A MUN - SIL', oninput: (event) => {
      keepDraft(event.target.value, ' orders');
      document.getElementById('letter-send').disabled = !draft().trim() && !proposing().length;
    } }));
}

/** The line on which one writes, under the letters. */
export function writingBar(bar) {
  const { key, list } = press;
  if (!key || !list) return refill(bar);
  const closed = whyNot();
  if (closed) return refill(bar, h('p', { class: 'note' }, closed));
  const opened = list.words.at(-1);
  const to = threadTitle(key);
  const area = h('textarea', {
    class: 'field', id: 'letter', rows: '1', 'data-key': 'letter', maxlength: String(list.longest), value: draft(), placeholder: `Write to ${to === 'Everyone' ? 'everyone' : to}`,
    'aria-label': `Write to ${to}`, 'aria-describedby': 'letter-note',
    oninput: (event) => {
      keepDraft(event.target.value);
      growing(event);
      const button = document.getElementById('letter-send');
      button.disabled = !event.target.value.trim() && !proposing().length;
    },
    onkeydown: (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        event.stopPropagation();
        send();
      }
    },
    onfocus: () => phone() && document.body.classList.add('writing'),
    onblur: () => document.body.classList.remove('writing'),
  });
  const grey = list.unsigned === 'allowed' && !key.includes(UNSIGNED) && !key.includes(OFFICE) && mineOf(key)[0] !== OFFICE;
  return refill(bar,
    press.failed ? h('p', { class: 'fault', role: 'alert' }, `Not sent, and kept here. ${press.failed}`) : null,
    press.sure ? h('p', { class: 'sure-line', role: 'alert' }, press.thread?.readers ?? '', ' Press again to send it.') : null,
    h('div', { class: 'writing-row' }, area,
      h('button', {
        type: 'button', class: `btn${press.sure ? ' main' : ''} send`, id: 'letter-send', 'data-key': 'send', disabled: (!draft().trim() && !proposing().length) || press.sending,
        'aria-label': press.sure ? 'Send to everyone' : press.failed ? 'Send again' : 'Send', onclick: send,
        // the line keeps the focus, so that nothing moves away under the finger
        onmousedown: (event) => event.preventDefault(),
      }, press.sure ? 'To all' : press.failed ? 'Again' : icon('send'))),
    orderField(),
    grey ? h('label', { class: 'toggle' }, h('input', { type: 'checkbox', id: 'unsigned' }), h('span', {}, 'Unsigned')) : null,
    h('p', { class: 'note', id: 'letter-note' }, `${opened}${closes()} Drafts stay on this device.`));
}

function conversation(pane) {
  const { key } = press;
  return refill(pane,
    h('div', { class: 'pane-head press-head' },
      h('button', { type: 'button', class: 'round', 'data-key': 'press back', 'aria-label': 'All threads', onclick: () => open(null) }, icon('left')),
      h('h2', { id: 'press-head', tabindex: '-1' }, marks(key), threadTitle(key))),
    h('p', { class: 'who-reads note' }, press.thread?.readers ?? '', ' ',
      press.thread?.letters.some((letter) => letter.seat && !letter.mine)
        ? h('a', { href: `/games/${encodeURIComponent(game.view.id)}/talk?${new URLSearchParams(key.map((seat) => ['seat', seat]))}`, 'data-key': 'mute or report' }, 'Mute or report') : null),
    letters());
}

/** The chips of threads on a phone, above the letters. */
function chips() {
  return h('div', { class: 'chips thread-chips', role: 'group', 'aria-label': 'Threads' },
    h('button', { type: 'button', class: 'chip', 'data-key': 'chip all', onclick: () => open(null) }, icon('left'), h('span', {}, 'All')),
    press.list.threads.slice(0, 12).map((thread) => h('button', {
      type: 'button', class: 'chip', 'data-key': `chip ${named(thread.thread)}`, 'aria-pressed': String(same(thread.thread, press.key)), onclick: () => open(thread.thread),
    }, marks(thread.thread), h('span', {}, threadTitle(thread.thread)), thread.unread ? h('span', { class: 'unread' }, String(thread.unread)) : null)));
}

/** Fill `pane` with the threads, or with the one that is open. */
export function pressPanel(pane) {
  if (!press.list) return refill(pane, h('p', { class: 'note' }, 'Fetching the letters …'));
  if (!press.key) return overview(pane);
  conversation(pane);
  if (phone()) pane.prepend(chips());
  return undefined;
}

/** Come back to the thread that was open, and read it. */
export function enterPress() {
  if (press.key) loadThread().then(changed).catch(act.complain);
}
