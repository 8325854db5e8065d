/* The page of a refusal: after a form it returns to the page of the form, where `forms.js` shows what was typed and the
   message. It stays if that page has lost the form. */

const KEY = 'plenipo.form';
const fault = document.getElementById('fault');

async function returnToForm() {
  const kept = JSON.parse(sessionStorage.getItem(KEY));
  if (!kept || kept.message || new URL(kept.action, location).pathname !== location.pathname) return;
  const answer = await fetch(kept.page);
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  if (!answer.ok || ![...page.forms].some((form) => form.getAttribute('action') === kept.action)) return;
  sessionStorage.setItem(KEY, JSON.stringify({ ...kept, message: fault.textContent, piece: fault.dataset.piece }));
  location.replace(kept.page);
}
if (document.referrer) returnToForm().catch(() => null);
