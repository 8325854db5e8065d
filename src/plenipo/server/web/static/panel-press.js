/* The press panel: the threads, the open thread, and the field for a new message. Drafts stay on this device. */
import * as act from './act.js';
import { requestJson, serverTime, withQuery, Refused } from './api.js';
import { h, icon, isPhone, refill, parseHtml, announce, swatch } from './dom.js';
import { apiPath, emitChange, game, showsPresent, orderSet, slugOf } from './state.js';
import { formatDate, formatDuration, joinNames, n, translateSentence, t, tc, tx } from './i18n.js';
import { dealsPanel, loadDeals, waitingOffers } from './panel-deals.js';
import { formatOrder } from './words.js';

/** The state of the panel: the list of threads, the key of the open thread, and that thread with its messages. */
const press = { list: null, key: null, thread: null, deals: false, choosing: null, sure: false, failed: '', sending: false };

const EVERYONE = 'everyone';
const HOST_SEAT = 'GM';
const UNSIGNED = 'unsigned';

const threadName = (key) => key.join('+');
const isSameThread = (one, other) => one && other && threadName(one) === threadName(other);
const ownSeats = (key) => key.filter((seat) => press.list.seats.includes(seat));
const isPublic = (key) => key.includes(EVERYONE);
const otherSeats = (key) => (isPublic(key) ? [EVERYONE] : key.filter((seat) => !press.list.seats.includes(seat) || (seat === HOST_SEAT && ownSeats(key).length > 1)));

/** Return the number of threads with unread messages, and of offers that wait for an answer. */
export const unreadThreads = () => (press.list?.threads ?? []).filter((thread) => thread.unread).length + waitingOffers();
/** Tell whether you can read or write messages in this game. */
export const hasPress = () => Boolean(press.list && (press.list.seats.length || press.list.threads.length));

const officeName = () => (game.view.master ? t('Game master') : tc('person', 'Host'));
const titleOf = (seat) => ({ [EVERYONE]: t('Everyone'), [HOST_SEAT]: officeName(), [UNSIGNED]: t('Anonymous') }[seat] ?? seat);

function threadTitle(key) {
  if (isPublic(key)) return t('Everyone');
  const rest = otherSeats(key);
  const signed = rest.filter((seat) => seat !== UNSIGNED).map(titleOf);
  if (key.includes(UNSIGNED)) return signed.length ? t('Anonymous to {powers}', { powers: joinNames(signed) }) : t('Anonymous');
  const powers = (rest.length ? rest : key).map(titleOf).join(', ');
  if (!ownSeats(key).includes(HOST_SEAT) || !game.seat) return powers;
  return game.view.master ? t('{powers} (as game master)', { powers }) : t('{powers} (as host)', { powers });
}

const threadSwatches = (key) => {
  const seats = isPublic(key) ? game.view.powers.filter((power) => power.played).slice(0, 3).map((power) => power.name)
    : otherSeats(key).filter((seat) => seat !== UNSIGNED && seat !== HOST_SEAT);
  return h('span', { class: 'swatches' }, seats.length ? seats.slice(0, 4).map((seat) => swatch(slugOf(seat))) : icon(key.includes(HOST_SEAT) ? 'seal' : 'message'));
};

// ---------------------------------------------------------------- drafts

const DRAFTS = 'plenipo.drafts';
const draftKey = () => `${game.view.id} ${threadName(press.key)}`;

function loadDrafts() {
  try {
    return JSON.parse(localStorage.getItem(DRAFTS)) ?? {};
  } catch {
    return {};
  }
}

const currentDrafts = new Map();
const readDraft = (part = '') => currentDrafts.get(draftKey() + part) ?? loadDrafts()[draftKey() + part] ?? '';
/** Return the orders that are proposed with the draft. */
const draftOrders = () => readDraft(' orders').split('\n').map((line) => line.trim()).filter(Boolean);

function keepDraft(text, part = '') {
  const all = loadDrafts();
  const key = draftKey() + part;
  currentDrafts.set(key, text);
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
  const follows = press.key && game.tab === 'press' && isAtEnd();
  press.list = await requestJson(apiPath('/press'));
  loadDeals().catch(act.showError);
  if (press.key) await loadThread();
  else if (unreadThreads() > before && game.tab !== 'press') {
    const newest = press.list.threads.find((thread) => thread.unread);
    announce(t('New message: {thread}', { thread: threadTitle(newest.thread) }));
  }
  emitChange();
  if (follows) scrollToEnd();
}

