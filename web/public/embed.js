// Opens Ampersat's checkout in a window: <a href="https://…/l/plk_…" data-ampersat>Pay</a>. Where it can't, the link is followed.
// On the link: `ampersat:order` {order, status, success_url} at each status, `ampersat:closed` with the last one when the window closes.
(() => {
  // One window, so one link at a time hears from it.
  let stop = () => {};
  const { src } = document.currentScript;
  const { origin } = new URL(src);
  // A second press leads to the order that the first one began, as long as it may be paid: never to another.
  const begun = new WeakMap();
  const isOpen = (order) => order?.status === 'awaiting_payment' || order?.status === 'processing';

  const follow = (anchor, opened) => {
    let last = null;
    let isHeard = false;
    const tell = (name) =>
      anchor.dispatchEvent(new CustomEvent(name, { bubbles: true, cancelable: true, detail: last }));
    const listen = ({ source, origin: sender, data }) => {
      if (source !== opened || sender !== origin) return;
      if (data?.type === 'ampersat.hello') {
        isHeard = true;
        source.postMessage({ type: 'ampersat.shop' }, origin);
      }
      if (data?.type !== 'ampersat.order') return;
      last = { order: data.order, status: data.status, success_url: data.success_url };
      begun.set(anchor, last);
      tell('ampersat:order');
    };
    stop();
    stop = () => {
      clearInterval(timer);
      removeEventListener('message', listen);
    };
    addEventListener('message', listen);
    const timer = setInterval(() => {
      if (!opened.closed) return;
      stop();
      // A checkout that may not speak to this page looks closed from the start.
      if (!isHeard) return;
      const goesOn = tell('ampersat:closed');
      // The checkout names it once the payment is under way.
      if (goesOn && /^https?:\/\//.test(last?.success_url ?? '')) location.assign(last.success_url);
    }, 300);
  };

  document.addEventListener('click', (event) => {
    const anchor = event.target.closest?.('a[data-ampersat]');
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!anchor || !isPlain || event.defaultPrevented || new URL(anchor.href).origin !== origin) return;
    const order = begun.get(anchor);
    const address = isOpen(order) ? `${origin}/o/${encodeURIComponent(order.order)}` : anchor.href;
    const opened = open(address, 'ampersat-checkout', 'popup,width=480,height=820');
    if (!opened) return;
    event.preventDefault();
    follow(anchor, opened);
  });
})();
