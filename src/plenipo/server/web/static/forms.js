/* Forms that the server refuses: the page of the refusal returns here, and the form is shown as it was filled in, with
   the field marked and the message beside it. A form with a `data-draft` is also remembered while it is filled in, and
   is there again after the browser was closed. */

const KEY = 'plenipo.form';
const DRAFT = 'plenipo.draft';

/** The time for which a draft is kept, in milliseconds: a week. */
const DRAFT_LASTS = 7 * 24 * 3600 * 1000;
const HIDDEN = new Set(['hidden', 'password', 'file', 'submit']);

const controlsOf = (form) => [...form.elements].filter((one) => one.name && !HIDDEN.has(one.type));

/** Return the place of a form among those with its action. */
const placeOf = (form) => [...document.forms].filter((one) => one.getAttribute('action') === form.getAttribute('action')).indexOf(form);

const valuesOf = (form) => controlsOf(form).map((one) => [one.name, one.type === 'checkbox' || one.type === 'radio' ? one.checked : one.value, one.value]);

/** Remember what a form holds while the server reads it. */
function remember(form) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ page: location.pathname + location.search, action: form.getAttribute('action'), place: placeOf(form), values: valuesOf(form) }));
  } catch {
    // without storage the browser's own Back still has the values
  }
}

/** Take the form that led here out of the store; returns it with the message if it was refused, else null. */
function takeRefused() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY));
    if (kept?.message && kept.page !== location.pathname + location.search) return null;
    sessionStorage.removeItem(KEY);
    if (!kept || kept.message) return kept;
    // a page that is itself the answer to its form has the message above all forms
    const told = document.getElementById('fault');
    if (!told || new URL(kept.action, location).pathname !== location.pathname) return null;
    told.remove();
    return { ...kept, message: told.textContent };
  } catch {
    return null;
  }
}

function fill(form, values) {
  const left = [...values];
  for (const one of controlsOf(form)) {
    const toggled = one.type === 'checkbox' || one.type === 'radio';
    const at = left.findIndex(([name, , value]) => name === one.name && (!toggled || value === one.value));
    if (at < 0) continue;
    const [[, value]] = left.splice(at, 1);
    one[toggled ? 'checked' : 'value'] = value;
  }
}

/** Return the text that a message quotes first; later ones are what could be written instead. */
const firstQuoted = (message) => /['"‘“„](.*?)['"’“”](?!\p{L})/u.exec(message)?.[1] ?? '';

/** Return the field that a refusal is about: the one it names, else the one whose text it quotes, else the only one. */
function faultyField(form, { message, piece }) {
  const fields = controlsOf(form);
  const named = fields.find((one) => piece && one.name === piece);
  const quoted = fields.find((one) => one.value && one.type !== 'checkbox' && (one.type !== 'radio' || one.checked) && one.value === firstQuoted(message));
  const texts = fields.filter((one) => one.matches('input:not([type=radio]):not([type=checkbox]),textarea'));
  return named ?? quoted ?? (texts.length === 1 ? texts[0] : null);
}

function showRefused(kept) {
  const form = [...document.forms].filter((one) => one.getAttribute('action') === kept.action)[kept.place];
  if (!form) return;
  fill(form, kept.values);
  const field = faultyField(form, kept);
  const note = document.createElement('p');
  Object.assign(note, { className: 'fault', id: 'refused', textContent: kept.message });
  note.setAttribute('role', 'alert');
  const button = form.querySelector('[type=submit]');
  const beside = field?.closest('label') ?? field ?? button;
  if (beside) beside[beside === button ? 'before' : 'after'](note);
  else form.append(note);
  for (let fold = note.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
  field?.setAttribute('aria-invalid', 'true');
  field?.setAttribute('aria-describedby', 'refused');
  (field ?? button)?.focus({ preventScroll: true });
  note.scrollIntoView({ block: 'center' });
  form.dispatchEvent(new Event('change'));
}

/** Keep what a form holds until it is sent; nothing is kept of one that is as it was at first. */
function keepDraft(form, usual) {
  const values = valuesOf(form);
  try {
    if (JSON.stringify(values) === usual) localStorage.removeItem(DRAFT);
    else localStorage.setItem(DRAFT, JSON.stringify({ page: location.pathname, at: Date.now(), values }));
  } catch {
    // without storage the form is lost when the browser is closed
  }
}

function takeDraft() {
  try {
    const kept = JSON.parse(localStorage.getItem(DRAFT));
    return kept?.page === location.pathname && Math.abs(Date.now() - kept.at) < DRAFT_LASTS ? kept.values : null;
  } catch {
    return null;
  }
}

/** Fill in a form as it was left, and keep what is typed into it from now on. */
function startDraft(form, values) {
  const usual = JSON.stringify(valuesOf(form));
  const note = document.getElementById(form.dataset.draft);
  if (values) {
    fill(form, values);
    note.hidden = false;
  }
  for (const kind of ['input', 'change']) form.addEventListener(kind, () => keepDraft(form, usual));
  form.addEventListener('reset', () => {
    note.hidden = true;
    setTimeout(() => form.dispatchEvent(new Event('change'))); // once the fields are empty
  });
  form.dispatchEvent(new Event('change'));
}

document.addEventListener('submit', (event) => {
  if (event.target.method === 'post') remember(event.target);
  if (event.target.dataset.draft) localStorage.removeItem(DRAFT);
});
const refused = takeRefused();
for (const form of document.querySelectorAll('form[data-draft]')) startDraft(form, refused ? null : takeDraft());
if (refused) showRefused(refused);
