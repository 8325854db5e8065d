/* Server-sent events of a visible page. A hidden page closes its connection to free it for others. */

/** Call the handler of each event by its kind; `address` is called again for every new connection. Returns a function
    that closes the stream. */
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
