/* The page of a designer: what is found in the folder is shown again after every save. */
import { stream } from './stream.js';
import { setUpThemes, updatePictures } from './theme.js';

const page = document.getElementById('design');

async function update() {
  const answer = await fetch(location.href);
  if (!answer.ok) {
    location.reload(); // the folder is gone, and the page says so
    return;
  }
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const now = fresh.getElementById('design');
  const focused = page.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
  document.title = fresh.title;
  page.dataset.version = now.dataset.version;
  for (const part of ['h1', '#findings']) page.querySelector(part).replaceChildren(...now.querySelector(part).childNodes);
  const [old, drawn] = [page.querySelector('picture'), now.querySelector('picture')];
  if (drawn?.querySelector('img').dataset.picture !== old?.querySelector('img').dataset.picture) {
    old?.remove();
    if (drawn) page.append(drawn);
  }
  if (focused) page.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
}

setUpThemes();
updatePictures();
stream(() => `${location.pathname}/events`, {
  findings: ({ version }) => {
    if (version !== page.dataset.version) update().catch(() => null);
  },
});
