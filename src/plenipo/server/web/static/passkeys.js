/* Passkeys, where the browser supports them; the server makes the challenge and verifies the answer. */
import { requestJson } from './api.js';
import { t } from './i18n.js';

const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
const textOf = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

const SILENT = new Set(['AbortError', 'NotAllowedError']); // cancelled, or replaced by another request

/** Convert a credential to JSON. */
function credentialJson({ id, rawId, type, response }) {
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

async function createPasskey() {
  const options = await requestJson('/api/me/passkeys/ask', { method: 'POST', body: {} });
  options.challenge = bytesOf(options.challenge);
  options.user.id = bytesOf(options.user.id);
  options.excludeCredentials = [];
  const credential = await navigator.credentials.create({ publicKey: options });
  const name = document.getElementById('passkey-name').value;
  await requestJson('/api/me/passkeys', { method: 'POST', body: { credential: credentialJson(credential), name } });
  location.assign('/me');
}

let waiting = null;

async function signIn(mediation) {
  waiting?.abort();
  waiting = new AbortController();
  const { signal } = waiting;
  const options = await requestJson('/api/sign-in/passkey/ask', { method: 'POST', body: {} });
  const publicKey = { ...options, challenge: bytesOf(options.challenge), allowCredentials: [] };
  const credential = await navigator.credentials.get({ publicKey, signal, mediation });
  await requestJson('/api/sign-in/passkey', { method: 'POST', body: { credential: credentialJson(credential) } });
  location.assign('/me');
}

/** Set up the passkey forms of the page; without script or browser support they stay hidden. */
export async function setUpPasskeys() {
  if (!window.isSecureContext || !window.PublicKeyCredential) return;
  const add = document.getElementById('passkey-new');
  if (add) onSubmit(add, createPasskey);
  const form = document.getElementById('passkey');
  if (!form) return;
  onSubmit(form, () => signIn('optional'));
  if (!await window.PublicKeyCredential.isConditionalMediationAvailable?.()) return;
  try {
    await signIn('conditional'); // the browser offers it in the field for the email address
  } catch (error) {
    if (SILENT.has(error.name)) return;
    const fault = document.getElementById('passkey-fault');
    fault.textContent = error.message;
    fault.hidden = false;
  }
}
