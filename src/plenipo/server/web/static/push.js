/* The button for push notifications on this device, and the reasons why they may be impossible. */
import { t } from './i18n.js';

const IPHONE = t('On an iPhone or iPad, first add this page to the home screen and open it from there.');

/** Decode a key from URL-safe base64. */
const bytesOf = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));

/** Return the reason why this browser cannot show notifications; empty if it can. */
export function findObstacle() {
  if (!window.isSecureContext) return t('Notifications need a secure connection (https).');
  if (!('serviceWorker' in navigator) || !('PushManager' in window)) return `${t('This browser does not support notifications.')} ${IPHONE}`;
  if (Notification.permission === 'denied') return t('Notifications from this site are blocked. Allow them in the settings of your browser.');
  return '';
}

async function postSubscription(fields) {
  const answer = await fetch('/me/push', { method: 'POST', body: new URLSearchParams(fields) });
  if (!answer.ok) throw new Error(t('The change could not be saved. Try again.'));
}

/** Ask the browser for a subscription and send it to the server. */
export async function subscribe() {
  if (await Notification.requestPermission() !== 'granted') throw new Error(t('You did not allow notifications, so they stay off on this device.'));
  const { key } = await (await fetch('/me/push')).json();
  await navigator.serviceWorker.register('/worker.js');
  const manager = (await navigator.serviceWorker.ready).pushManager;
  const before = await manager.getSubscription();
  if (before) await before.unsubscribe();
  const made = (await manager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) })).toJSON();
  await postSubscription({ endpoint: made.endpoint, p256dh: made.keys.p256dh, auth: made.keys.auth });
}

async function unsubscribe() {
  const there = await navigator.serviceWorker.getRegistration('/');
  const before = await there?.pushManager.getSubscription();
  await postSubscription({ endpoint: '' });
  await before?.unsubscribe();
}

/** Set up the button. */
export function setUpPush() {
  const place = document.getElementById('push');
  if (!place) return;
  const state = document.getElementById('push-state');
  const button = document.getElementById('push-button');
  const show = (on) => {
    place.dataset.on = on ? 'yes' : '';
    state.textContent = on ? t('Notifications are on for this device.') : t('Notifications are off on this device.');
    button.textContent = on ? t('Turn off notifications') : t('Turn on notifications');
  };
  const on = place.dataset.on === 'yes';
  const why = findObstacle();
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
      await (wanted ? subscribe() : unsubscribe());
      show(wanted);
    } catch (fault) {
      state.textContent = fault.name === 'AbortError' || fault.name === 'NotAllowedError'
        ? t('Your browser cannot reach its push service, so notifications stay off.') : fault.message;
    } finally {
      button.disabled = false;
      button.focus();
    }
  });
}
