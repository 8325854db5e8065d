/* The press panel: the threads, the open thread, and the field for a new message. Drafts stay on this device. */
import * as act from './act.js';
import { ask, path, Refused } from './api.js';
import { h, icon, phone, refill, rich, say, swatch } from './dom.js';
import { api, changed, game, live, orderSet, slugOf } from './state.js';
import { date, duration, list as listed, n, sentence, t, tc, tx } from './i18n.js';
import { printed } from './words.js';

/** The state of the panel: the list of threads, the key of the open thread, and that thread with its messages. */
const press = { list: null, key: null, thread: null, choosing: null, sure: false, failed: '', sending: false };

const EVERYONE = 'everyone';
const OFFICE = 'GM';
const UNSIGNED = 'unsigned';

const named = (key) => key.join('+');
const same = (one, other) => one && other && named(one) === named(other);
const mineOf = (key) => key.filter((seat) => press.list.seats.includes(seat));
const isOpen = (key) => key.includes(EVERYONE);
const others = (key) => (isOpen(key) ? [EVERYONE] : key.filter((seat) => !press.list.seats.includes(seat) || (seat === OFFICE && mineOf(key).length > 1)));

/** Return the number of threads with unread messages. */
export const unreadThreads = () => (press.list?.threads ?? []).filter((thread) => thread.unread).length;
/** Tell whether you can read or write messages in this game. */
export const hasPress = () => Boolean(press.list && (press.list.seats.length || press.list.threads.length));

const officeName = () => (game.view.master ? t('Game master') : tc('person', 'Host'));
const titleOf = (seat) => ({ [EVERYONE]: t('Everyone'), [OFFICE]: officeName(), [UNSIGNED]: t('Anonymous') }[seat] ?? seat);

function threadTitle(key) {
  if (isOpen(key)) return t('Everyone');
  const rest = others(key);
  const signed = rest.filter((seat) => seat !== UNSIGNED).map(titleOf);
  if (key.includes(UNSIGNED)) return signed.length ? t('Anonymous to {powers}', { powers: listed(signed) }) : t('Anonymous');
  const powers = (rest.length ? rest : key).map(titleOf).join(', ');
  if (!mineOf(key).includes(OFFICE) || !game.seat) return powers;
  return game.view.master ? t('{powers} (as game master)', { powers }) : t('{powers} (as host)', { powers });
}

const marks = (key) => {
  const seats = isOpen(key) ? game.view.powers.filter((power) => power.played).slice(0, 3).map((power) => power.name)
    : others(key).filter((seat) => seat !== UNSIGNED && seat !== OFFICE);
  return h('span', { class: 'swatches' }, seats.length ? seats.slice(0, 4).map((seat) => swatch(slugOf(seat))) : icon(key.includes(OFFICE) ? 'seal' : 'message'));
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
/** Return the orders that are proposed with the draft. */
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
    // without storage the draft lasts as long as the page
  }
}

// ---------------------------------------------------------------- requests

/** Fetch the list of threads, and the thread that is open. */
export async function loadPress() {
  const before = unreadThreads();
  press.list = await ask(api('/press'));
  if (press.key) await loadThread();
  else if (unreadThreads() > before && game.tab !== 'press') {
    const newest = press.list.threads.find((thread) => thread.unread);
    say(t('New message: {thread}', { thread: threadTitle(newest.thread) }));
  }
  changed();
}

async function loadThread() {
  const key = press.key;
  const address = `${api('/press/thread')}?${new URLSearchParams(key.map((seat) => ['seat', seat]))}`;
  const found = await ask(address);
  if (!same(key, press.key)) return;
  const fresh = press.thread && same(press.thread.thread, key) && found.messages.length > press.thread.messages.length;
  const last = found.messages.at(-1);
  press.thread = found;
  if (fresh && last && !last.mine) say(t('New message from {sender}', { sender: sender(last) }));
  const line = press.list.threads.find((thread) => same(thread.thread, key));
  if (line?.unread && last && game.tab === 'press' && !document.hidden) {
    await ask(api('/press/read'), { method: 'POST', body: { thread: key, id: last.id } });
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
    await ask(api('/press'), { method: 'POST', body: { seat, to, text, unsigned, proposal: orders, once: once.get(draftKey()) } });
    once.delete(draftKey());
    keepDraft('');
    keepDraft('', ' orders');
    press.adding = false;
    press.failed = '';
    press.sure = false;
    if (unsigned && !isOpen(key) && !key.includes(UNSIGNED)) press.key = [UNSIGNED, ...to];
    await loadPress();
    say(t('Sent.'));
  } catch (error) {
    press.failed = error instanceof Refused ? error.message : String(error);
  } finally {
    press.sending = false;
    changed();
    bottom();
  }
}

