/* The rules on screens: each board plays its example once when it comes into view, and again at its button. */
import { prefersReducedMotion } from './dom.js';
import { setUpThemes, updatePictures } from './theme.js';

setUpThemes();
updatePictures();

const drawnIn = document.documentElement.dataset.theme;
// the patterns of some themes are part of the boards, which the server draws
document.documentElement.addEventListener('themed', ({ detail }) => {
  if (detail.startsWith('safe') !== drawnIn.startsWith('safe') || (detail === 'print') !== (drawnIn === 'print')) location.reload();
});

const boards = [...document.querySelectorAll('.board-box')];

function playBoard(box) {
  for (const step of box.querySelectorAll('animate, animateTransform')) step.beginElement();
  box.dataset.played = '';
}

for (const box of boards) {
  const button = box.querySelector('.replay');
  button.hidden = false;
  button.addEventListener('click', () => playBoard(box));
}

if (!prefersReducedMotion()) {
  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      playBoard(target);
    }
  }, { threshold: 0.75 });
  for (const box of boards) seen.observe(box);
}
