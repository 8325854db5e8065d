/* The question how a player is reached: notifications on this device are turned on before the answer is sent. */
import { findObstacle, subscribe } from './push.js';
import { setUpThemes } from './theme.js';

const form = document.getElementById('reach');
const push = form?.querySelector('[value=push]');
const fault = document.getElementById('reach-fault');

function showFault(words) {
  fault.textContent = words;
  fault.hidden = !words;
}

if (form) {
  const why = findObstacle();
  if (why) {
    push.disabled = true;
    showFault(why);
    fault.className = 'note';
    fault.removeAttribute('role');
  }
  const address = document.getElementById('reach-mail');
  form.addEventListener('change', () => {
    if (address) address.required = form.elements.way.value === 'mail';
  });
  form.addEventListener('submit', async (event) => {
    if (!push.checked) return;
    event.preventDefault();
    const button = form.querySelector('[type=submit]');
    button.disabled = true;
    try {
      await subscribe();
      form.submit();
    } catch (error) {
      showFault(error.message);
      button.disabled = false;
      push.focus();
    }
  });
}
// the lobby has a theme menu of its own
if (!document.getElementById('seat-map')) setUpThemes();