// ---------------------------------------------------------------- elements

const hours = (instant) => {
  const at = new Date(instant);
  const day = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(at).setHours(0, 0, 0, 0)) / 86400000);
  const time = date(at, 'time');
  if (day === 0) return t('today {time}', { time });
  if (day === 1) return t('yesterday {time}', { time });
  return date(at);
};

const sender = (message) => (message.unsigned && !message.seat ? t('Anonymous') : titleOf(message.seat));

function line(thread) {
  const title = threadTitle(thread.thread);
  const from = thread.mine ? t('You') : isOpen(thread.thread) && thread.seat ? titleOf(thread.seat) : '';
  return h('li', {}, h('button', { type: 'button', class: 'thread', 'data-key': `thread ${named(thread.thread)}`, 'data-thread': named(thread.thread), onclick: () => open(thread.thread) },
    marks(thread.thread),
    h('b', {}, title),
    h('time', { datetime: thread.newest }, hours(thread.newest)),
    h('span', { class: 'begins' }, from ? tx('{sender}: {message}', { sender: from, message: thread.begins }) : thread.begins),
    thread.unread ? h('span', { class: 'unread' }, h('span', { 'aria-hidden': 'true' }, String(thread.unread)), h('span', { class: 'sr' }, n('{count} unread message', '{count} unread messages', thread.unread))) : null));
}

function choose() {
  const { list, choosing } = press;
  const seats = list.to.filter((one) => one.seat !== EVERYONE);
  const everyone = list.to.find((one) => one.seat === EVERYONE);
  const seat = list.seats[0];
  const go = (picked) => open(picked.includes(EVERYONE) ? [EVERYONE] : [...(list.unsigned === 'only' && !picked.includes(OFFICE) ? [UNSIGNED] : [seat]), ...picked].sort(inOrder));
  const open1 = seats.filter((one) => !one.why_not);
  return h('section', { class: 'choose', 'aria-labelledby': 'choose-head' },
    h('h3', { id: 'choose-head' }, list.groups && choosing ? t('Choose recipients') : t('New message')),
    h('div', { class: 'chips' },
      open1.map((one) => h('button', {
        type: 'button', class: 'chip', 'data-key': `to ${one.seat}`, 'aria-pressed': choosing ? String(choosing.includes(one.seat)) : undefined,
        onclick: () => {
          if (!choosing) return go([one.seat]);
          press.choosing = choosing.includes(one.seat) ? choosing.filter((other) => other !== one.seat) : [...choosing, one.seat];
          return changed();
        },
      }, one.seat === OFFICE ? icon('seal') : swatch(slugOf(one.seat)), h('span', {}, titleOf(one.seat)), one.names.length ? h('span', { class: 'note' }, one.names.join(', ')) : null)),
      everyone && !everyone.why_not && !choosing ? h('button', { type: 'button', class: 'chip', 'data-key': 'to everyone', onclick: () => go([EVERYONE]) }, marks([EVERYONE]), h('span', {}, t('Everyone'))) : null),
    list.groups && open1.length > 1 ? h('div', { class: 'choose-more' }, choosing
      ? [h('button', { type: 'button', class: 'btn tight', 'data-key': 'group go', disabled: choosing.length < 1, onclick: () => go(choosing) }, t('Write')),
        h('button', { type: 'button', class: 'btn tight plain', 'data-key': 'group no', onclick: () => { press.choosing = null; changed(); } }, t('Cancel'))]
      : h('button', { type: 'button', class: 'btn tight', 'data-key': 'group', onclick: () => { press.choosing = []; changed(); } }, t('Group'))) : null,
    everyone?.why_not && !open1.some((one) => one.seat !== OFFICE) ? h('p', { class: 'note' }, everyone.why_not) : null);
}