async function loadThread() {
  const key = press.key;
  const address = `${apiPath('/press/thread')}?${new URLSearchParams(key.map((seat) => ['seat', seat]))}`;
  const found = await requestJson(address);
  if (!isSameThread(key, press.key)) return;
  const fresh = press.thread && isSameThread(press.thread.thread, key) && found.messages.length > press.thread.messages.length;
  const last = found.messages.at(-1);
  press.thread = found;
  if (fresh && last && !last.mine) announce(t('New message from {sender}', { sender: senderName(last) }));
  const line = press.list.threads.find((thread) => isSameThread(thread.thread, key));
  if (line?.unread && last && game.tab === 'press' && !document.hidden) {
    await requestJson(apiPath('/press/read'), { method: 'POST', body: { thread: key, id: last.id } });
    line.unread = 0;
  }
}

async function openThread(key) {
  press.key = key;
  press.thread = null;
  press.sure = false;
  press.failed = '';
  press.choosing = null;
  emitChange();
  if (!key) return;
  await Promise.all([loadThread(), loadNotes()]).catch(act.showError);
  emitChange();
  scrollToEnd();
  document.getElementById('press-head')?.focus({ preventScroll: true });
}

/** Tell whether a thread has a draft on this device. */
export function hasDraft(key) {
  const place = `${game.view.id} ${threadName(key)}`;
  return [place, `${place} orders`].some((one) => currentDrafts.get(one) ?? loadDrafts()[one]);
}

/** Open a thread, with the draft that it has. */
export function showThread(key) {
  game.moment = null;
  game.tab = 'press';
  press.deals = false;
  return openThread(key).then(() => document.getElementById('message')?.focus());
}

/** Tell whether one may write to all players now. */
export const canDiscuss = () => Boolean(press.list?.seats.length && press.list.to.some((one) => one.seat === EVERYONE && !one.why_not));

/** Open the public thread with a text added to the draft. */
export function discuss(text) {
  game.tab = 'press';
  press.key = [EVERYONE];
  const draft = readDraft().trim();
  keepDraft(`${draft ? `${draft}\n` : ''}${text}\n`);
  openThread([EVERYONE]).then(() => document.getElementById('message')?.focus()).catch(act.showError);
}

/** Tell whether the newest message is in view. */
function isAtEnd() {
  const pane = document.getElementById('pane');
  return pane.scrollHeight - pane.scrollTop - pane.clientHeight < 40;
}

function scrollToEnd() {
  if (game.tab !== 'press') return;
  const pane = document.getElementById('pane');
  pane.scrollTop = pane.scrollHeight;
}

const sendKeys = new Map();

async function send() {
  const text = readDraft().trim();
  const orders = draftOrders();
  if ((!text && !orders.length) || press.sending) return;
  const { key } = press;
  if (isPublic(key) && !press.sure) {
    press.sure = true;
    emitChange();
    return;
  }
  const seat = ownSeats(key)[0] ?? press.list.seats[0];
  const to = otherSeats(key).filter((one) => one !== UNSIGNED);
  const unsigned = !to.includes(HOST_SEAT) && seat !== HOST_SEAT && (press.list.unsigned === 'only' || key.includes(UNSIGNED) || (press.list.unsigned === 'allowed' && document.getElementById('unsigned')?.checked === true));
  if (!sendKeys.has(draftKey())) sendKeys.set(draftKey(), crypto.randomUUID?.() ?? String(Math.random()));
  press.sending = true;
  emitChange();
  try {
    await requestJson(apiPath('/press'), { method: 'POST', body: { seat, to, text, unsigned, proposal: orders, once: sendKeys.get(draftKey()) } });
    sendKeys.delete(draftKey());
    keepDraft('');
    keepDraft('', ' orders');
    press.adding = false;
    press.failed = '';
    press.sure = false;
    if (unsigned && !isPublic(key) && !key.includes(UNSIGNED)) press.key = [UNSIGNED, ...to];
    await loadPress();
    announce(t('Sent.'));
  } catch (error) {
    press.failed = error instanceof Refused ? error.message : String(error);
    if (error.code === 'offline') game.keepUnsentMessage?.({ thread: key, title: threadTitle(key) });
  } finally {
    press.sending = false;
    emitChange();
    scrollToEnd();
  }
}

