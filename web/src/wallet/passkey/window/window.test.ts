// The two sides of the wallet's window: each accepts messages of its counterpart only, one request and one answer.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WalletError } from '../../requests.ts';
import { answering } from './answering.ts';
import { askIn, signSignIn } from './asking.ts';
import { type FromWindow, readRequest, type ToWindow, type WalletRequest } from './protocol.ts';

const PAGES = 'https://pay.example';
const WALLET = 'https://wallet.example';

// The document names the wallet's origin, and the module reads it when it loads.
vi.hoisted(() => {
  const element = { getAttribute: () => 'https://wallet.example' };
  Object.assign(globalThis, { document: { querySelector: () => element } });
});
const ADDRESS = '0xFD6f7973fDe51A82f7a664Fd6E0a255eF0f11647';
const SIGN: WalletRequest = { kind: 'sign_in', address: ADDRESS, text: 'a text' };
const ID = '0123456789abcdef0123';
const asked = (request: unknown = SIGN, id = ID) => ({ wallet: 'request', id, request: JSON.stringify(request) });

function windowOf(run: (request: WalletRequest) => Promise<unknown> = async () => '0xsigned') {
  const posted: { message: FromWindow; to: string }[] = [];
  const opener = { postMessage: (message: FromWindow, to: string) => void posted.push({ message, to }) };
  const ran = vi.fn(run);
  return { posted, opener, ran, receive: answering(opener, PAGES, ran) };
}

it('answers its opener at the pages’ origin, once', async () => {
  const { posted, opener, ran, receive } = windowOf();
  expect(await receive({ source: opener, origin: PAGES, data: asked() })).toBe(true);
  expect(ran).toHaveBeenCalledExactlyOnceWith(SIGN);
  expect(posted).toEqual([
    { message: { wallet: 'ready' }, to: PAGES },
    { message: { wallet: 'answer', id: ID, value: '0xsigned' }, to: PAGES },
  ]);
});

it('takes no second request, neither the same one again nor another beside the first', async () => {
  const { opener, ran, receive } = windowOf();
  const from = { source: opener, origin: PAGES };
  const first = receive({ ...from, data: asked() });
  expect(await receive({ ...from, data: asked() })).toBe(false);
  await first;
  expect(await receive({ ...from, data: asked() })).toBe(false);
  expect(await receive({ ...from, data: asked(SIGN, 'another-id-0123456789') })).toBe(false);
  expect(ran).toHaveBeenCalledTimes(1);
});

it('ignores other origins and other sources', async () => {
  const { posted, opener, ran, receive } = windowOf();
  expect(await receive({ source: opener, origin: 'https://evil.example', data: asked() })).toBe(false);
  expect(await receive({ source: {}, origin: PAGES, data: asked() })).toBe(false);
  expect(await receive({ source: opener, origin: `${PAGES}.evil.example`, data: asked() })).toBe(false);
  expect(ran).not.toHaveBeenCalled();
  expect(posted.map(({ to }) => to)).toEqual([PAGES]);
});

it('answers a refusal with its reason', async () => {
  const { posted, opener, receive } = windowOf(async () => {
    throw new WalletError('refused', 'You closed the request.');
  });
  await receive({ source: opener, origin: PAGES, data: asked() });
  expect(posted[1]?.message).toEqual({
    wallet: 'refusal',
    id: ID,
    problem: 'refused',
    message: 'You closed the request.',
    reason: '',
  });
});

it.each<[string, unknown]>([
  ['nothing', null],
  ['a text', 'request'],
  ['no id', { ...asked(), id: undefined }],
  ['a short id', asked(SIGN, 'short')],
  ['a request that is no text', { ...asked(), request: SIGN }],
  ['broken JSON', { ...asked(), request: '{' }],
  ['JSON of nothing', asked(null)],
  ['another kind', asked({ kind: 'raw', address: ADDRESS, hash: '0x00' })],
  ['an address that is none', asked({ ...SIGN, address: '0x1' })],
  ['no message', asked({ kind: 'sign', address: ADDRESS, all: [] })],
  [
    'too many messages',
    asked({ kind: 'sign', address: ADDRESS, all: Array(17).fill({ primaryType: 'A', message: {} }) }),
  ],
  ['a message without a type', asked({ kind: 'sign', address: ADDRESS, all: [{ message: {} }] })],
  ['too long a text', asked({ ...SIGN, text: 'x'.repeat(200_000) })],
])('takes %s for no request', (_name, data) => {
  expect(readRequest(data)).toBeNull();
});

