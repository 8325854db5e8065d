/* The variant library: the list follows the search at once, and the address keeps it. It works without this script. */
import { addMaps } from './lazy-maps.js';
import { setUpThemes, updatePictures } from './theme.js';

const PAUSE = 200; // milliseconds without a key before typed words are searched for
const FRESH = ['bank-count', 'bank-looser', 'bank'];

const form = document.getElementById('bank-search');
let asked = new AbortController();
let timer = 0;

/** Show what matches the form; the choices of the other filters, with their counts, change as well. */
async function search() {
  const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value)).toString();
  asked.abort();
  asked = new AbortController();
  history.replaceState(null, '', query ? `/bank?${query}` : '/bank');
  const answer = await fetch(location.href, { signal: asked.signal });
  if (!answer.ok) throw new Error(answer.statusText);
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const unscripted of page.querySelectorAll('noscript')) unscripted.remove(); // read as elements here
  for (const id of FRESH) document.getElementById(id).replaceChildren(...page.getElementById(id).childNodes);
  addMaps('.bank-map', '0px');
  for (const select of form.querySelectorAll('select')) {
    if (select === document.activeElement) continue; // its counts do not depend on its own value
    const { value } = select;
    select.replaceChildren(...page.getElementById(select.id).childNodes);
    select.value = value;
  }
}

function searchOrLoad() {
  search().catch((fault) => {
    if (fault.name !== 'AbortError') form.submit();
  });
}

setUpThemes();
updatePictures();
addMaps('.bank-map', '0px');
form.addEventListener('input', (event) => {
  clearTimeout(timer);
  timer = setTimeout(searchOrLoad, event.target.type === 'search' ? PAUSE : 0);
});