// ---------------------------------------------------------------- elements

const describeTime = (instant) => {
  const at = new Date(instant);
  const day = Math.round((new Date(serverTime()).setHours(0, 0, 0, 0) - new Date(at).setHours(0, 0, 0, 0)) / 86400000);
  const time = formatDate(at, 'time');
  if (day === 0) return t('today {time}', { time });
  if (day === 1) return t('yesterday {time}', { time });
  return formatDate(at);
};

const senderName = (message) => (message.seat ? titleOf(message.seat) : message.unsigned ? t('Anonymous') : message.name);

function threadItem(thread) {
  const title = threadTitle(thread.thread);
  const from = thread.mine ? t('You') : isPublic(thread.thread) && thread.seat ? titleOf(thread.seat) : '';
  return h('li', {}, h('button', { type: 'button', class: 'thread', 'data-key': `thread ${threadName(thread.thread)}`, 'data-thread': threadName(thread.thread), onclick: () => openThread(thread.thread) },
    threadSwatches(thread.thread),
    h('b', {}, title),
    h('time', { datetime: thread.newest }, describeTime(thread.newest)),
    h('span', { class: 'begins' }, from ? tx('{sender}: {message}', { sender: from, message: thread.begins }) : thread.begins),
    thread.unread ? h('span', { class: 'unread' }, h('span', { 'aria-hidden': 'true' }, String(thread.unread)), h('span', { class: 'sr' }, n('{count} unread message', '{count} unread messages', thread.unread))) : null));
}

function recipientChooser() {
  const { list, choosing } = press;
  const seats = list.to.filter((one) => one.seat !== EVERYONE);
  const everyone = list.to.find((one) => one.seat === EVERYONE);
  const seat = list.seats[0];
  const go = (picked) => openThread(picked.includes(EVERYONE) ? [EVERYONE] : [...(list.unsigned === 'only' && !picked.includes(HOST_SEAT) ? [UNSIGNED] : [seat]), ...picked].sort(compareSeats));
  const open1 = seats.filter((one) => !one.why_not);
  return h('section', { class: 'choose', 'aria-labelledby': 'choose-head' },
    h('h3', { id: 'choose-head' }, list.groups && choosing ? t('Choose recipients') : t('New message')),
    h('div', { class: 'chips' },
      open1.map((one) => h('button', {
        type: 'button', class: 'chip', 'data-key': `to ${one.seat}`, 'aria-pressed': choosing ? String(choosing.includes(one.seat)) : undefined,
        onclick: () => {
          if (!choosing) return go([one.seat]);
          press.choosing = choosing.includes(one.seat) ? choosing.filter((other) => other !== one.seat) : [...choosing, one.seat];
          return emitChange();
        },
      }, one.seat === HOST_SEAT ? icon('seal') : swatch(slugOf(one.seat)), h('span', {}, titleOf(one.seat)), one.names.length ? h('span', { class: 'note' }, one.names.join(', ')) : null)),
      everyone && !everyone.why_not && !choosing ? h('button', { type: 'button', class: 'chip', 'data-key': 'to everyone', onclick: () => go([EVERYONE]) }, threadSwatches([EVERYONE]), h('span', {}, t('Everyone'))) : null),
    list.groups && open1.length > 1 ? h('div', { class: 'choose-more' }, choosing
      ? [h('button', { type: 'button', class: 'btn tight', 'data-key': 'group go', disabled: choosing.length < 1, onclick: () => go(choosing) }, t('Write')),
        h('button', { type: 'button', class: 'btn tight plain', 'data-key': 'group no', onclick: () => { press.choosing = null; emitChange(); } }, t('Cancel'))]
      : h('button', { type: 'button', class: 'btn tight', 'data-key': 'group', onclick: () => { press.choosing = []; emitChange(); } }, t('Group'))) : null,
    everyone?.why_not && !open1.some((one) => one.seat !== HOST_SEAT) ? h('p', { class: 'note' }, translateSentence(everyone.refusal)) : null);
}

const compareSeats = (one, other) => {
  const order = [UNSIGNED, ...game.view.powers.map((power) => power.name), HOST_SEAT];
  return order.indexOf(one) - order.indexOf(other);
};