const listeners = new Set<(event: MessageEvent) => void>();
const postToPage = (source: unknown, origin: string, data: unknown) => {
  for (const listener of [...listeners]) listener({ source, origin, data } as MessageEvent);
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('addEventListener', (_type: string, one: () => void) => void listeners.add(one));
  vi.stubGlobal('removeEventListener', (_type: string, one: () => void) => void listeners.delete(one));
});
afterEach(() => {
  expect(listeners.size).toBe(0);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function pageWith(request: Promise<WalletRequest> = Promise.resolve(SIGN)) {
  const sent: { message: ToWindow; to: string }[] = [];
  const place = { closed: false, postMessage: (message: ToWindow, to: string) => void sent.push({ message, to }) };
  const outcome = askIn(place as unknown as Window, request, WALLET);
  const failure = outcome.then(
    () => null,
    (error: unknown) => error as WalletError,
  );
  return { sent, place, outcome, failure };
}

it('hands the request to the wallet’s origin once the window is ready, and accepts answers of the window only', async () => {
  const { sent, place, outcome } = pageWith();
  postToPage(place, 'https://evil.example', { wallet: 'ready' });
  postToPage({}, WALLET, { wallet: 'ready' });
  await vi.advanceTimersByTimeAsync(10);
  expect(sent).toEqual([]);
  postToPage(place, WALLET, { wallet: 'ready' });
  await vi.advanceTimersByTimeAsync(10);
  const id = sent[0]?.message.id ?? '';
  expect(sent).toEqual([{ message: asked(SIGN, id), to: WALLET }]);
  postToPage(place, 'https://evil.example', { wallet: 'answer', id, value: 'forged' });
  postToPage({}, WALLET, { wallet: 'answer', id, value: 'forged' });
  postToPage(place, WALLET, { wallet: 'answer', id: 'another', value: 'forged' });
  postToPage(place, WALLET, null);
  postToPage(place, WALLET, { wallet: 'answer', id, value: '0xsigned' });
  postToPage(place, WALLET, { wallet: 'answer', id, value: 'late' });
  expect(await outcome).toBe('0xsigned');
});

it('goes on with the same request after the window reloads', async () => {
  const { sent, place, outcome } = pageWith();
  for (let load = 0; load < 2; load += 1) {
    postToPage(place, WALLET, { wallet: 'ready' });
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(sent.map(({ message }) => message.id)).toEqual([sent[0]?.message.id, sent[0]?.message.id]);
  postToPage(place, WALLET, { wallet: 'answer', id: sent[0]?.message.id, value: 1 });
  expect(await outcome).toBe(1);
});

it('reports a window that was closed, refused, did not load, or waited too long', async () => {
  const closed = pageWith();
  closed.place.closed = true;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await closed.failure).toMatchObject({ problem: 'refused', message: expect.stringContaining('You closed') });

  const refused = pageWith();
  postToPage(refused.place, WALLET, { wallet: 'ready' });
  await vi.advanceTimersByTimeAsync(10);
  const id = refused.sent[0]?.message.id;
  postToPage(refused.place, WALLET, { wallet: 'refusal', id, problem: 'wrong_account', message: 'No.', reason: '' });
  expect(await refused.failure).toMatchObject({ problem: 'wrong_account', message: 'No.' });

  const silent = pageWith();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await silent.failure).toMatchObject({ problem: 'silent', message: expect.stringContaining('didn’t load') });

  const slow = pageWith();
  postToPage(slow.place, WALLET, { wallet: 'ready' });
  await vi.advanceTimersByTimeAsync(4 * 60_000);
  expect(await slow.failure).toMatchObject({ problem: 'silent', message: expect.stringContaining('too long') });
});

it('fails with what the request failed with', async () => {
  const { place, failure } = pageWith(Promise.reject(new WalletError('failed', 'No nonce.')));
  postToPage(place, WALLET, { wallet: 'ready' });
  expect(await failure).toMatchObject({ message: 'No nonce.' });
});

it('gives the window to the latest request: the one before it ends, and the window stays open', async () => {
  const sent: ToWindow[] = [];
  const postMessage = (message: ToWindow) => void sent.push(message);
  const place = { closed: false, postMessage, focus: () => {}, close: vi.fn() };
  vi.stubGlobal('open', () => place);
  vi.stubGlobal('window', globalThis);
  const first = signSignIn(ADDRESS, 'first').catch((error: unknown) => error);
  const second = signSignIn(ADDRESS, 'second');
  expect(await first).toMatchObject({ problem: 'refused', message: expect.stringContaining('Another request') });
  expect(place.close).not.toHaveBeenCalled();
  postToPage(place, WALLET, { wallet: 'ready' });
  await vi.advanceTimersByTimeAsync(10);
  expect(sent.map(({ request }) => JSON.parse(request))).toMatchObject([{ text: 'second' }]);
  postToPage(place, WALLET, { wallet: 'answer', id: sent[0]?.id, value: '0xsecond' });
  expect(await second).toBe('0xsecond');
});
