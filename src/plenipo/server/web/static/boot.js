/* Sets the colour theme before the page is painted: the one chosen, else light or dark as the system is set. The server
   knows a choice from the cookie; only the browser knows the setting of the system. */
(() => {
  const dark = matchMedia('(prefers-color-scheme:dark)');
  const root = document.documentElement;
  const chosenTheme = () => /(?:^|; )theme=([a-z-]+)/.exec(document.cookie)?.[1] ?? '';
  const applyTheme = () => {
    const theme = chosenTheme() || (dark.matches ? 'dark' : 'light');
    root.dataset.theme = theme;
    root.dataset.scheme = theme.endsWith('dark') ? 'dark' : 'light';
    root.dataset.chosen = chosenTheme();
    document.querySelector('meta[name=theme-color]').content = root.dataset.scheme === 'dark' ? '#101518' : '#ece3d0';
    const styles = document.getElementById('map-colours');
    if (styles && !styles.href.includes(`theme=${theme}&`)) {
      styles.href = styles.href.replace(/theme=[a-z-]*/, `theme=${theme}`);
    }
    root.dispatchEvent(new CustomEvent('themed', { detail: theme }));
  };
  applyTheme();
  dark.addEventListener('change', applyTheme);
  window.plenipoTheme = (name) => {
    document.cookie = name
      ? `theme=${name}; path=/; max-age=31536000; samesite=lax`
      : 'theme=; path=/; max-age=0; samesite=lax';
    applyTheme();
  };
})();