const inOrder = (one, other) => {
  const order = [UNSIGNED, ...game.view.powers.map((power) => power.name), OFFICE];
  return order.indexOf(one) - order.indexOf(other);
};

function overview(pane) {
  const { list } = press;
  return refill(pane,
    h('div', { class: 'pane-head' }, h('h2', {}, t('Press'))),
    list.threads.length ? h('ul', { class: 'threads', 'aria-label': t('Threads') }, list.threads.map(line))
      : h('p', { class: 'big-note' }, list.seats.length ? t('No messages yet.') : t('Messages are visible only to their recipients.')),
    list.seats.length ? choose() : null,
    h('details', { class: 'agreed' }, h('summary', {}, t('Press rules')),
      list.sentences.map((one) => h('p', { class: 'note' }, sentence(one))),
      h('p', { class: 'note' }, tx('Download your messages: {text}, {lines}', {
        text: h('a', { href: api('/press/file'), download: '' }, t('text')), lines: h('a', { href: api('/press/file?form=jsonl'), download: '' }, t('JSON lines')),
      }))));
}

function showOnMap(message) {
  const same = game.proposal?.id === message.id;
  game.moment = null;
  game.proposal = same ? null : { id: message.id, title: message.mine ? t('Your proposal') : message.seat ? t('Proposal by {power}', { power: message.seat }) : t('Anonymous proposal'), orders: message.proposal.map((one) => one.order), arrows: message.arrows };
  if (phone() && game.proposal) {
    document.getElementById('panel').dataset.stop = 'peek';
    document.getElementById('game').dataset.stop = 'peek';
  }
  changed();
}

async function takeMine(message) {
  const orders = message.proposal.filter((one) => one.power === game.seat).map((one) => one.order);
  if (!await act.give(orders, { onward: false })) return;
  press.taken = { id: message.id, words: t('Added to your orders: {orders}', { orders: orders.map(printed).join('; ') }) };
  changed();
}

function undoTaken() {
  press.taken = null;
  act.undo();
}

const FATES = { kept: ['check', t('kept')], broken: ['cross', t('broken')] };

/** Return the orders that a message proposes, to show on the map or use, and later marked as kept or broken. */
function proposal(message) {
  if (!message.proposal.length) return null;
  const now = message.proposal.some((one) => one.fate === 'open');
  const mine = now && live() && message.proposal.some((one) => one.power === game.seat);
  return h('div', { class: 'proposal' }, h('h4', {}, t('Proposed orders')),
    h('ul', {}, message.proposal.map((one) => h('li', {}, h('span', {}, printed(one.order)),
      h('span', { class: 'note' }, one.power === game.seat ? t('you') : one.power, FATES[one.fate] ? [' ', icon(FATES[one.fate][0]), FATES[one.fate][1]] : null)))),
    now ? h('div', { class: 'proposal-tools' },
      message.arrows ? h('button', { type: 'button', class: 'btn tight', 'data-key': `show ${message.id}`, 'aria-pressed': String(game.proposal?.id === message.id), onclick: () => showOnMap(message) }, t('Show on map')) : null,
      mine && press.taken?.id !== message.id ? h('button', { type: 'button', class: 'btn tight', 'data-key': `take ${message.id}`, onclick: () => takeMine(message) }, t('Use my orders')) : null) : null,
    press.taken?.id === message.id ? h('p', { class: 'note', role: 'status' }, press.taken.words, ' ', h('button', { type: 'button', class: 'btn tight', 'data-key': `untake ${message.id}`, onclick: undoTaken }, t('Undo'))) : null);
}

