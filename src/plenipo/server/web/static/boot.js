/* Runs before the page is painted. It deletes what another reader left in this browser, and sets the colour theme: the one
   chosen, else light or dark as the system is set. The server knows a choice from the cookie; only the browser knows the
   setting of the system. */
(() => {
  const READER = 'plenipo.reader';
  /** Entries that are not about a person's games, and stay when another person signs in. */
  const SHARED = new Set(['plenipo.settings', 'plenipo.tour', 'plenipo.lessons', 'plenipo.puzzles', 'plenipo.puzzle-rating', 'plenipo.games', READER]);
  const reader = /(?:^|; )reader=(\w+)/.exec(document.cookie)?.[1] ?? '';

  function readGames() {
    try {
      const games = JSON.parse(localStorage.getItem('plenipo.games'));
      return Array.isArray(games) ? games : [];
    } catch {
      return [];
    }
  }

  /** Delete what the last reader left: drafts, orders that were not sent, and the list of games played as that reader. */
  function forgetReader() {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith('plenipo.') && !SHARED.has(key.replace(/\.earlier$/, ''))) localStorage.removeItem(key);
    }
    sessionStorage.removeItem('plenipo.form');
    localStorage.setItem('plenipo.games', JSON.stringify(readGames().filter((game) => !game.reader)));
  }

  try {
    const last = localStorage.getItem(READER) ?? '';
    if (last && last !== reader) forgetReader();
    if (reader) localStorage.setItem(READER, reader);
    else localStorage.removeItem(READER);
  } catch {
    // without storage nothing is left
  }
  window.plenipoForget = forgetReader;

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
