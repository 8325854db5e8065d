/* What the server tells while a page is looked at: a page that is hidden does not listen, so that others can. */

/** Call `handlers` by the kind of what comes from an address; `address` is asked for anew whenever the page is shown. */
export function stream(address, handlers) {
  let source = null;
  const close = () => {
    source?.close();
    source = null;
  };
  const open = () => {
    if (source || document.hidden) return;
    source = new EventSource(address());
    for (const [kind, handle] of Object.entries(handlers)) {
      source.addEventListener(kind, (event) => handle(JSON.parse(event.data)));
    }
  };
  document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()));
  addEventListener('pagehide', close);
  addEventListener('pageshow', open);
  // what was told while there was no network is made up for by the greeting of a new connection
  addEventListener('online', () => {
    close();
    open();
  });
  open();
  return close;
}
