/* The theme menu of every page; boot.js applies the chosen theme. */

const menu = document.getElementById('colours');

function markTheme() {
  const chosen = document.documentElement.dataset.chosen ?? '';
  for (const button of menu.querySelectorAll('[data-theme-name]')) {
    button.setAttribute('aria-checked', String(button.dataset.themeName === chosen));
  }
}

/** Set up the theme menu, and close any open `details.menu` at a click elsewhere or with Escape. */
export function setUpThemes() {
  if (menu) {
    markTheme();
    document.documentElement.addEventListener('themed', markTheme);
    menu.addEventListener('click', (event) => {
      const button = event.target.closest('[data-theme-name]');
      if (!button) return;
      window.plenipoTheme(button.dataset.themeName);
      menu.open = false;
      menu.querySelector('summary').focus();
    });
  }
  document.addEventListener('click', (event) => {
    for (const open of document.querySelectorAll('details.menu[open]')) if (!open.contains(event.target)) open.open = false;
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    const open = document.querySelector('details.menu[open]');
    if (!open) return;
    event.stopPropagation();
    open.open = false;
    open.querySelector('summary').focus();
  }, true);
}

/** Show every picture with `data-picture` in the new colours whenever the theme changes. */
export function updatePictures() {
  document.documentElement.addEventListener('themed', (event) => {
    for (const picture of document.querySelectorAll('img[data-picture]')) {
      picture.parentElement.querySelector('source')?.remove();
      picture.src = `${picture.dataset.picture}&theme=${event.detail}`;
    }
  });
}
