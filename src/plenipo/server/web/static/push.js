/* The button by which this browser is told something while no page is open; what it cannot do is said in words. */

const IPHONE = 'On an iPhone or iPad, put this page on the home screen first, and open it from there.';

/** The bytes of a key in the base64 of addresses. */
const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));

/** Why this browser cannot be told; empty if it can. */
function hindrance() {
  if (!window.isSecureContext) return 'This browser shows notices only of pages that are reached by https.';
  if (!('serviceWorker' in navigator) || !('PushManager' in window)) return `This browser cannot show notices. ${IPHONE}`;
  if (Notification.permission === 'denied') return 'This browser was told to show no notices of this page; that can be changed in its settings.';
  return '';
}

async function send(fields) {
  const answer = await fetch('/me/push', { method: 'POST', body: new URLSearchParams(fields) });
  if (!answer.ok) throw new Error('The server did not take it; try again.');
}

/** Ask the browser, then tell the server. */
async function begin() {
  if (await Notification.requestPermission() !== 'granted') throw new Error('You did not allow notices, so this device is not told.');
  const { key } = await (await fetch('/me/push')).json();
  await navigator.serviceWorker.register('/worker.js');
  const manager = (await navigator.serviceWorker.ready).pushManager;
  const before = await manager.getSubscription();
  if (before) await before.unsubscribe();
  const made = (await manager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) })).toJSON();
  await send({ endpoint: made.endpoint, p256dh: made.keys.p256dh, auth: made.keys.auth });
}

async function end() {
  const there = await navigator.serviceWorker.getRegistration('/');
  const before = await there?.pushManager.getSubscription();
  await send({ endpoint: '' });
  await before?.unsubscribe();
}

/** Make the button work. */
export function notices() {
  const place = document.getElementById('push');
  if (!place) return;
  const state = document.getElementById('push-state');
  const button = document.getElementById('push-button');
  const show = (on) => {
    place.dataset.on = on ? 'yes' : '';
    state.textContent = on ? 'This device is told.' : 'This device is not told.';
    button.textContent = on ? 'Tell me no more on this device' : 'Tell me on this device';
  };
  const on = place.dataset.on === 'yes';
  const why = hindrance();
  if (why && !on) {
    state.textContent = why;
    return;
  }
  show(on);
  button.hidden = false;
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      const wanted = place.dataset.on !== 'yes';
      await (wanted ? begin() : end());
      show(wanted);
    } catch (fault) {
      state.textContent = fault.name === 'AbortError' || fault.name === 'NotAllowedError'
        ? 'The browser cannot reach its push service, so this device is not told.' : fault.message;
    } finally {
      button.disabled = false;
      button.focus();
    }
  });
}