function messageItem(message) {
  return h('li', { class: `message${message.mine ? ' mine' : ''}`, 'data-message': message.id },
    h('h3', { class: 'sr' }, tx('{sender}, {time}', { sender: message.mine ? t('You') : sender(message), time: hours(message.written) })),
    h('div', { class: `bubble p-${message.seat ? slugOf(message.seat) : 'none'}` },
      !message.mine && (isOpen(press.key) || press.key.length > 2 || !message.seat) ? h('p', { class: 'from' }, message.seat && message.seat !== OFFICE ? swatch(slugOf(message.seat)) : null, h('b', {}, message.seat ? titleOf(message.seat) : t('Anonymous')), message.name ? h('span', { class: 'note' }, message.name) : null) : null,
      message.muted ? h('details', {}, h('summary', {}, t('Message from a muted player')), h('div', { class: 'words' }, rich(message.html))) : h('div', { class: 'words' }, rich(message.html)), message.muted ? null : proposal(message)),
    h('p', { class: 'when', 'aria-hidden': 'true' }, message.mine && message.unsigned ? t('anonymous, {time}', { time: hours(message.written) }) : hours(message.written)));
}

function messages() {
  const { thread } = press;
  if (!thread) return h('p', { class: 'note' }, t('Loading messages …'));
  if (!thread.messages.length) return h('p', { class: 'big-note' }, t('No messages yet.'));
  const items = [];
  const joined = [...thread.joined];
  let phase = '';
  for (const message of thread.messages) {
    while (joined.length && joined[0].phase_number <= message.phase_number) {
      const one = joined.shift();
      if (items.length) items.push(h('li', { class: 'since' }, t('{player} now plays {power}.', { player: one.name, power: one.seat })));
    }
    if (message.phase !== phase) items.push(h('li', { class: 'since' }, message.phase));
    phase = message.phase;
    items.push(messageItem(message));
  }
  return h('ol', { class: 'messages', 'aria-label': t('Messages') }, items);
}

/** Return the reason why you cannot write in the open thread; empty if you can. */
function whyNot() {
  const { key, list } = press;
  if (!list.seats.length) return t('Spectators cannot send messages.');
  if (!isOpen(key) && !mineOf(key).length && !key.includes(UNSIGNED)) return t('You are not in this conversation.');
  const to = others(key).filter((seat) => seat !== UNSIGNED);
  if (!to.length) return key.includes(UNSIGNED) ? t('You cannot reply to an anonymous message.') : t('You play all of these powers.');
  return to.map((seat) => list.to.find((one) => one.seat === seat)?.why_not ?? '').find(Boolean) ?? '';
}

function closes() {
  const { closes: until } = press.list;
  if (!until || game.view.over) return '';
  const left = new Date(until) - Date.now();
  if (left <= 0) return '';
  if (left < 172800000) return t('Press closes in {duration} ({time}).', { duration: duration(left), time: hours(until) });
  return t('Press closes {time}.', { time: hours(until) });
}

function growing(event) {
  event.target.style.height = 'auto';
  event.target.style.height = `${Math.min(event.target.scrollHeight + 2, innerHeight / 3)}px`;
}

/** Return the field for the orders that a message proposes. */
function orderField() {
  if (game.view.over || press.key.includes(OFFICE)) return null;
  if (!press.adding && !proposing().length) {
    return h('button', { type: 'button', class: 'btn tight plain propose', 'data-key': 'propose', onmousedown: (event) => event.preventDefault(), onclick: () => {
      press.adding = true;
      const own = orderSet().orders.map((order) => order.text).join('\n');
      if (own) keepDraft(own, ' orders');
      changed();
      document.getElementById('proposal')?.focus();
    } }, icon('plus'), t('Propose orders'));
  }
  return h('div', { class: 'propose' }, h('label', { class: 'label', for: 'proposal' }, t('Proposed orders for any power, one per line')),
    h('textarea', { class: 'field', id: 'proposal', rows: '3', spellcheck: 'false', autocapitalize: 'characters', 'data-key': 'proposal', value: draft(' orders'), placeholder: 'A MUN - SIL', oninput: (event) => {
      keepDraft(event.target.value, ' orders');
      document.getElementById('message-send').disabled = !draft().trim() && !proposing().length;
    } }));
}

