/* Progress that only the browser stores, under a key, with the version of its form. */

/** Read what is stored: {value, foreign}. `foreign` is true if another version of the program stored it. */
export function loadStored(key, version, field) {
  try {
    const found = JSON.parse(localStorage.getItem(key));
    if (found === null) return { value: {}, foreign: false };
    const known = found.version === version && typeof found[field] === 'object' && found[field] !== null;
    return { value: known ? found[field] : {}, foreign: !known };
  } catch {
    return { value: {}, foreign: true };
  }
}

/** Store a value; what another version stored is kept beside it. */
export function saveStored(key, version, field, value) {
  const { foreign } = loadStored(key, version, field);
  try {
    if (foreign) localStorage.setItem(`${key}.earlier`, localStorage.getItem(key));
    localStorage.setItem(key, JSON.stringify({ version, [field]: value }));
  } catch {
    // without storage everything else works all the same
  }
}
