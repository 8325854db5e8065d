/* The pages about oneself: the colours, instants in the time of whoever reads them, notices and keys of this device. */
import { colours } from './theme.js';
import { instants } from './instants.js';
import { notices } from './push.js';
import { passkeys } from './passkeys.js';

colours();
instants();
notices();
passkeys();