/** Fill the bar under the panel with the field for a new message. */
export function writingBar(bar) {
  const { key, list } = press;
  if (!key || !list) return refill(bar);
  const closed = whyNot();
  if (closed) return refill(bar, h('p', { class: 'note' }, closed));
  const opened = list.sentences.at(-1);
  const to = threadTitle(key);
  const area = h('textarea', {
    class: 'field', id: 'message', rows: '1', 'data-key': 'message', maxlength: String(list.longest), value: draft(), placeholder: isOpen(key) ? t('Message to everyone') : t('Message to {recipient}', { recipient: to }),
    'aria-label': isOpen(key) ? t('Message to everyone') : t('Message to {recipient}', { recipient: to }), 'aria-describedby': 'message-note',
    oninput: (event) => {
      keepDraft(event.target.value);
      growing(event);
      const button = document.getElementById('message-send');
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
    press.failed ? h('p', { class: 'fault', role: 'alert' }, t('Not sent. {reason}', { reason: press.failed })) : null,
    press.sure ? h('p', { class: 'sure-line', role: 'alert' }, tx('{readers} Click again to send.', { readers: press.thread?.readers ?? '' })) : null,
    h('div', { class: 'writing-row' }, area,
      h('button', {
        type: 'button', class: `btn${press.sure ? ' main' : ''} send`, id: 'message-send', 'data-key': 'send', disabled: (!draft().trim() && !proposing().length) || press.sending,
        'aria-label': press.sure ? t('Send to everyone') : press.failed ? t('Send again') : t('Send'), onclick: send,
        // keep the focus in the text field, so that the button does not move away under the finger
        onmousedown: (event) => event.preventDefault(),
      }, press.sure ? t('To all') : press.failed ? t('Retry') : icon('send'))),
    orderField(),
    grey ? h('label', { class: 'toggle' }, h('input', { type: 'checkbox', id: 'unsigned' }), h('span', {}, t('Anonymous'))) : null,
    h('p', { class: 'note', id: 'message-note' }, [opened && sentence(opened), closes(), t('Drafts stay on this device.')].filter(Boolean).join(' ')));
}

function conversation(pane) {
  const { key } = press;
  return refill(pane,
    h('div', { class: 'pane-head press-head' },
      h('button', { type: 'button', class: 'round', 'data-key': 'press back', 'aria-label': t('All threads'), onclick: () => open(null) }, icon('left')),
      h('h2', { id: 'press-head', tabindex: '-1' }, marks(key), threadTitle(key))),
    h('p', { class: 'who-reads note' }, press.thread?.readers ?? '', ' ',
      press.thread?.messages.some((message) => message.seat && !message.mine)
        ? h('a', { href: `/games/${encodeURIComponent(game.view.id)}/talk?${new URLSearchParams(key.map((seat) => ['seat', seat]))}`, 'data-key': 'mute or report' }, t('Mute or report')) : null),
    messages());
}

/** Return the chips of the threads, above the messages on a phone. */
function chips() {
  return h('div', { class: 'chips thread-chips', role: 'group', 'aria-label': t('Threads') },
    h('button', { type: 'button', class: 'chip', 'data-key': 'chip all', onclick: () => open(null) }, icon('left'), h('span', {}, t('All'))),
    press.list.threads.slice(0, 12).map((thread) => h('button', {
      type: 'button', class: 'chip', 'data-key': `chip ${named(thread.thread)}`, 'aria-pressed': String(same(thread.thread, press.key)), onclick: () => open(thread.thread),
    }, marks(thread.thread), h('span', {}, threadTitle(thread.thread)), thread.unread ? h('span', { class: 'unread' }, String(thread.unread)) : null)));
}

/** Fill `pane` with the threads, or with the one that is open. */
export function pressPanel(pane) {
  if (!press.list) return refill(pane, h('p', { class: 'note' }, t('Loading messages …')));
  if (!press.key) return overview(pane);
  conversation(pane);
  if (phone()) pane.prepend(chips());
  return undefined;
}

/** Return to the open thread and mark it as read. */
export function enterPress() {
  if (press.key) loadThread().then(changed).catch(act.complain);
}