function overview(pane) {
  const { list } = press;
  return refill(pane,
    h('div', { class: 'pane-head' }, h('h2', {}, t('Press'))),
    list.threads.length ? h('ul', { class: 'threads', 'aria-label': t('Threads') }, list.threads.map(threadItem))
      : h('p', { class: 'big-note' }, list.seats.length ? t('No messages yet.') : t('Messages are visible only to their recipients.')),
    list.seats.length ? recipientChooser() : null,
    dealsButton(),
    h('details', { class: 'agreed' }, h('summary', {}, t('Press rules')),
      list.sentences.map((one) => h('p', { class: 'note' }, translateSentence(one))),
      h('p', { class: 'note' }, tx('Download your messages: {text}, {lines}', {
        text: h('a', { href: apiPath('/press/file'), download: '' }, t('text')), lines: h('a', { href: apiPath('/press/file?form=jsonl'), download: '' }, t('JSON lines')),
      }))));
}

function openDeals(open) {
  press.deals = open;
  emitChange();
}

/** Return the button that opens the deals of a player. */
function dealsButton() {
  if (!game.seat || !press.list.seats.includes(game.seat)) return null;
  const waiting = waitingOffers();
  return h('button', { type: 'button', class: 'btn', 'data-key': 'deals', onclick: () => openDeals(true) }, icon('check'), t('Deals'),
    waiting ? h('span', { class: 'unread' }, h('span', { 'aria-hidden': 'true' }, String(waiting)), h('span', { class: 'sr' }, n('{count} offer waits for your answer', '{count} offers wait for your answer', waiting))) : null);
}

function showOnMap(message) {
  const same = game.proposal?.id === message.id;
  game.moment = null;
  game.proposal = same ? null : { id: message.id, title: message.mine ? t('Your proposal') : message.seat ? t('Proposal by {power}', { power: message.seat }) : t('Anonymous proposal'), orders: message.proposal.map((one) => one.order), arrows: message.arrows };
  if (isPhone() && game.proposal) {
    document.getElementById('panel').dataset.stop = 'peek';
    document.getElementById('game').dataset.stop = 'peek';
  }
  emitChange();
}

async function useOwnOrders(message) {
  const orders = message.proposal.filter((one) => one.power === game.seat).map((one) => one.order);
  if (!await act.giveOrders(orders, { onward: false })) return;
  press.taken = { id: message.id, words: t('Added to your orders: {orders}', { orders: orders.map(formatOrder).join('; ') }) };
  emitChange();
}

function undoUse() {
  press.taken = null;
  act.undo();
}

const FATES = { kept: ['check', t('kept')], broken: ['cross', t('broken')] };

/** Return the orders that a message proposes, to show on the map or use, and later marked as kept or broken. */
function proposalSection(message) {
  if (!message.proposal.length) return null;
  const now = message.proposal.some((one) => one.fate === 'open');
  const mine = now && showsPresent() && message.proposal.some((one) => one.power === game.seat);
  return h('div', { class: 'proposal' }, h('h4', {}, t('Proposed orders')),
    h('ul', {}, message.proposal.map((one) => h('li', {}, h('span', {}, formatOrder(one.order)),
      h('span', { class: 'note' }, one.power === game.seat ? t('you') : one.power, FATES[one.fate] ? [' ', icon(FATES[one.fate][0]), FATES[one.fate][1]] : null)))),
    now ? h('div', { class: 'proposal-tools' },
      message.arrows ? h('button', { type: 'button', class: 'btn tight', 'data-key': `show ${message.id}`, 'aria-pressed': String(game.proposal?.id === message.id), onclick: () => showOnMap(message) }, t('Show on map')) : null,
      mine && press.taken?.id !== message.id ? h('button', { type: 'button', class: 'btn tight', 'data-key': `take ${message.id}`, onclick: () => useOwnOrders(message) }, t('Use my orders')) : null) : null,
    press.taken?.id === message.id ? h('p', { class: 'note', role: 'status' }, press.taken.words, ' ', h('button', { type: 'button', class: 'btn tight', 'data-key': `untake ${message.id}`, onclick: undoUse }, t('Undo'))) : null);
}

