// What the pages read of a browser while they are drawn for the first time, where there is none: at build time. There is no session
// and no storage, and the address is that of the page being rendered.
const none = () => undefined;
const storage = { getItem: () => null, setItem: none, removeItem: none };

/** Set before a page is drawn. */
export const bare = { pathname: '/' };

/** See `DRAWN_ORIGIN` in src/http/documents. */
const ORIGIN = 'https://service.invalid';

const location = {
  origin: ORIGIN,
  get pathname() {
    return bare.pathname;
  },
  get href() {
    return ORIGIN + bare.pathname;
  },
  search: '',
  hash: '',
  host: '',
};

Object.assign(globalThis, {
  location,
  localStorage: storage,
  sessionStorage: storage,
  devicePixelRatio: 1,
  dispatchEvent: none,
  addEventListener: none,
  removeEventListener: none,
  matchMedia: () => ({ matches: false, addEventListener: none }),
  document: {
    documentElement: {},
    getElementById: () => null,
    querySelector: () => null,
    visibilityState: 'visible',
    addEventListener: none,
  },
});
Object.defineProperty(globalThis, 'window', { value: globalThis });
Object.defineProperty(globalThis, 'navigator', {
  value: { onLine: true, userAgent: '', languages: ['en'] },
});
