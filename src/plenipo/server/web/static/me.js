/* The account pages: theme menu, local dates, notifications, passkeys of this device, and signing out of it. */
import { setUpThemes } from './theme.js';
import { localiseDates } from './instants.js';
import { setUpPush } from './push.js';
import { setUpPasskeys } from './passkeys.js';

setUpThemes();
localiseDates();
setUpPush();
setUpPasskeys();

// the page after it deletes the same, if it comes
document.querySelector('form[data-here]')?.addEventListener('submit', () => window.plenipoForget());