function messageItem(message) {
  return h('li', { class: `message${message.mine ? ' mine' : ''}`, 'data-message': message.id },
    h('h3', { class: 'sr' }, tx('{sender}, {time}', { sender: message.mine ? t('You') : senderName(message), time: describeTime(message.written) })),
    h('div', { class: `bubble p-${message.seat ? slugOf(message.seat) : 'none'}` },
      !message.mine && (isPublic(press.key) || press.key.length > 2 || !message.seat) ? h('p', { class: 'from' }, message.seat && message.seat !== HOST_SEAT ? swatch(slugOf(message.seat)) : null, h('b', {}, senderName(message)), message.seat && message.name ? h('span', { class: 'note' }, message.name) : null) : null,
      message.muted ? h('details', {}, h('summary', {}, t('Message from a muted player')), h('div', { class: 'words' }, parseHtml(message.html))) : h('div', { class: 'words' }, parseHtml(message.html)), message.muted ? null : proposalSection(message)),
    h('p', { class: 'when', 'aria-hidden': 'true' }, message.mine && message.unsigned ? t('anonymous, {time}', { time: describeTime(message.written) }) : describeTime(message.written)));
}

function messageList() {
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
function whyCannotWrite() {
  const { key, list } = press;
  if (!list.seats.length) return t('Spectators cannot send messages.');
  if (!isPublic(key) && !ownSeats(key).length && !key.includes(UNSIGNED)) return t('You are not in this conversation.');
  const to = otherSeats(key).filter((seat) => seat !== UNSIGNED);
  if (!to.length) return key.includes(UNSIGNED) ? t('You cannot reply to an anonymous message.') : t('You play all of these powers.');
  const refusal = to.map((seat) => list.to.find((one) => one.seat === seat)?.refusal).find(Boolean);
  return refusal ? translateSentence(refusal) : '';
}

function closingText() {
  const { closes: until } = press.list;
  if (!until || game.view.over) return '';
  const left = new Date(until) - serverTime();
  if (left <= 0) return '';
  if (left < 172800000) return t('Press closes in {duration} ({time}).', { duration: formatDuration(left), time: describeTime(until) });
  return t('Press closes {time}.', { time: describeTime(until) });
}

function growField(event) {
  event.target.style.height = 'auto';
  event.target.style.height = `${Math.min(event.target.scrollHeight + 2, innerHeight / 3)}px`;
}

/** Return the field for the orders that a message proposes. */
function orderField() {
  if (game.view.over || press.key.includes(HOST_SEAT)) return null;
  if (!press.adding && !draftOrders().length) {
    return h('button', { type: 'button', class: 'btn tight plain propose', 'data-key': 'propose', onmousedown: (event) => event.preventDefault(), onclick: () => {
      press.adding = true;
      const own = orderSet().orders.map((order) => order.text).join('\n');
      if (own) keepDraft(own, ' orders');
      emitChange();
      document.getElementById('proposal')?.focus();
    } }, icon('plus'), t('Propose orders'));
  }
  return h('div', { class: 'propose' }, h('label', { class: 'label', for: 'proposal' }, t('Proposed orders for any power, one per line')),
    h('textarea', { class: 'field', id: 'proposal', rows: '3', spellcheck: 'false', autocapitalize: 'characters', 'data-key': 'proposal', value: readDraft(' orders'), placeholder: 'A MUN - SIL', oninput: (event) => {
      keepDraft(event.target.value, ' orders');
      document.getElementById('message-send').disabled = !readDraft().trim() && !draftOrders().length;
    } }));
}

/** Fill the bar under the panel with the field for a new message. */
export function fillWritingBar(bar) {
  const { key, list } = press;
  if (!key || !list || press.deals) return refill(bar);
  const closed = whyCannotWrite();
  if (closed) return refill(bar, h('p', { class: 'note' }, closed));
  const opened = list.sentences.at(-1);
  const to = threadTitle(key);
  const area = h('textarea', {
    class: 'field', id: 'message', rows: '1', 'data-key': 'message', maxlength: String(list.longest), value: readDraft(), placeholder: isPublic(key) ? t('Message to everyone') : t('Message to {recipient}', { recipient: to }),
    'aria-label': isPublic(key) ? t('Message to everyone') : t('Message to {recipient}', { recipient: to }), 'aria-describedby': 'message-note',
    oninput: (event) => {
      keepDraft(event.target.value);
      growField(event);
      const button = document.getElementById('message-send');
      button.disabled = !event.target.value.trim() && !draftOrders().length;
    },
    onkeydown: (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        event.stopPropagation();
        send();
      }
    },
    onfocus: () => isPhone() && document.body.classList.add('writing'),
    onblur: () => document.body.classList.remove('writing'),
  });
  const grey = list.unsigned === 'allowed' && !key.includes(UNSIGNED) && !key.includes(HOST_SEAT) && ownSeats(key)[0] !== HOST_SEAT;
  return refill(bar,
    press.failed ? h('p', { class: 'fault', role: 'alert' }, t('Not sent. {reason}', { reason: press.failed })) : null,
    press.sure ? h('p', { class: 'sure-line', role: 'alert' }, tx('{readers} Click again to send.', { readers: press.thread ? translateSentence(press.thread.said) : '' })) : null,
    h('div', { class: 'writing-row' }, area,
      h('button', {
        type: 'button', class: `btn${press.sure ? ' main' : ''} send`, id: 'message-send', 'data-key': 'send', disabled: (!readDraft().trim() && !draftOrders().length) || press.sending,
        'aria-label': press.sure ? t('Send to everyone') : press.failed ? t('Send again') : t('Send'), onclick: send,
        // keep the focus in the text field, so that the button does not move away under the finger
        onmousedown: (event) => event.preventDefault(),
      }, press.sure ? t('To all') : press.failed ? t('Retry') : icon('send'))),
    orderField(),
    grey ? h('label', { class: 'toggle' }, h('input', { type: 'checkbox', id: 'unsigned' }), h('span', {}, t('Anonymous'))) : null,
    h('p', { class: 'note', id: 'message-note' }, [opened && translateSentence(opened), closingText(), t('Drafts stay on this device.')].filter(Boolean).join(' ')));
}

