/* The pages about oneself: the colours, instants in the time of whoever reads them, and notices on this device. */
import { colours } from './theme.js';
import { instants } from './instants.js';
import { notices } from './push.js';

colours();
instants();
notices();
