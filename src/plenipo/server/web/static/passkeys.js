/* Passkeys, where the browser supports them; the server makes the challenge and verifies the answer. */
import { ask } from './api.js';
import { t } from './i18n.js';

const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
const textOf = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

const SILENT = new Set(['AbortError', 'NotAllowedError']); // cancelled, or replaced by another request

/** Convert a credential to JSON. */
function shown({ id, rawId, type, response }) {
  const parts = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'];
  const said = parts.filter((part) => response[part]).map((part) => [part, textOf(response[part])]);
  return { id, rawId: textOf(rawId), type, response: Object.fromEntries(said) };
}

/** Run `act` when a form is submitted, and show its error in the form. */
function onSubmit(form, act) {
  const fault = document.getElementById('passkey-fault');
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('button');
    fault.hidden = true;
    button.disabled = true;
    try {
      await act();
    } catch (error) {
      fault.textContent = SILENT.has(error.name) ? t('The device was not unlocked. Nothing has changed.') : error.message;
      fault.hidden = false;
    } finally {
      button.disabled = false;
    }
  });
}

async function make() {
  const options = await ask('/api/me/passkeys/ask', { method: 'POST', body: {} });
  options.challenge = bytesOf(options.challenge);
  options.user.id = bytesOf(options.user.id);
  options.excludeCredentials = [];
  const credential = await navigator.credentials.create({ publicKey: options });
  const name = document.getElementById('passkey-name').value;
  await ask('/api/me/passkeys', { method: 'POST', body: { credential: shown(credential), name } });
  location.assign('/me');
}

let waiting = null;

async function enter(mediation) {
  waiting?.abort();
  waiting = new AbortController();
  const { signal } = waiting;
  const options = await ask('/api/sign-in/passkey/ask', { method: 'POST', body: {} });
  const publicKey = { ...options, challenge: bytesOf(options.challenge), allowCredentials: [] };
  const credential = await navigator.credentials.get({ publicKey, signal, mediation });
  await ask('/api/sign-in/passkey', { method: 'POST', body: { credential: shown(credential) } });
  location.assign('/me');
}

/** Set up the passkey forms of the page; without script or browser support they stay hidden. */
export async function passkeys() {
  if (!window.isSecureContext || !window.PublicKeyCredential) return;
  const add = document.getElementById('passkey-new');
  if (add) onSubmit(add, make);
  const form = document.getElementById('passkey');
  if (!form) return;
  onSubmit(form, () => enter('optional'));
  if (!await window.PublicKeyCredential.isConditionalMediationAvailable?.()) return;
  try {
    await enter('conditional'); // the browser offers it in the field for the email address
  } catch (error) {
    if (SILENT.has(error.name)) return;
    const fault = document.getElementById('passkey-fault');
    fault.textContent = error.message;
    fault.hidden = false;
  }
}