function conversation(pane) {
  const { key } = press;
  return refill(pane,
    h('div', { class: 'pane-head press-head' },
      h('button', { type: 'button', class: 'round', 'data-key': 'press back', 'aria-label': t('All threads'), onclick: () => openThread(null) }, icon('left')),
      h('h2', { id: 'press-head', tabindex: '-1' }, threadSwatches(key), threadTitle(key))),
    h('p', { class: 'who-reads note' }, press.thread ? translateSentence(press.thread.said) : '', ' ',
      press.thread?.messages.some((message) => message.seat && !message.mine)
        ? h('a', { href: `/games/${encodeURIComponent(game.view.id)}/talk?${new URLSearchParams(key.map((seat) => ['seat', seat]))}`, 'data-key': 'mute or report' }, t('Mute or report')) : null),
    press.list.seats.length && notes?.canKeepNotes() ? notes.noteField(key, t('Private note')) : null,
    messageList());
}

/** Return the chips of the threads, above the messages on a phone. */
function chips() {
  return h('div', { class: 'chips thread-chips', role: 'group', 'aria-label': t('Threads') },
    h('button', { type: 'button', class: 'chip', 'data-key': 'chip all', onclick: () => openThread(null) }, icon('left'), h('span', {}, t('All'))),
    press.list.threads.slice(0, 12).map((thread) => h('button', {
      type: 'button', class: 'chip', 'data-key': `chip ${threadName(thread.thread)}`, 'aria-pressed': String(isSameThread(thread.thread, press.key)), onclick: () => openThread(thread.thread),
    }, threadSwatches(thread.thread), h('span', {}, threadTitle(thread.thread)), thread.unread ? h('span', { class: 'unread' }, String(thread.unread)) : null)));
}

let notes = null;

/** Load the module of the notes with the first thread that is opened. */
async function loadNotes() {
  notes ??= await import('./notes.js');
}

/** Fill `pane` with the threads, or with the one that is open. */
export function pressPanel(pane) {
  if (!press.list) return refill(pane, h('p', { class: 'note' }, t('Loading messages …')));
  if (press.deals) return dealsPanel(pane, () => openDeals(false));
  if (!press.key) return overview(pane);
  conversation(pane);
  if (isPhone()) pane.prepend(chips());
  return undefined;
}

/** Return to the newest message of the open thread and mark it as read. */
export function reopenThread() {
  if (!press.key) return;
  loadThread().then(() => {
    emitChange();
    scrollToEnd();
  }).catch(act.showError);
}
