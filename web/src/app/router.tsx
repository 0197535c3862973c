// Where the reader is: the path and the query of the address bar, and links that change them without a reload.
import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react';

function subscribe(onChange: () => void): () => void {
  addEventListener('popstate', onChange);
  return () => removeEventListener('popstate', onChange);
}

export const readPath = () => location.pathname.replace(/(.)\/+$/, '$1');
const readSearch = () => location.search;

export function usePath(): string {
  return useSyncExternalStore(subscribe, readPath);
}

export function useSearch(): URLSearchParams {
  return new URLSearchParams(useSyncExternalStore(subscribe, readSearch));
}

/** @param replace changes the entry of the browser's history instead of adding one */
export function navigate(to: string, { replace = false } = {}): void {
  const isNewPage = new URL(to, location.href).pathname !== location.pathname;
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  dispatchEvent(new PopStateEvent('popstate'));
  if (isNewPage) scrollTo(0, 0);
}

/** A link within the pages; with a modifier key the browser does what it always does. */
export function Link({ href, onClick, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!isPlain || event.defaultPrevented) return;
    event.preventDefault();
    navigate(href);
  };
  return <a href={href} onClick={follow} {...rest} />;
}
