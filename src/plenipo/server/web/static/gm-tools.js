/* The GM tools: the deadline in the reader's time zone, and the templates of announcements. */
import { t } from './i18n.js';
import { localiseDates } from './instants.js';
import { setUpThemes, updatePictures } from './theme.js';

setUpThemes();
updatePictures();
localiseDates();

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const deadline = document.getElementById('deadline');
if (deadline && timeZone) {
  document.getElementById('deadline-zone').value = timeZone;
  document.querySelector('label[for=deadline]').textContent = t('Date and time ({zone})', { zone: timeZone.replaceAll('_', ' ') });
  const at = deadline.dataset.instant && new Date(deadline.dataset.instant);
  if (at) deadline.value = new Date(at - at.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
}

const templates = document.getElementById('announce-templates');
if (templates) {
  templates.hidden = false;
  templates.addEventListener('click', (event) => {
    const { text } = event.target.closest('[data-text]')?.dataset ?? {};
    if (!text) return;
    const field = document.getElementById('announcement');
    field.value = field.value.trim() ? `${field.value.trim()}\n${text}` : text;
    field.focus();
  });
}
