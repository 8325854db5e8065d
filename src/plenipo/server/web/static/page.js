/* A page of text: the theme menu, and pictures in the colours of the theme. */
import { setUpThemes, updatePictures } from './theme.js';

setUpThemes();
updatePictures();
