/* Server-sent events of a visible page; a hidden page closes its connection, so that others can have one. */

/** Call the handler of each event by its kind; `address` is called again whenever the page is shown. */
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
  // the first event of a new connection makes up for those missed while offline
  addEventListener('online', () => {
    close();
    open();
  });
  open();
  return close;
}
